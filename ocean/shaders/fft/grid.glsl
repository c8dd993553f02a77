// Where an invocation stands in a grid of work groups that the host may have split into several dispatches. A group
// works on GROUP_LAYERS layers, one after the other.

uniform ivec3 first_group;

int group_layer = 0;  // which of them

ivec3 group() { return first_group + ivec3(gl_WorkGroupID); }
int layer() { return group().z * GROUP_LAYERS + group_layer; }

#define FOR_GROUP_LAYERS for (group_layer = 0; group_layer < GROUP_LAYERS; ++group_layer)
