// Light that leaves the sea: sky and sun reflected by the facets that a pixel holds, and light from the water below.
//
// What a pixel's footprint averages away of the waves, and what no map holds of them, is the covariance of its facets'
// slopes (Bruneton, Neyret and Holzschuch 2010).
#include "sky/radiance.glsl"
#include "surface/reflection.glsl"
#include "surface/crest.glsl"
#include "surface/foam.glsl"
#include "surface/roughness.glsl"

const float BUBBLES = 0.3, BUBBLE_DEPTH = 0.8;        // what a cloud of bubbles reflects, and how deep it is [m]
const float BUBBLE_SCATTERING = 1.25;                 // of such a cloud [1/m], but for what goes on almost straight
const float BLUR = 1.5;                               // ocean/waves/slopes.py says why

// Of those that a pixel's footprint on still water, with sides in metres, does not show. Averaged over a length, more is
// lost of the slopes along it, a unit vector, than of those across.
vec4 unresolved_slopes(float shorter, float longer, vec2 along) {
    float side = max(max(shorter, longer / anisotropy), 1e-4), o = log2(max(longer / side, 1.0));
    vec4 across = slopes_beyond(BLUR / side * exp2(-0.105 * o * o));
    if (o == 0.0) return across;
    vec4 more = slopes_beyond(BLUR / side * exp2(-(o < 2.2 ? 0.23 * o * o : o - 1.1))) - across;
    float variance = along.x * along.x * more.x + along.y * along.y * more.y + 2.0 * along.x * along.y * more.z;
    return across + vec4(max(variance, 0.0) * vec3(along * along, along.x * along.y), 0.5 * more.a);
}

// The parts of the light that leaves water; each as it counts.
struct WaterLight {
    vec3 sky;        // reflected
    vec3 glitter;    // the sun, reflected
    vec3 upwelling;  // from below
    vec3 through;    // through crests
};

vec3 radiance_of(WaterLight parts) { return parts.sky + parts.glitter + parts.upwelling + parts.through; }

// Where a facet mirrors: what would go down meets the sea again, and then the sky.
vec3 mirrored(vec3 V, vec3 facet) {
    vec3 R = reflect(-V, facet);
    return normalize(vec3(R.x, max(R.y, 0.0), R.z));
}

// Radiance towards the eye of water with mean normal N, seen from a direction V, whose facets' slopes scatter by
// `covariance`, and for the sun as its `glints` do, on a `wave` as wave_at has it; `bubbles` says how many there
// are in it (0 to 1), `sunlight_` is the irradiance of the sun that reaches it.
WaterLight water_light(vec3 N, vec3 V, vec3 covariance, Glints glints, vec2 wave, float bubbles, vec3 sunlight_) {
    vec2 slope = -N.xz / N.y, lean = leaning(V, covariance);
    float m = facing(V, slope), s = facing_deviation(V, lean);
    float sigma = s * inversesqrt(max(1.0 - V.y * V.y, 1e-6));  // of slopes along the view

    Mirror facets = mirror(slope, lean, m, s);
    float reflectance = facets.reflectance;
    vec3 seen_facet = normalize(vec3(-facets.seen.x, 1.0, -facets.seen.y));
    float across = sqrt(max(covariance.x + covariance.y - sigma * sigma, 0.0));
    // Slopes turn the reflection twice as far along the view, and less across it the more it grazes.
    vec3 facet = normalize(vec3(-facets.slope.x, 1.0, -facets.slope.y));
    float wide = 2.0 * across * max(dot(V, facet), 0.02), mean_square = 2.0 * sigma * wide;
    float length_ = 2.0 * max(length(facets.apart), 1e-6);
#if HIDES
    // Clouds have edges: several looks along that strip, each as wide as it is, and as far apart as leaves it its length.
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
    // The wider a lobe is than the aureole, the more of what it has of that gives way to what facets mirror of it.
    float blur = mean_square / (mean_square + AUREOLE * AUREOLE), area = visible_area(m, s);
    vec4 bright = vec4(blur, blur, blur, 1.0) * light.aureole;
    vec3 R = reflect(-V, facet);
    float of_facets = aureole_reflection(V, sun.xyz, slope, covariance, R, blur, length_, area, bright.a);
    vec3 sky = reflectance * max(reflected.rgb - reflected.a * bright.rgb, 0.0) + of_facets * bright.rgb;

    vec3 albedo = water_albedo.rgb + bubbles * BUBBLES * exp(-2.0 * BUBBLE_DEPTH * water_extinction.rgb);
    vec3 upwelling = albedo / PI * (sunlight_ * max(sun.y, 0.0) + sky_irradiance());
    vec3 scattering = water_scattering.rgb + bubbles * BUBBLE_SCATTERING;
    vec3 through = sunlight_ * crest_light(seen_facet, V, sun.xyz, wave, scattering, water_extinction.rgb + scattering);

    // What waves hide of the sun is all their slopes' doing, shown or not: no drawn wave casts a shadow on another.
    float lit = lit_share(V, sun.xyz, slopes_of_all.rgb);
    vec3 glitter = sun_reflection(V, sun.xyz, glints, lit) * sunlight_;
    return WaterLight(sky, glitter, (1.0 - reflectance) * upwelling, (1.0 - reflectance) * through);
}
