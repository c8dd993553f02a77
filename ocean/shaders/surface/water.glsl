// Light that leaves the sea: sky and sun reflected by the facets of a pixel, and light from the water below.
//
// The waves that a pixel's footprint averages away, and those that no map resolves, become the covariance of the slopes
// of its facets (Bruneton, Neyret and Holzschuch 2010).
#include "sky/radiance.glsl"
#include "surface/reflection.glsl"
#include "surface/crest.glsl"
#include "surface/roughness.glsl"

const float BUBBLES = 0.3, BUBBLE_DEPTH = 0.8;  // reflectance of a cloud of bubbles, and its depth [m]
const float BUBBLE_SCATTERING = 1.25;           // its scattering coefficient [1/m], without the forward peak
const float BLUR = 1.5;                         // a footprint of side s resolves wave numbers to BLUR / s: waves/slopes.py

// Statistics in the form of `slopes_beyond` of the waves that a footprint on still water does not resolve. Its sides
// are in metres; `along` is the unit vector of the longer side, over which slopes along it lose more than across it.
vec4 unresolved_slopes(float shorter, float longer, vec2 along) {
    float side = max(max(shorter, longer / anisotropy), 1e-4), o = log2(max(longer / side, 1.0));
    vec4 across = slopes_beyond(BLUR / side * exp2(-0.105 * o * o));
    if (o == 0.0) return across;
    vec4 more = slopes_beyond(BLUR / side * exp2(-(o < 2.2 ? 0.23 * o * o : o - 1.1))) - across;
    float variance = along.x * along.x * more.x + along.y * along.y * more.y + 2.0 * along.x * along.y * more.z;
    return across + vec4(max(variance, 0.0) * vec3(along * along, along.x * along.y), 0.5 * more.a);
}

// Parts of the radiance that leaves the water; their sum is the radiance.
struct WaterLight {
    vec3 sky;        // the sky, reflected
    vec3 glitter;    // the sun, reflected
    vec3 upwelling;  // light from the water below
    vec3 through;    // sunlight through crests
};

vec3 radiance_of(WaterLight parts) { return parts.sky + parts.glitter + parts.upwelling + parts.through; }

// Direction that a facet mirrors. Downward ones meet the sea again and are taken to the horizon.
vec3 mirrored(vec3 V, vec3 facet) {
    vec3 R = reflect(-V, facet);
    return normalize(vec3(R.x, max(R.y, 0.0), R.z));
}

// Radiance towards V of water with mean normal N, whose facets have the slope `covariance`, and for the sun's glitter
// the distribution `glints`. `wave` comes from `wave_at`; `bubbles` is 0 to 1; `sunlight_` is the sun's irradiance on a
// surface that faces it, in the clouds' shadow.
WaterLight water_light(vec3 N, vec3 V, vec3 covariance, Glints glints, vec2 wave, float bubbles, vec3 sunlight_) {
    vec2 slope = -N.xz / N.y, lean = leaning(V, covariance);
    float m = facing(V, slope), s = facing_deviation(V, lean);
    float sigma = s * inversesqrt(max(1.0 - V.y * V.y, 1e-6));  // standard deviation of slopes along the view

    Mirror facets = mirror(slope, covariance.x + covariance.y, lean, m, s);
    float reflectance = facets.reflectance;
    vec3 seen_facet = normalize(vec3(-facets.seen.x, 1.0, -facets.seen.y));
    float across = sqrt(max(covariance.x + covariance.y - sigma * sigma, 0.0));
    // The lobe's standard deviations [rad]: twice the slopes' along the view; less across it at grazing angles.
    vec3 facet = normalize(vec3(-facets.slope.x, 1.0, -facets.slope.y));
    float wide = 2.0 * across * max(dot(V, facet), 0.02), mean_square = 2.0 * sigma * wide;
    float length_ = 2.0 * max(length(facets.apart), 1e-6);
#if HIDES
    // Clouds have edges, so four samples as wide as the lobe lie along it and keep its length.
    float spread = max(LOOK * length_, min(wide, sqrt(wide * length_)));
    vec2 apart = facets.apart * sqrt(max(1.0 - spread * spread / (length_ * length_), 0.0) / (1.0 - LOOK * LOOK));
    vec4 reflected = vec4(0.0);
    int i = 0;
    do {
        vec2 tilt = facets.slope + LOOKS[i] * apart;
        reflected += 0.25 * sky_radiance(mirrored(V, normalize(vec3(-tilt.x, 1.0, -tilt.y))), spread);
    } while (++i < 4);
#else
    vec4 reflected = sky_radiance(mirrored(V, facet), sqrt(mean_square));
#endif
    // The wider the lobe, the more the aureole's part of the blurred sky is replaced by its analytic reflection.
    float blur = mean_square / (mean_square + AUREOLE * AUREOLE), area = visible_area(m, s);
    vec4 bright = vec4(blur, blur, blur, 1.0) * light.aureole;
    vec3 R = reflect(-V, facet);
    float of_facets = aureole_reflection(V, sun.xyz, slope, covariance, R, blur, length_, area, bright.a);
    vec3 sky = reflectance * max(reflected.rgb - reflected.a * bright.rgb, 0.0) + of_facets * bright.rgb;

    vec3 albedo = water_albedo.rgb + bubbles * BUBBLES * exp(-2.0 * BUBBLE_DEPTH * water_extinction.rgb);
    vec3 upwelling = albedo / PI * (sunlight_ * max(sun.y, 0.0) + sky_irradiance());
    vec3 scattering = water_scattering.rgb + bubbles * BUBBLE_SCATTERING;
    vec3 through = sunlight_ * crest_light(seen_facet, V, sun.xyz, wave, scattering, water_extinction.rgb + scattering);

    // Shadowing of the sun follows from the slopes of all waves, since drawn waves cast no shadows on each other.
    float lit = lit_share(V, sun.xyz, slopes_of_all.rgb);
    vec3 glitter = sun_reflection(V, sun.xyz, glints, lit) * sunlight_;
    return WaterLight(sky, glitter, (1.0 - reflectance) * upwelling, (1.0 - reflectance) * through);
}
