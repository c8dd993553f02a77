// How a rough sea reflects: facets whose slopes are Gaussian about the slope of the drawn surface (Bruneton, Neyret and
// Holzschuch 2010). ocean/light/reflection.py says the same, and why.
//
// Slopes are (dh/dx, dh/dz), covariances (xx, zz, xz); directions are unit vectors away from the water.
#include "sky/environment.glsl"

const float INDEX = 1.34;            // of refraction, of sea water against air
const float FRESNEL[7] = float[7](0.9892, -5.875, 16.7882, -28.2638, 28.5349, -15.8824, 3.7303);  // over the cosine, to 1.5 %
const float SUN_SLOPES = 1e-5;       // variance by which the sun's disc and a pixel's optics blur its reflection
const float LOOKS[4] = float[4](-1.1, -0.55, 0.2, 1.45), LOOK = 0.3;  // along what is mirrored, in its deviations
const float GRAZING = 0.002;         // of a sun whose middle has set, the height of what is up: half its radius

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

// The same more exactly, and its derivatives over m: the share of facets that is seen, and their density where backs begin
// (to 1.5e-7 of s, Abramowitz and Stegun 7.1.26).
vec3 shown(float m, float s) {
    float x = abs(m) / (1.41421356 * s), g = exp(-x * x), t = 1.0 / (1.0 + 0.3275911 * x);
    float beyond = 0.5 * g * t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
    float share = m < 0.0 ? beyond : 1.0 - beyond;
    return vec3(m * share + 0.39894228 * s * g, share, 0.39894228 * g / s);
}

// What the facets that are seen reflect, on average: their reflectance, and the slope of one that stands for all, where each
// counts by what it shows and reflects. The more it grazes a facet the brighter is what it mirrors, and the lower.
//
// Moments of what facets show, E_k = m E_(k-1) + (k - 1) s² E_(k-2), over a polynomial for Fresnel's formula make the mean R
// of what they count, and its derivatives over m. What counts has the mean m + s² R' / R and the variance
// s² + s⁴ (R'' / R - (R' / R)²): of these float32 loses nothing where s is small.
struct Mirror {
    float reflectance;
    vec2 slope;  // of what is reflected
    vec2 seen;   // the mean of what is seen, reflecting or not: facets lean towards the eye
    vec2 apart;  // deviation of what is reflected about its mean, along the view
};

Mirror mirror(vec2 slope, vec2 lean, float m, float s) {
    m = max(m, -1.5 * s);  // of backs alone nothing is seen
    vec3 shows = shown(m, s);
    vec2 tilt = slope - lean * (shows.y / shows.x);
    float upright = inversesqrt(1.0 + dot(tilt, tilt)), mean = m * upright, variance = s * s * upright * upright;
    float before = 0.0, moment = shows.y, next = shows.x * upright, area = next;
    float reflected = 0.0, first = 0.0, second = FRESNEL[0] * shows.z / upright;  // and derivatives over mean
    for (int k = 0; k < 7; ++k) {
        reflected += FRESNEL[k] * next;
        first += float(k + 1) * FRESNEL[k] * moment;
        second += float(k * (k + 1)) * FRESNEL[k] * before;
        float after = mean * next + float(k + 1) * variance * moment;
        before = moment;
        moment = next;
        next = after;
    }
    first /= reflected;
    float deviation = sqrt(max(1.0 + variance * (second / reflected - first * first), 0.0)) / s;
    return Mirror(reflected / area, slope - lean * (upright * first), tilt, -lean * deviation);
}

float slope_density(vec2 slope, vec3 covariance) {
    float det = covariance.x * covariance.y - covariance.z * covariance.z;
    float square = covariance.y * slope.x * slope.x + covariance.x * slope.y * slope.y - 2.0 * covariance.z * slope.x * slope.y;
    return exp(-0.5 * square / det) / (2.0 * PI * sqrt(det));
}

// Share of the facets which the eye sees that the sun sees too, of a level sea with slopes of a covariance: Smith's, and
// what stands high is seen by both (Ross, Dion and Potvin 2005).
float lit_share(vec3 V, vec3 L, vec3 covariance) {
    float v = max(V.y, GRAZING), l = max(L.y, GRAZING);
    float to_eye = visible_area(v, facing_deviation(V, leaning(V, covariance))) / v;
    float to_sun = visible_area(l, facing_deviation(L, leaning(L, covariance))) / l;
    return to_eye / (to_eye + to_sun - 1.0);
}

// Facets as the sun's glitter asks for them: slopes about their mean, and what they show to the eye.
struct Glints {
    vec2 slope;
    vec3 covariance;
    float area;
};

// Radiance towards the eye over the sun's irradiance on a surface that faces it [1/sr], of facets a share of which is `lit`.
float sun_reflection(vec3 V, vec3 L, Glints glints, float lit) {
    vec3 H = normalize(V + L);
    float up = max(H.y, 1e-3), up2 = up * up;
    if (H.y <= 0.0) return 0.0;
    float density = slope_density(-H.xz / up - glints.slope, glints.covariance + vec3(SUN_SLOPES, SUN_SLOPES, 0.0));
    return fresnel(clamp(dot(V, H), 0.0, 1.0), 1.0 / INDEX) * density * lit / (4.0 * up2 * up2 * max(glints.area, 1e-6));
}

// Share of a normal distribution below x, to 0.0095.
float normal_share(float x) { return 1.0 / (1.0 + exp(-1.702 * x)); }

// Radiance towards the eye of an aureole about the sun of radiance 1 in its middle, of facets about a slope whose area
// for the eye is `seen`, and which mirror about R, within `reach` up and down; `wide` is the share that they have of
// their variance and the aureole's, `low` what is left of the aureole on the horizon.
float aureole_reflection(vec3 V, vec3 L, vec2 slope, vec3 covariance, vec3 R, float wide, float reach, float seen, float low) {
    // About the direction that most comes from slopes go with directions: the aureole is a Gaussian of them.
    vec3 most = mix(R, L, wide);
    most = normalize(vec3(most.x, max(most.y, 1e-4), most.z));
    vec3 H = normalize(V + most), away = L - most;
    float up = max(H.y, 1e-3), twice = max(2.0 * dot(V, H), 2e-3), scale = AUREOLE / (twice * up);
    vec2 facet = -H.xz / up, q = most.xz + facet * most.y;
    vec2 off = facet - (away.xz + facet * away.y) / (twice * up) - slope;
    vec3 own = scale * scale * vec3(1.0 + facet * facet - q * q, facet.x * facet.y - q.x * q.y);
    vec3 both = covariance + own;
    float det_own = max(own.x * own.y - own.z * own.z, 0.0), det = max(both.x * both.y - both.z * both.z, 1e-12);
    vec2 weighed = vec2(both.y * off.x - both.z * off.y, both.x * off.y - both.z * off.x) / det;
    vec2 mean = slope + vec2(dot(covariance.xz, weighed), dot(covariance.zy, weighed));  // of facets that mirror it
    float shown = max(facing(V, mean), 0.0);
    float whole = sqrt(det_own / det) * exp(-0.5 * max(dot(off, weighed), 0.0));
    // Below the horizon the sky is as on it.
    float across = sqrt(AUREOLE * AUREOLE + reach * reach), height = R.y - L.y;
    float above = normal_share((AUREOLE * AUREOLE * R.y + reach * reach * L.y) / (AUREOLE * reach * across));
    float below = low * normal_share(-R.y / reach);
    whole *= above + below / max(AUREOLE / across * exp(-0.5 * height * height / (across * across)), 0.1);
    return fresnel(shown * inversesqrt(1.0 + dot(mean, mean)), 1.0 / INDEX) * shown / max(seen, 1e-6) * whole;
}
