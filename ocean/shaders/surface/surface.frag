#version 430
// A pixel of the sea: exact normal from the summed derivatives of all cascades, water, foam, and the air in between.
#include "common/copies.glsl"
#include "common/jacobian.glsl"
#include "surface/water.glsl"
#if DIVES
#include "surface/underwater.glsl"
#endif
#include "foam/sample.glsl"
#if HIDES
#include "surface/hidden.glsl"
#endif

layout(binding = SAMPLER_MAPS) uniform sampler2DArray maps;

in vec2 still;
in vec3 relative;
in float spacing;
out vec4 colour;

#ifdef STAGE
#include "stage/surface.glsl"
#endif

// Adds the derivatives of all waves that a footprint with sides dx and dy around a place does not average away.
void add_waves(vec2 place, vec2 dx, vec2 dy, float footprint, inout vec2 slope, inout vec3 D) {
    int c = 0, i;
    do {
        if (footprint >= cascades[c].side) continue;  // its mean is 0
        Copies copies = find_copies(cascades[c], place);
        vec2 along = to_tile(cascades[c], dx) / cascades[c].side, across = to_tile(cascades[c], dy) / cascades[c].side;
        i = 0;
        do {
            Copy copy = nth_copy(cascades[c], copies, i);
            vec4 moved = textureGrad(maps, vec3(copy.uv, 2 * c), along, across);
            vec4 derivatives = textureGrad(maps, vec3(copy.uv, 2 * c + 1), along, across);
            add_derivatives(copy, moved, derivatives, slope, D);
        } while (++i < cascades[c].copies);
    } while (++c < cascade_count);
}

void main() {
    vec2 slope = vec2(0.0);
    vec3 D = vec3(0.0);
    vec2 dx = dFdx(still), dy = dFdy(still);
    // The anisotropic filter averages over the longer side of the footprint only beyond its ratio.
    float longer = max(length(dx), length(dy)), shorter = min(length(dx), length(dy));
    float footprint = max(shorter, longer / anisotropy);
#if TAPS
    // Where the texture unit has no such filter, as many looks along the longer side as it is longer than the other.
    bool wide = length(dx) > length(dy);
    float taps = clamp(ceil(longer / max(shorter, 1e-9)), 1.0, anisotropy), tap = 0.0;
    vec2 step_ = (wide ? dx : dy) / taps, other = wide ? dy : dx;
    do {
        add_waves(still + (tap + 0.5 - 0.5 * taps) * step_, step_, other, footprint, slope, D);
    } while (++tap < taps);
    slope /= taps;
    D /= taps;
#else
    add_waves(still, dx, dy, footprint, slope, D);
#endif
    vec3 covariance = unresolved_slopes(shorter, longer, normalize(length(dx) > length(dy) ? dx : dy));
    float total = max(slope_variance, 1e-9), drawn = 1.0 - (covariance.x + covariance.y) / total;
    float strength = foam_at(still, footprint, foam_beyond((D.x + D.y) * inversesqrt(total), drawn));
    float foam = laced(strength, lace_at(still, footprint));

    D *= choppiness;
    vec3 N = surface_normal(slope, D);
    N.y = max(N.y, 0.02);  // a folded crest has no outside
    N = normalize(N);

    vec3 to_eye = eye.xyz - relative;
    float distance = length(to_eye);
    vec3 V = to_eye / distance;
    bool below = DIVES != 0 && eye.w > 0.0;
    float side = below ? -1.0 : 1.0, weight = 1.0;
#if HIDES
    if (!below) weight = meet_mesh(cross(dFdy(relative), dFdx(relative)), spacing, V, N, covariance);
#endif
    if (dot(N, side * V) < 0.0) N = normalize(N - 1.01 * dot(N, V) * V);  // a facet that is seen faces the eye

#if DIVES
    if (below) {
        vec3 seen = mix(surface_from_below(N, V, covariance.x + covariance.y), foam_from_below(), foam);
        colour = exposed(through_water(seen, -V, distance, eye.w));
        return;
    }
#endif
    float crest = (relative.y + dot(still, still) / (2.0 * EARTH_RADIUS)) / max(height_scale, 1e-3);
    float thin = smoothstep(0.0, 2.5, crest) * smoothstep(0.1, 0.8, 1.0 - jacobian(D));
    vec3 sunlight_ = sun_irradiance() * sun_visibility(still), kept;
    WaterLight water = water_light(N, V, covariance, thin, strength, sunlight_);
    vec3 white = foam_radiance(N, sunlight_, sqrt(strength));
    vec3 added = aerial(-V, distance, kept);
#ifdef STAGE
    colour = vec4(STAGE, 1.0);  // what a view of ocean/stages.py shows in place of the picture
#else
    colour = exposed(kept * weight * mix(radiance_of(water), white, foam) + added);
#endif
}
