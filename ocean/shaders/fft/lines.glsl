// One work group transforms LINES neighbouring lines of one layer, each with THREADS invocations. Invocations that are
// neighbours in the group touch neighbours in memory: along a row they follow each other, of columns they lie abreast.

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

int thread() { return int(AXIS == 0 ? gl_LocalInvocationID.x : gl_LocalInvocationID.y); }
int lane() { return int(AXIS == 0 ? gl_LocalInvocationID.y : gl_LocalInvocationID.x); }  // which of the group's lines
int line() { return int(gl_WorkGroupID.x) * LINES + lane(); }
int layer() { return int(gl_WorkGroupID.z); }
