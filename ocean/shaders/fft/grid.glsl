// Where an invocation stands in a grid of work groups that the host may have split into several dispatches. A group
// works on GROUP_LAYERS layers, one or two, one after the other. With LAYERS_FIRST the groups of one line in all layers
// follow each other, so that what they share is still in the caches. Columns begin with the layer that rows have ended
// with, for the same reason.

uniform ivec3 first_group;

int group_layer = 0;  // which of them

ivec3 group() {
    ivec3 there = ivec3(gl_WorkGroupID);
    if (AXIS == 1) there.z = int(gl_NumWorkGroups.z) - 1 - there.z;
    there += first_group;
    return bool(LAYERS_FIRST) ? there.zyx : there;
}
int layer() { return group().z * GROUP_LAYERS + group_layer; }

// For each of the group's layers, spelled out so that compilers know which one it is.
#if GROUP_LAYERS == 2
#define FOR_GROUP_LAYERS(transform) transform; group_layer = 1; transform;
#else
#define FOR_GROUP_LAYERS(transform) transform;
#endif
