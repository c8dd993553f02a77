// Sunlight that a crest between sun and eye scatters towards the eye. tests/reference/crests.py is the reference in
// float64 and derives the formulas. Needs surface/reflection.glsl.

const float WATER_ASYMMETRY = 0.48;  // mean cosine of scattering in water, without the forward peak
const float LONGEST = 1e4;           // m: bound of wavelength / 2 pi

// Phase function of scattering in water [1/sr] (Henyey and Greenstein 1941).
float water_phase(float cosine) {
    const float g = WATER_ASYMMETRY;
    float straight = 1.0 + g * g - 2.0 * g * cosine;
    return (1.0 - g * g) / (4.0 * PI * straight * sqrt(straight));
}

// Height of a point above the troughs of its wave (x), and horizontal distance to the other side of the crest (y), both
// in metres. The wave is taken for a sine: height a cos kx, slope ak sin kx and strain -(Dxx + Dzz) = ak cos kx.
vec2 wave_at(float height, float slope, float strain) {
    float wavelength = min(height / strain, LONGEST);  // divided by 2 pi [m]
    if (!(wavelength > 0.0)) return vec2(0.0);
    float steepness = length(vec2(strain, slope));
    return wavelength * vec2(strain + steepness, 2.0 * acos(clamp(strain / steepness, -1.0, 1.0)));
}

// Direction in water of the ray -V after refraction at a face with normal N, by Snell's law. `cosine` belongs to the
// angle of incidence, `inside` is the cosine of the angle of refraction.
vec3 refracted_ray(vec3 V, vec3 N, float cosine, float inside) { return (cosine / INDEX - inside) * N - V / INDEX; }

// Sunlight that the water above the troughs scatters forwards: radiance towards V just under a surface with normal N,
// divided by INDEX² and by the irradiance of the sun on a surface that faces it [1/sr]. `wave` comes from `wave_at`,
// `scattering` and `extinction` are coefficients of the water [1/m].
vec3 crest_light(vec3 N, vec3 V, vec3 L, vec2 wave, vec3 scattering, vec3 extinction) {
    vec3 beyond = vec3(-N.x, N.y, -N.z);  // normal on the other side of the crest
    float up = dot(L, beyond), in_sight = dot(V, N);
    if (wave.x <= 0.0 || up <= 0.0) return vec3(0.0);
    float into = refracted_cosine(up, 1.0 / INDEX);
    vec3 lit = -refracted_ray(L, beyond, up, into);
    vec3 seen = refracted_ray(V, N, in_sight, refracted_cosine(in_sight, 1.0 / INDEX));
    float nearing = dot(seen, beyond), thickness = wave.y * length(N.xz);
    float path = wave.x / max(-seen.y, 1e-3);  // until the ray reaches the troughs or leaves the crest
    if (nearing > 0.0) path = min(path, thickness / max(nearing, 1e-3));
    // Optical depth of the sunlight's path plus the view ray's, at both ends of the view ray.
    vec3 first = extinction * (thickness / into), last = first + extinction * ((1.0 - nearing / into) * path);
    vec3 x = last - first, kept = exp(-first);
    vec3 mean_kept = mix((kept - exp(-last)) / x, kept * (1.0 - 0.5 * x), lessThan(abs(x), vec3(1e-3)));
    float forwards = max(water_phase(dot(lit, seen)) - water_phase(0.0), 0.0);
    float entered = (1.0 - fresnel(up, into, 1.0 / INDEX)) * up / into;
    return (entered * forwards * path / (INDEX * INDEX)) * scattering * mean_kept;
}
