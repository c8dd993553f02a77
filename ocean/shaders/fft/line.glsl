// One work group transforms one line of one layer, SIZE elements with THREADS invocations.

layout(local_size_x = THREADS) in;

int line() { return int(gl_WorkGroupID.x); }
int layer() { return int(gl_WorkGroupID.z); }
int thread() { return int(gl_LocalInvocationID.x); }
