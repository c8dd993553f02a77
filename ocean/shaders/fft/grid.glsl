// The position of an invocation in a grid of work groups, which the host may split into several dispatches. A group
// transforms GROUP_LAYERS layers, one or two, in turn. With LAYERS_FIRST the groups of one line in all layers are
// consecutive, so that their common data are still in the caches. For the same reason columns begin with the last layer
// of the rows.

uniform ivec3 first_group;

int group_layer = 0;  // number of the current layer in the group

ivec3 group() {
    ivec3 there = ivec3(gl_WorkGroupID);
    if (AXIS == 1) there.z = int(gl_NumWorkGroups.z) - 1 - there.z;
    there += first_group;
    return bool(LAYERS_FIRST) ? there.zyx : there;
}
int layer() { return group().z * GROUP_LAYERS + group_layer; }

// Repeats code for each layer of the group, written out so that compilers know group_layer.
#if GROUP_LAYERS == 2
#define FOR_GROUP_LAYERS(transform) transform; group_layer = 1; transform;
#else
#define FOR_GROUP_LAYERS(transform) transform;
#endif
