// Reflection by a rough sea: facets whose slopes have a Gaussian distribution about the slope of the drawn surface
// (Bruneton, Neyret and Holzschuch 2010). tests/reference/reflection.py is the reference in float64 and derives the
// formulas.
//
// Slopes are (dh/dx, dh/dz), covariances (xx, zz, xz); directions are unit vectors away from the water.
#include "sky/environment.glsl"

const float INDEX = 1.34;       // index of refraction of sea water against air
// Coefficients of a polynomial in the cosine for Fresnel's reflectance, exact to 1.5 %.
const float FRESNEL[7] = float[7](0.9892, -5.875, 16.7882, -28.2638, 28.5349, -15.8824, 3.7303);
const float SUN_SLOPES = 1e-5;  // slope variance with the blur of the sun's disc and a pixel's optics
// Offsets of the samples of the mirrored sky along the lobe, and the width of each sample, both in standard deviations.
const float LOOKS[4] = float[4](-1.1, -0.55, 0.2, 1.45), LOOK = 0.3;
const float GRAZING = 0.002;    // smallest sine of elevation: half the sun's radius, of a sun whose centre has set

// Cosine to the normal of a refracted ray from the incident ray's cosine; 0 beyond the critical angle. `ratio` is the
// index of refraction on the incident side divided by that on the other side.
float refracted_cosine(float cosine, float ratio) { return sqrt(max(1.0 - ratio * ratio * (1.0 - cosine * cosine), 0.0)); }

// Fresnel reflectance for unpolarised light, from the cosines of the incident ray and of the refracted one (`other`); 1
// beyond the critical angle.
float fresnel(float cosine, float other, float ratio) {
    float s = (ratio * cosine - other) / (ratio * cosine + other), p = (cosine - ratio * other) / (cosine + ratio * other);
    return 0.5 * (s * s + p * p);
}

float fresnel(float cosine, float ratio) {
    float c = max(cosine, 1e-6);
    return fresnel(c, refracted_cosine(c, ratio), ratio);
}

// Projected area of a facet with a slope in a direction, per unit area of still water; negative if it faces away.
float facing(vec3 direction, vec2 slope) { return direction.y - dot(direction.xz, slope); }

// The covariance matrix of the slopes times the horizontal part of a direction.
vec2 leaning(vec3 direction, vec3 covariance) {
    return vec2(dot(covariance.xz, direction.xz), dot(covariance.zy, direction.xz));
}

// Standard deviation of `facing` over facets; `lean` comes from `leaning`.
float facing_deviation(vec3 direction, vec2 lean) { return sqrt(max(dot(direction.xz, lean), 1e-12)); }

// Mean visible area of facets, the mean of max(x, 0) for a Gaussian x with mean m and standard deviation s: m divided
// by Smith's masking function, in the rational form of Walter et al. (2007), exact to 0.6 % of s.
float visible_area(float m, float s) {
    float a = abs(m) / (1.41421356 * s);
    float beyond = a < 1.6 ? 1.41421356 * s * (1.0 - 1.259 * a + 0.396 * a * a) / (3.535 + 2.181 * a) : 0.0;
    return max(m, 0.0) + beyond;
}

// Visible area (x) with an error of 1.5e-7 s (Abramowitz and Stegun 7.1.26), and its first two derivatives with respect
// to m: the fraction of facets that face the direction (y), and the density of edge-on facets (z).
vec3 shown(float m, float s) {
    float x = abs(m) / (1.41421356 * s), g = exp(-x * x), t = 1.0 / (1.0 + 0.3275911 * x);
    float beyond = 0.5 * g * t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
    float share = m < 0.0 ? beyond : 1.0 - beyond;
    return vec3(m * share + 0.39894228 * s * g, share, 0.39894228 * g / s);
}

// Mean reflection of the visible facets.
struct Mirror {
    float reflectance;  // mean over the visible area
    vec2 slope;  // mean slope, weighted by visible area and reflectance
    vec2 seen;   // mean slope, weighted by visible area alone
    vec2 apart;  // standard deviation of the reflecting slopes about their mean, along the view
};

// Averages Fresnel's formula and the slopes of facets over their visible area. Reflecting facets lean away from the eye
// compared with visible ones, because reflectance rises towards grazing angles. The moments of visible area,
// E_k = m E_(k-1) + (k - 1) s² E_(k-2), and the polynomial for Fresnel's formula give the mean weight R and its
// derivatives with respect to m. Weighted facets have the mean m + s² R' / R and the variance s² + s⁴ (R'' / R - (R' /
// R)²). These forms lose no digits of float32 where s is small.
//
// A facet's cosine is its visible area divided by sqrt(1 + |slope|²), for which the mean |slope|² over visible area is
// taken. Of slopes with the variance `roughness`, visible ones have roughness + (|lean|² / s²) (1 - m q - s² q²), with
// q = E_0 / E_1.
Mirror mirror(vec2 slope, float roughness, vec2 lean, float m, float s) {
    m = max(m, -1.5 * s);  // if almost all facets face away, visible area vanishes
    vec3 shows = shown(m, s);
    float q = shows.y / shows.x;
    vec2 tilt = slope - lean * q;
    roughness += dot(lean, lean) / (s * s) * (1.0 - q * (m + s * s * q));
    float upright = inversesqrt(1.0 + dot(tilt, tilt) + roughness), mean = m * upright, variance = s * s * upright * upright;
    float before = 0.0, moment = shows.y, next = shows.x * upright, area = next;
    float reflected = 0.0, first = 0.0, second = FRESNEL[0] * shows.z / upright;  // sum, and derivatives by the mean
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

// Probability density of a slope, Gaussian about 0.
float slope_density(vec2 slope, vec3 covariance) {
    float det = covariance.x * covariance.y - covariance.z * covariance.z;
    float square = covariance.y * slope.x * slope.x + covariance.x * slope.y * slope.y
        - 2.0 * covariance.z * slope.x * slope.y;
    return exp(-0.5 * square / det) / (2.0 * PI * sqrt(det));
}

// Fraction of the facets visible to the eye that the sun lights too, for a level sea with this slope covariance: Smith's
// masking and shadowing, correlated by height (Ross, Dion and Potvin 2005).
float lit_share(vec3 V, vec3 L, vec3 covariance) {
    float v = max(V.y, GRAZING), l = max(L.y, GRAZING);
    float to_eye = visible_area(v, facing_deviation(V, leaning(V, covariance))) / v;
    float to_sun = visible_area(l, facing_deviation(L, leaning(L, covariance))) / l;
    return to_eye / (to_eye + to_sun - 1.0);
}

// Distribution of the facets that make the sun's glitter.
struct Glints {
    vec2 slope;  // mean
    vec3 covariance;
    float area;  // visible area per unit area of sea
};

// Radiance of the sun's glitter towards the eye, divided by the sun's irradiance on a surface that faces it [1/sr];
// `lit` is the fraction of visible facets that the sun lights.
float sun_reflection(vec3 V, vec3 L, Glints glints, float lit) {
    vec3 H = normalize(V + L);
    float up = max(H.y, 1e-3), up2 = up * up;
    if (H.y <= 0.0) return 0.0;
    float density = slope_density(-H.xz / up - glints.slope, glints.covariance + vec3(SUN_SLOPES, SUN_SLOPES, 0.0));
    float reflectance = fresnel(clamp(dot(V, H), 0.0, 1.0), 1.0 / INDEX);
    return reflectance * density * lit / (4.0 * up2 * up2 * max(glints.area, 1e-6));
}

// Cumulative distribution function of the standard normal distribution, with an error of 0.0095.
float normal_share(float x) { return 1.0 / (1.0 + exp(-1.702 * x)); }

// Radiance towards the eye of the reflection of an aureole about the sun, whose radiance in the centre is 1. The facets
// have a mean `slope`, a slope `covariance` and the visible area `seen`; they mirror a lobe around R with the standard
// deviation `reach` in elevation [rad]. `wide` is the lobe's variance divided by the sum of lobe's and aureole's, `low`
// the aureole's radiance on the horizon.
float aureole_reflection(vec3 V, vec3 L, vec2 slope, vec3 covariance, vec3 R, float wide, float reach, float seen, float low) {
    // Linearised about the direction that contributes most, the aureole is a Gaussian of slopes too.
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
    // Mean slope of the facets that mirror the aureole.
    vec2 mean = slope + vec2(dot(covariance.xz, weighed), dot(covariance.zy, weighed));
    float shown = max(facing(V, mean), 0.0);
    float whole = sqrt(det_own / det) * exp(-0.5 * max(dot(off, weighed), 0.0));
    // Below the horizon the environment continues with its value on the horizon.
    float across = sqrt(AUREOLE * AUREOLE + reach * reach), height = R.y - L.y;
    float above = normal_share((AUREOLE * AUREOLE * R.y + reach * reach * L.y) / (AUREOLE * reach * across));
    float below = low * normal_share(-R.y / reach);
    whole *= above + below / max(AUREOLE / across * exp(-0.5 * height * height / (across * across)), 0.1);
    return fresnel(shown * inversesqrt(1.0 + dot(mean, mean)), 1.0 / INDEX) * shown / max(seen, 1e-6) * whole;
}
