// List of the texels of the cloud map that need a ray of their own, and the dispatch that marches them.
const uint GROUPS_IN_ROW = 256u;  // work groups

layout(std430, binding = STORAGE_CLOUD_LIST) buffer CloudList {
    uint groups_x, groups_y, groups_z;  // x is GROUPS_IN_ROW, z is 1
    uint listed_count;
    uint listed[];  // column, and row times 2^16
};
