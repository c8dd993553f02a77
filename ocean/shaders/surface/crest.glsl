// The sun's light through a crest that stands between it and the eye; `light/crests.py` says the same, and why. Needs
// surface/reflection.glsl.

const float WATER_ASYMMETRY = 0.48;  // of scattering in water, mean cosine: without the light that goes on almost straight

const float LONGEST = 1e4;           // m: waves are shorter

// Henyey and Greenstein 1941.
float water_phase(float cosine) {
    float g = WATER_ASYMMETRY;
    return (1.0 - g * g) / (4.0 * PI * pow(1.0 + g * g - 2.0 * g * cosine, 1.5));
}

// How far a point of a wave is from the level of its troughs, and level with it from the wave's other side [m], by its
// height, slope and strain -(Dxx + Dzz): those of a sine wave are a cos kx, ak sin kx and ak cos kx.
vec2 wave_at(float height, float slope, float strain) {
    float wavelength = min(height / strain, LONGEST);  // over 2 pi
    if (!(wavelength > 0.0)) return vec2(0.0);
    return wavelength * vec2(strain + length(vec2(strain, slope)), 2.0 * atan(slope, strain));
}

// Radiance towards V just under a surface with normal N, over INDEX² and the sun's irradiance on a surface that faces it,
// of what the crest's water above its troughs scatters forwards.
vec3 crest_light(vec3 N, vec3 V, vec3 L, vec2 wave, vec3 scattering, vec3 extinction) {
    vec3 beyond = vec3(-N.x, N.y, -N.z);  // normal of the crest's other side
    float up = dot(L, beyond);
    if (wave.x <= 0.0 || up <= 0.0) return vec3(0.0);
    vec3 lit = -refract(-L, beyond, 1.0 / INDEX), seen = refract(-V, N, 1.0 / INDEX);  // in the water: to the sun, of sight
    float into = dot(lit, beyond), nearing = dot(seen, beyond), thickness = wave.y * length(N.xz);
    float way = wave.x / max(-seen.y, 1e-3);  // to the troughs, or out on the other side
    if (nearing > 0.0) way = min(way, thickness / max(nearing, 1e-3));
    vec3 first = extinction * thickness / into, last = first + extinction * (1.0 - nearing / into) * way, x = last - first;
    vec3 kept = exp(-first), gathered = way * mix((kept - exp(-last)) / x, kept * (1.0 - 0.5 * x), lessThan(abs(x), vec3(1e-3)));
    float forwards = max(water_phase(dot(lit, seen)) - water_phase(0.0), 0.0);
    float entered = (1.0 - fresnel(up, 1.0 / INDEX)) * up / into;
    return entered * forwards / (INDEX * INDEX) * scattering * gathered;
}
