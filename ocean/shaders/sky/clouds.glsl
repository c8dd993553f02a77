// Radiance and transmittance of the layer of clouds along a ray, by ray marching.
#include "sky/cloud_shape.glsl"
#include "sky/sky_view.glsl"
#include "sky/light.glsl"

const float DROPS = 0.85;                     // mean cosine of scattering by drops
const float DEFLECTED = 1.0 - DROPS * DROPS;  // fraction of scattering outside the forward peak (delta-Eddington)
const float DIFFUSION = 0.75 * (1.0 - DROPS);
const float REACH = 300.0;                    // m: distance in which the field hardly ever rises by more than 0.2

// Length of the path from a point of the layer towards the sun, in metres of the densest cloud. Four steps, whose
// lengths grow geometrically, cross the whole layer.
float depth_to_sun(vec2 p, float y, float grain) {
    const float FIRST = 0.05;  // 1 + growth + growth² + growth³ is nearly the way across over the first step
    // After sunset the path leads to the brightest part of the sky.
    vec3 d = vec3(sun_direction.x, max(sun_direction.y, 0.05), sun_direction.z);
    float growth = pow(1.0 / (FIRST * d.y), 1.0 / 3.0) - 0.4;
    float step = FIRST * clouds.z, depth = 0.0, ends[5];
    vec2 q[4];
    vec3 field[4];
    ends[0] = 0.0;
    for (int i = 0; i < 4; ++i) {  // all are read before any is used, so that they are waited for once
        q[i] = p + (ends[i] + 0.5 * step) * d.xz;
        field[i] = cloud_field(q[i], i < 2 ? max(grain, step) : min(step, 500.0));
        ends[i + 1] = ends[i] + step;
        step *= growth;
    }
    for (int i = 0; i < 4; ++i) {
        float low = y + ends[i] * d.y / clouds.z, high = y + ends[i + 1] * d.y / clouds.z, middle = 0.5 * (low + high);
        float fine = max(grain, ends[i + 1] - ends[i]);  // at least 50 m, and then 115 m: two octaves, and one
        float over = i < 2 ? worn_shape(q[i], field[i], middle, fine, 2 - i) : min(field[i].x, HIGHEST);
        depth += column(over, low, high) / d.y;
    }
    return depth;
}

// Length of the path from the point away from the sun, down to the base, in metres of the densest cloud. Erosion is
// left out, because multiple scattering blurs details.
float depth_from_sun(vec2 p, float y) {
    const float[4] SHARES = float[4](0.0, 0.125, 0.4, 1.0);
    vec3 d = vec3(sun_direction.x, max(sun_direction.y, 0.05), sun_direction.z);
    float depth = 0.0;
    for (int i = 0; i < 3; ++i) {
        float near = SHARES[i], far = SHARES[i + 1], middle = 0.5 * (near + far) * y * clouds.z / d.y;
        depth += column(min(cloud_field(p - middle * d.xz, 200.0).x, HIGHEST), (1.0 - far) * y, (1.0 - near) * y) / d.y;
    }
    return depth;
}

// Phase function [1/sr] (Henyey and Greenstein 1941).
float henyey_greenstein(float g, float cosine) {
    return (1.0 - g * g) / (4.0 * PI * pow(1.0 + g * g - 2.0 * g * cosine, 1.5));
}

// Radiance inside a layer divided by the irradiance on one of its sides [1/sr], by Eddington's approximation. `near`
// and `far` are the optical depths towards that side and the other; `along` is the cosine between the ray and the
// light.
float eddington_light(float near, float far, float along) {
    return max(0.5 + DIFFUSION * far + 0.75 * DROPS * along, 0.0) / (1.0 + DIFFUSION * (near + far)) / PI;
}

// Distances [m] between which a ray is inside the layer; the ray misses it if the second is not greater than the first.
// Rays from below that hit the sea miss the layer, and a ray that leaves the layer downwards does not come back.
vec2 layer_path(float height, float mu) {
    float base = clouds.y, top = clouds.y + clouds.z;
    vec2 down = vec2(down_to_shell(height, mu, top), down_to_shell(height, mu, base));
    if (height < base) return mu > horizon_cosine(height) ? vec2(to_shell(height, mu, base), to_shell(height, mu, top)) : vec2(0.0);
    if (height > top && down.x < 0.0) return vec2(0.0);
    return vec2(max(down.x, 0.0), down.y < 0.0 ? to_shell(height, mu, top) : down.y);
}

// Radiance of the layer along a ray from the eye (rgb) and its transmittance (a). `path` are the distances of
// `layer_path`, `share` is the length of a step relative to the distance, and `start` the position of the first sample in
// its step. The air before the layer has the radiance `air` and the transmittance `kept`.
vec4 cloud_light(float height, vec3 direction, vec2 path, vec3 air, vec3 kept, float share, float start) {
    if (clouds.x >= 1.0 || path.y <= path.x) return vec4(0.0, 0.0, 0.0, 1.0);
    float cosine = dot(direction, sun_direction.xyz), through = 1.0;
    float sharp = mix(henyey_greenstein(DROPS, cosine), henyey_greenstein(-0.25, cosine), 0.25);
    float blunt = henyey_greenstein(0.4, cosine);
    // Sunlight falls on the top of a closed layer, and on the sunward sides of single clouds.
    float up = max(sun_direction.y, 0.0), away = mix(direction.y, cosine, deck.x);
    float slant = mix(up, 1.0, deck.x), flux = mix(up * (0.5 + 0.75 * up), 1.0, deck.x);
    // Skylight from the sun's side lights the sides of clouds, as far as other clouds let it through.
    float along = dot(direction.xz, normalize(sun_direction.xz + vec2(0.0, 1e-9)));
    vec3 glow = pow(deck.z, 4.0) * light.glow.rgb;
    vec3 from_sea = SEA_ALBEDO * (deck.y * up * light.sun.rgb + deck.z * light.clear_sky.rgb);
    vec3 sum = vec3(0.0);
    // Where the field is too low for clouds, a step skips the distance that it needs to rise (sphere tracing, Hart 1996).
    // The field that a cloud needs falls along a ray downwards, by up to 0.35 over the layer's height.
    float rise = 1.0 / REACH + max(-direction.y, 0.0) * 0.35 / clouds.z;
    for (float at = path.x + start * max(12.0, share * path.x), stride; at < path.y; at += stride) {
        float step = max(12.0, share * at);
        vec2 p = CLOUDS_FROM + at * direction.xz;
        vec3 field = cloud_field(p, 0.4 * step);
        float y = max((height_along(height, direction.y, at) - clouds.y) / clouds.z, 0.0);
        float lacking = least_shape(y) - field.x;
        stride = max(step, lacking / rise);
        if (lacking > 0.0) continue;
        float over = cloud_shape(p, field, y, 0.4 * step);
        float density = cloud_profile(over, y);
        if (density <= 0.0) continue;
        float thick = cloud_extinction(p, field.yz, 0.4 * step);
        float to_sun = thick * depth_to_sun(p, y, 0.4 * step);
        float above = thick * column(over, y, 1.0), below = thick * column(over, 0.0, y);
        float behind = deck.x > 0.0 ? mix(below, thick * depth_from_sun(p, y), deck.x) : below;
        // Sunlight: scattered once, scattered once after forward scattering only, and scattered many times.
        float once = exp(-to_sun), straight = exp(-DEFLECTED * to_sun);
        float often = flux * eddington_light(slant * to_sun, behind, away);
        often = (1.0 - exp(-DEFLECTED * (to_sun + behind))) * max(often - straight / (4.0 * PI), 0.0);
        vec3 lit = light.cloud_sun.rgb * (once * sharp + (straight - once) * blunt + often);
        lit += light.clear_sky.rgb * eddington_light(above, below, direction.y)
            + from_sea * eddington_light(below, above, -direction.y);
        lit += glow * eddington_light(to_sun, above + below, along);
        float gone = 1.0 - exp(-thick * density * step);
        sum += through * gone * lit;
        through *= 1.0 - gone;
        if (through < 0.01) return vec4(air + kept * sum, 0.0);  // not even the sun would show
    }
    return vec4((1.0 - through) * air + kept * sum, through);
}
