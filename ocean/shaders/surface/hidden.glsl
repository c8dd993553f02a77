// Occlusion of waves by waves. At low angles waves hide each other, which only the mesh resolves. Mesh and filtered
// maps resolve waves down to different lengths, so the slope combines both. tests/reference/hidden.py is the reference
// in float64. Needs surface/reflection.glsl.

const float MESH_SHARE = 0.8;  // weight of the mesh's slope where it is finer: 1 is right on average, but flickers

// Combines normal and slope covariance of the filtered maps (N, covariance) with the mesh. `face` is the normal of the
// visible triangle, `coarse` the covariance of the slopes that the mesh does not resolve; `finer` says that its cells
// are shorter than the footprint. `glints` receives the slopes for the sun's glitter.
//
// Where the mesh is finer, the slope of the visible triangle is not hidden. Elsewhere the maps resolve slopes that the
// triangle lacks, and slopes that face the eye are seen more. The slope is then a Gaussian about the triangle's slope,
// and only its visible part counts. Close to the eye, where both resolve all waves, the maps are used, since they are
// smoother.
void combine_with_mesh(vec3 face, vec3 coarse, bool finer, vec3 V, inout vec3 N, inout vec3 covariance, out Glints glints) {
    face = normalize(face.y < 0.0 ? -face : face);
    face = normalize(vec3(face.x, max(face.y, 0.02), face.z));
    float s_mesh = facing_deviation(V, leaning(V, coarse)), s = facing_deviation(V, leaning(V, covariance));
    vec2 slope = -N.xz / N.y;
    glints = Glints(slope, covariance, visible_area(facing(V, slope), s));
    if (s_mesh == s) return;
    float m = max(facing(V, -face.xz / face.y), 0.0);  // a visible triangle shows its front
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
