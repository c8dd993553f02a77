// Waves hide each other where the sea is seen at low angles, and only the mesh knows which. Maps and mesh show waves down to
// different lengths, so one has to make up for what the other lacks; `light/reflection.py` says the same. Needs
// surface/reflection.glsl.

const float MESH_SHARE = 0.8;  // of the mesh's slope where it shows more: all of it would be right, but restless

// Shades with what the mesh shows at a pixel: `face` is a normal of its triangle, `coarse` the covariance of the slopes that
// the mesh does not show, and its cells may be `finer` than a footprint is long. N and covariance are the maps' until then;
// `glints` are for the sun's glitter.
//
// Where the mesh shows waves that the maps do not its own slope is that of what is not hidden. Elsewhere maps show slopes
// that the triangle lacks, and of these more is seen where they face the eye: N's slope, Gaussian about the triangle's, is
// moved and narrowed to the mean and the variance of what is seen. Close by both show all waves that there are, and the
// maps are smoother.
void combine_with_mesh(vec3 face, vec3 coarse, bool finer, vec3 V, inout vec3 N, inout vec3 covariance, out Glints glints) {
    face = normalize(face.y < 0.0 ? -face : face);
    face = normalize(vec3(face.x, max(face.y, 0.02), face.z));
    float s_mesh = facing_deviation(V, leaning(V, coarse)), s = facing_deviation(V, leaning(V, covariance));
    vec2 slope = -N.xz / N.y;
    glints = Glints(slope, covariance, visible_area(facing(V, slope), s));
    if (s_mesh == s) return;
    float m = max(facing(V, -face.xz / face.y), 0.0);  // a triangle that is seen shows its front
    vec3 shows = shown(m, s_mesh);
    glints.area = shows.x;
    if (finer) {
        N = normalize(mix(N, face, MESH_SHARE));
        float left = s_mesh < s ? MESH_SHARE * MESH_SHARE : 1.0 - (1.0 - MESH_SHARE) * (1.0 - MESH_SHARE);
        glints = Glints(-N.xz / N.y, mix(covariance, coarse, left), shows.x);
        covariance = mix(covariance, coarse, MESH_SHARE);
        return;
    }
    vec2 lean = leaning(V, coarse - covariance);
    float first = shows.y / shows.x, second = shows.z / shows.x - first * first;
    float narrower = second / (1.0 + sqrt(max(1.0 + dot(V.xz, lean) * second, 0.0)));
    slope -= lean * (first + narrower * (facing(V, slope) - m));
    N = normalize(vec3(-slope.x, 1.0, -slope.y));
}
