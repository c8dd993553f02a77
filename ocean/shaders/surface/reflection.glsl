// How a rough sea reflects: facets whose slopes are Gaussian about the slope of the drawn surface (Bruneton, Neyret and
// Holzschuch 2010). ocean/light/reflection.py says the same, and why.
//
// Slopes are (dh/dx, dh/dz), covariances (xx, zz, xz); directions are unit vectors away from the water.

const float INDEX = 1.34;            // of refraction, of sea water against air
const float F0 = 0.0211119;          // reflectance at normal incidence
const float SUN_SLOPES = 1e-5;       // variance by which the sun's disc and a pixel's optics blur its reflection

// Cosine to the normal of a refracted ray, where the ray's own is given and `ratio` is the index of refraction on its side
// over that on the other; 0 beyond the critical angle.
float refracted_cosine(float cosine, float ratio) { return sqrt(max(1.0 - ratio * ratio * (1.0 - cosine * cosine), 0.0)); }

// Share of unpolarised light that level water reflects, where the ray's cosine is given and that of what is refracted: 1
// beyond the critical angle.
float fresnel(float cosine, float other, float ratio) {
    float s = (ratio * cosine - other) / (ratio * cosine + other), p = (cosine - ratio * other) / (cosine + ratio * other);
    return 0.5 * (s * s + p * p);
}

float fresnel(float cosine, float ratio) {
    float c = max(cosine, 1e-6);
    return fresnel(c, refracted_cosine(c, ratio), ratio);
}

// Reflectance averaged over the facets that are seen, with slopes of this deviation along the view (equation 18).
float mean_fresnel(float cosine, float sigma) {
    return F0 + (1.0 - F0) * pow(clamp(1.0 - cosine, 1e-6, 1.0), 5.0 * exp(-2.69 * sigma)) / (1.0 + 22.7 * sigma * sqrt(sigma));
}

// What facets of a slope show to a direction, over the area of sea that they stand on; below 0 their backs.
float facing(vec3 direction, vec2 slope) { return direction.y - dot(direction.xz, slope); }

// What facets lean towards a direction, and the deviation of `facing` over them.
vec2 leaning(vec3 direction, vec3 covariance) {
    return vec2(covariance.x * direction.x + covariance.z * direction.z, covariance.z * direction.x + covariance.y * direction.z);
}

float facing_deviation(vec3 direction, vec2 lean) { return sqrt(max(dot(direction.xz, lean), 1e-12)); }

// Mean of a Gaussian of mean m and deviation s, backs counted as 0: m over Smith's masking (Walter et al. 2007's rational
// form of it, which is 0.6 % of s off at most).
float visible_area(float m, float s) {
    float a = abs(m) / (1.41421356 * s);
    float beyond = a < 1.6 ? 1.41421356 * s * (1.0 - 1.259 * a + 0.396 * a * a) / (3.535 + 2.181 * a) : 0.0;
    return max(m, 0.0) + beyond;
}

// Mean slope of the facets that are seen, weighed by what they show: they lean towards the eye.
vec2 visible_slope(vec2 slope, vec2 lean, float m, float s, float area) {
    return slope - lean / ((1.0 + exp(-1.702 * m / s)) * max(area, 1e-6));  // the normal distribution, to 0.01
}

float slope_density(vec2 slope, vec3 covariance) {
    float det = covariance.x * covariance.y - covariance.z * covariance.z;
    float square = covariance.y * slope.x * slope.x + covariance.x * slope.y * slope.y - 2.0 * covariance.z * slope.x * slope.y;
    return exp(-0.5 * square / det) / (2.0 * PI * sqrt(det));
}

// Radiance towards the eye over the sun's irradiance on a surface that faces it [1/sr]; `seen` is visible_area for the eye.
float sun_reflection(vec3 V, vec3 L, vec2 slope, vec3 covariance, float seen) {
    vec3 H = normalize(V + L);
    float m = facing(L, slope), up = max(H.y, 1e-3), up2 = up * up;
    if (m <= 0.0 || H.y <= 0.0) return 0.0;
    float lit = visible_area(m, facing_deviation(L, leaning(L, covariance)));
    float shadow = max(facing(V, slope), 0.0) * (lit / max(m, 1e-6) - 1.0);
    float density = slope_density(-H.xz / up - slope, covariance + vec3(SUN_SLOPES, SUN_SLOPES, 0.0));
    return fresnel(clamp(dot(V, H), 0.0, 1.0), 1.0 / INDEX) * density / (4.0 * up2 * up2 * max(seen + shadow, 1e-6));
}
