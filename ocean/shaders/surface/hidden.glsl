// Waves hide each other where the sea is seen at low angles, and only the mesh knows which. Maps and mesh show waves down to
// different lengths, so one has to make up for what the other lacks; `light/reflection.py` says the same. Needs
// surface/reflection.glsl.

const float MESH_BLUR = 1.3;   // ocean/waves/slopes.py says why
const float MESH_SHARE = 0.8;  // of the mesh's slope where it shows more: all of it would be right, but restless

// Shades with what the mesh shows at a pixel: `face` is a normal of its triangle, `coarse` the covariance of the slopes that
// the mesh does not show, and its cells may be `finer` than a footprint is long. N and covariance are the maps' until then.
// Returns by how much the pixel counts. For the sun's glitter `glints` are the covariance about N's slope, and what the
// facets show to the eye over what the pixel counts.
//
// Where the mesh shows waves that the maps do not its own slope is that of what is not hidden. Elsewhere facets that the mesh
// does not have cover more of the picture or less than the triangle that bears them: as much as they show to the eye. A
// triangle that is seen shows its front. Close by both show all waves that there are, and the maps are smoother.
float meet_mesh(vec3 face, vec3 coarse, bool finer, vec3 V, inout vec3 N, inout vec3 covariance, out vec4 glints) {
    face = normalize(face.y < 0.0 ? -face : face);
    face = normalize(vec3(face.x, max(face.y, 0.02), face.z));
    float s_mesh = facing_deviation(V, leaning(V, coarse)), s = facing_deviation(V, leaning(V, covariance));
    float mesh = visible_area(max(facing(V, -face.xz / face.y), 0.0), s_mesh);
    if (finer && s_mesh != s) {
        N = normalize(mix(N, face, MESH_SHARE));
        float left = s_mesh < s ? MESH_SHARE * MESH_SHARE : 1.0 - (1.0 - MESH_SHARE) * (1.0 - MESH_SHARE);
        glints = vec4(mix(covariance, coarse, left), mesh);
        covariance = mix(covariance, coarse, MESH_SHARE);
        return 1.0;
    }
    float fine = visible_area(facing(V, -N.xz / N.y), s);
    glints = vec4(covariance, fine);
    return s_mesh == s ? 1.0 : fine / mesh;
}

// The strain c (Dxx + Dzz) of a triangle that takes steps on still water, the columns of `from`, to those of `onto`.
float mesh_strain(mat2 from, mat2 onto) {
    float area = determinant(from);
    return area == 0.0 ? 0.0 : (determinant(mat2(onto[0], from[1])) + determinant(mat2(from[0], onto[1]))) / area - 2.0;
}
