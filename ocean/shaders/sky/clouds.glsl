// A layer of clouds, marched through: where the noise passes a threshold it is thick, and its tops rise with it.
#include "sky/air.glsl"
#include "sky/sky_view.glsl"
#include "sky/light.glsl"

layout(binding = SAMPLER_CLOUDS) uniform sampler2D cloud_noise;

// A channel of the noise, whose tile is so many metres wide, without what is finer than `grain` metres.
vec4 cloud_texel(vec2 p, float tile, float grain) {
    return textureLod(cloud_noise, p / tile, log2(max(grain / tile * float(textureSize(cloud_noise, 0).x), 1.0)));
}

// What makes clouds of noise, before the threshold; `cloud_field` in render/atmosphere.py says the same.
float cloud_field(vec2 p, float grain) {
    vec2 turned = vec2(0.8 * p.x - 0.6 * p.y, 0.6 * p.x + 0.8 * p.y);
    float large = cloud_texel(p, 34000.0, grain).r, middle = cloud_texel(turned, 13700.0, grain).g;
    return 0.45 * large + 0.3 * middle + 0.25 * cloud_texel(p, 7900.0, grain).b;
}

// Share of the densest cloud at a horizontal position [m] and a height y in the layer, 0 to 1; with a grain below 0
// without the tatters at the edges.
float cloud_density(vec2 p, float y, float grain) {
    if (y < 0.0 || y > 1.0) return 0.0;
    float shape = clamp((cloud_field(p, abs(grain)) - clouds.x) / 0.2, -1.0, 1.0) - y * (0.25 + 0.45 * y);
    if (shape <= 0.0) return 0.0;
    if (grain >= 0.0) {
        vec2 q = vec2(0.28 * p.x + 0.96 * p.y, -0.96 * p.x + 0.28 * p.y);
        float detail = 0.55 * cloud_texel(q + 400.0 * y, 2900.0, grain).b + 0.45 * cloud_texel(p - 250.0 * y, 1700.0, grain).a;
        shape -= 1.3 * (0.82 - detail) * (1.0 - 0.75 * shape);
    }
    return clamp(1.7 * shape, 0.0, 1.0) * smoothstep(0.0, 0.1, y);
}

// Optical depth towards the sun from inside the layer, in steps that double.
float depth_to_sun(vec2 p, float y, float grain) {
    float depth = 0.0, step = 0.09 * clouds.z, at = 0.5 * step;
    for (int i = 0; i < 4; ++i) {
        depth += step * cloud_density(p + at * sun_direction.xz, y + at * sun_direction.y / clouds.z, i < 2 ? max(grain, step) : -step);
        at += 1.5 * step;
        step *= 2.0;
    }
    return clouds.w * depth;
}

float henyey_greenstein(float g, float cosine) {
    return (1.0 - g * g) / (4.0 * PI * pow(1.0 + g * g - 2.0 * g * cosine, 1.5));
}

// What the layer adds to the light along a ray from the eye (rgb), and how much of the sky behind it is left (a), in
// steps of which the first is `start` deep. The air before it adds `air`, and leaves `kept` of what it sends.
// Light scattered more often is that of thinner clouds with blunter phases (Wrenninge, Kulla and Lundqvist 2013).
vec4 cloud_light(float eye_height, vec3 direction, vec3 air, vec3 kept, int steps, float start) {
    if (clouds.x >= 1.0 || direction.y <= 0.0) return vec4(0.0, 0.0, 0.0, 1.0);
    float height = height_below_clouds(eye_height);
    float near = to_shell(height, direction.y, clouds.y), far = to_shell(height, direction.y, clouds.y + clouds.z);
    float cosine = dot(direction, sun_direction.xyz), step = (far - near) / float(steps), through = 1.0;
    vec3 sum = vec3(0.0);
    for (int i = 0; i < steps; ++i) {
        float at = float(i) + start, y = at / float(steps);
        vec2 p = drift + (near + step * at) * direction.xz;
        // Where the field is well below the threshold in the middle of four steps, it is so in all four.
        if ((i & 3) == 0 && cloud_field(p + 1.5 * step * direction.xz, step) < clouds.x - 0.06) {
            i += 3;
            continue;
        }
        float density = cloud_density(p, y, 0.25 * step);
        if (density <= 0.0) continue;
        float depth = depth_to_sun(p, y, 0.25 * step), share = 0.5, thinner = 1.0, g = 0.82;
        float lit = 0.0;
        for (int order = 0; order < 4; ++order) {
            lit += share * exp(-thinner * depth) * mix(henyey_greenstein(g, cosine), henyey_greenstein(-0.3 * g, cosine), 0.25);
            share *= 0.9;
            thinner *= 0.25;
            g *= 0.5;
        }
        float gone = 1.0 - exp(-clouds.w * density * step);
        vec3 ambient = light.clear_sky.rgb / PI * (0.3 + 0.45 * y);
        sum += through * gone * (2.0 * light.cloud_sun.rgb * lit + ambient);
        through *= 1.0 - gone;
        if (through < 0.01) break;
    }
    return vec4((1.0 - through) * air + kept * sum, through);
}
