// Where clouds are, and how dense: noise over a threshold, tops that rise with it, and billows that wear both; and the veil
// above. light/clouds.py says the same without the billows.
#include "sky/air.glsl"

#ifndef CLOUDS_FROM
#define CLOUDS_FROM drift
#endif

layout(binding = SAMPLER_CLOUDS) uniform sampler2D cloud_noise;
layout(binding = SAMPLER_BILLOWS) uniform sampler3D cloud_billows;

const float WORN = 1.35;                      // how far billows wear the field
const float BILLOWS = 3700.0;                 // m, width of the tile of billows in space
const float EDGE = 0.06, TOPS = 1.4;          // of the field that a top's edge takes; the field is this power of its height
const float HIGHEST = 0.75;                   // of the field, which leaves room for heads
const float MEAN_BILLOW = 0.701;

// A channel of the noise, whose tile is so many metres wide, without what is finer than `grain` metres.
vec4 cloud_texel(vec2 p, float tile, float grain) {
    return textureLod(cloud_noise, p / tile, log2(max(grain / tile * float(textureSize(cloud_noise, 0).x), 1.0)));
}

// Billows in space, over their mean, by the same.
float cloud_billow(vec3 q, float tile, float grain) {
    return textureLod(cloud_billows, q / tile, log2(max(grain / tile * float(textureSize(cloud_billows, 0).x), 1.0))).r - MEAN_BILLOW;
}

// What makes clouds of noise, from groups of them to single ones, over the threshold in units of 0.2; and the gradient
// noise that bends what is finer, so that no two are alike. `cloud_field` in light/clouds.py says the same. Where clouds
// are is gradient noise alone: what rises out of billows alone is as round as they are. What a plane has makes columns,
// so none of it is narrower than 200 m.
vec3 cloud_field(vec2 p, float grain) {
    vec2 turned = vec2(0.8 * p.x - 0.6 * p.y, 0.6 * p.x + 0.8 * p.y);
    grain = max(grain, 200.0);
    float large = cloud_texel(p, 31000.0, grain).r, middle = cloud_texel(turned, 13700.0, grain).g;
    return vec3((0.55 * large + 0.45 * middle - clouds.x) / 0.2, large, middle);
}

// Extinction where a cloud is densest [1/m], by how lumpy it is there.
float cloud_extinction(vec2 p, vec2 bend, float grain) {
    float lumps = smoothstep(0.4, 0.85, 0.6 * cloud_texel(p + 1500.0 * bend, 9700.0, grain).b + 0.4 * bend.y);
    return clouds.w * (0.3 + 0.7 * lumps);
}

// Share of the densest at a height y in the layer, 0 to 1, by how far the field is over the threshold, 0 to 1. All have
// their base at one height, where rising air comes to its dew point, and from there on the air holds more water by the
// metre: of as many drops, so their cross sections grow with the power of two thirds. Tops rise with the field, and are
// crisp.
float cloud_profile(float over, float y) {
    y = max(y, 0.0);
    return smoothstep(0.0, EDGE, over - pow(y, TOPS)) * pow(y, 2.0 / 3.0);
}

// Depth of the column at a place between two heights in the layer, in metres of the densest: that profile summed up, to
// the middle of its edge.
float column(float over, float low, float high) {
    float top = pow(max(over - 0.5 * EDGE, 0.0), 1.0 / TOPS);
    return 0.6 * clouds.z * (pow(min(high, top), 5.0 / 3.0) - pow(min(low, top), 5.0 / 3.0));
}

// What wears clouds, of mean 0, down to the grain: billows in space. Each is a quarter as large as the one before and two
// fifths as strong; stronger ones would tear edges into specks.
float cloud_wear(vec3 q, float grain) {
    float sum = cloud_billow(q, BILLOWS, grain);
    if (grain < 100.0) sum += 0.4 * cloud_billow(q.yzx, 0.27 * BILLOWS, grain);
    if (grain < 30.0) sum += 0.16 * cloud_billow(q.zxy, 0.073 * BILLOWS, grain);
    if (grain < 8.0) sum += 0.064 * cloud_billow(q, 0.0197 * BILLOWS, grain);
    return sum;
}

// How far the field is over the threshold where billows have worn it, at a horizontal position [m] and a height in the
// layer, whose base they lift. On the mean they take nothing. A grain below 0 is without them, as where none reaches.
float cloud_shape(vec2 p, vec3 field, inout float y, float grain) {
    float shape = min(field.x, HIGHEST);
    if (grain < 0.0 || shape <= -0.1 || shape < pow(y, TOPS) - 0.5) return shape;
    float wear = cloud_wear(vec3(p.x, clouds.z * y, p.y) + 600.0 * field.yxz, grain);
    shape += smoothstep(-0.09, 0.2, shape) * (0.05 * shape + WORN * wear);
    y -= 0.35 * wear * (1.0 - smoothstep(0.1, 0.3, y));
    return shape;
}

// Optical depth of the veil, without what ice scatters almost straight on.
float veil_depth(vec2 p, float grain) {
    vec2 q = vec2(0.6 * p.x + 0.8 * p.y, -0.8 * p.x + 0.6 * p.y);
    float patches = cloud_texel(vec2(0.4 * q.x, q.y), 53000.0, grain).g, strands = cloud_texel(vec2(0.2 * q.x, q.y), 19000.0, grain).r;
    float fibres = cloud_texel(vec2(0.1 * q.x + 0.3 * q.y, q.y), 6100.0, grain).a;
    return deck.w * smoothstep(0.45, 0.8, 0.5 * patches + 0.3 * strands + 0.2 * fibres);
}
