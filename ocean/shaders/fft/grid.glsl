// Where an invocation stands in a grid of work groups that the host may have split into several dispatches.

uniform ivec3 first_group;

ivec3 group() { return first_group + ivec3(gl_WorkGroupID); }
ivec3 invocation() { return group() * ivec3(gl_WorkGroupSize) + ivec3(gl_LocalInvocationID); }
int layer() { return group().z; }
