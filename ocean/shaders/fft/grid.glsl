// Where an invocation stands in a grid of work groups that the host may have split into several dispatches.

uniform ivec3 first_group;

ivec3 group() { return first_group + ivec3(gl_WorkGroupID); }
int layer() { return group().z; }
