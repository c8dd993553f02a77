// Density of the clouds: noise over a threshold, tops that rise with the noise, and billows that erode both; and the
// veil of ice above. ocean/light/clouds.py is the reference without billows. Positions are in metres in the clouds'
// noise, `grain` is the size of the smallest detail [m].
#include "sky/air.glsl"

#ifndef CLOUDS_FROM
#define CLOUDS_FROM drift
#endif

layout(binding = SAMPLER_CLOUDS) uniform sampler2D cloud_noise;
layout(binding = SAMPLER_BILLOWS) uniform sampler3D cloud_billows;

const float WORN = 1.35;              // strength of the erosion by billows
const float BILLOWS = 3700.0;         // m: period of the billows
// Range of the field at a top's edge; the field at a top is its height to this power.
const float EDGE = 0.06, TOPS = 1.4;
const float HIGHEST = 0.75;           // bound of the field, which leaves room for the heads that billows add
const float MEAN_BILLOW = 0.701;

// The 2D noise with a period of `tile` metres, without details finer than `grain`.
vec4 cloud_texel(vec2 p, float tile, float grain) {
    return textureLod(cloud_noise, p / tile, log2(max(grain / tile * float(textureSize(cloud_noise, 0).x), 1.0)));
}

// The billows minus their mean, with a period of `tile` metres.
float cloud_billow(vec3 q, float tile, float grain) {
    float lod = log2(max(grain / tile * float(textureSize(cloud_billows, 0).x), 1.0));
    return textureLod(cloud_billows, q / tile, lod).r - MEAN_BILLOW;
}

// The field minus its threshold, in units of 0.2 (x), and the noise that displaces finer details, so that no two clouds
// are equal (yz). Gradient noise alone places clouds, since clouds placed by billows would be as round as these. 2D
// noise makes columns, so details narrower than 200 m are left out. The reference is `cloud_field` in
// ocean/light/clouds.py.
vec3 cloud_field(vec2 p, float grain) {
    vec2 turned = vec2(0.8 * p.x - 0.6 * p.y, 0.6 * p.x + 0.8 * p.y);
    grain = max(grain, 200.0);
    float large = cloud_texel(p, 31000.0, grain).r, middle = cloud_texel(turned, 13700.0, grain).g;
    return vec3((0.55 * large + 0.45 * middle - clouds.x) / 0.2, large, middle);
}

// Extinction coefficient at the densest height [1/m], which varies between lumps of a cloud.
float cloud_extinction(vec2 p, vec2 bend, float grain) {
    float lumps = smoothstep(0.4, 0.85, 0.6 * cloud_texel(p + 1500.0 * bend, 9700.0, grain).b + 0.4 * bend.y);
    return clouds.w * (0.3 + 0.7 * lumps);
}

// Extinction relative to the densest, at a height y in the layer (0 to 1), where the field is `over` the threshold (0
// to 1). All clouds have their base where rising air reaches its dew point. Water content grows linearly from there,
// and the number of drops is constant, so extinction grows with the power 2/3. Tops rise with the field and have sharp
// edges.
float cloud_profile(float over, float y) {
    y = max(y, 0.0);
    return smoothstep(0.0, EDGE, over - pow(y, TOPS)) * pow(y, 2.0 / 3.0);
}

// Integral of `cloud_profile` between two heights in the layer [m]; the smooth edge counts as a step at its centre.
float column(float over, float low, float high) {
    float top = pow(max(over - 0.5 * EDGE, 0.0), 1.0 / TOPS);
    return 0.6 * clouds.z * (pow(min(high, top), 5.0 / 3.0) - pow(min(low, top), 5.0 / 3.0));
}

// Erosion of clouds, of mean 0: octaves of billows down to the grain, each with 0.27 of the size and 0.4 of the
// amplitude of the previous one. Larger amplitudes would tear edges into specks. At most `most` octaves are read, and
// those at once: branches between them would wait for one after another.
float cloud_wear(vec3 q, float grain, int most) {
    float sum = cloud_billow(q, BILLOWS, grain);
    if (most > 1) sum += (grain < 100.0 ? 0.4 : 0.0) * cloud_billow(q.yzx, 0.27 * BILLOWS, grain);
    if (most > 2) sum += (grain < 30.0 ? 0.16 : 0.0) * cloud_billow(q.zxy, 0.073 * BILLOWS, grain);
    if (most > 3) sum += (grain < 8.0 ? 0.064 : 0.0) * cloud_billow(q, 0.0197 * BILLOWS, grain);
    return sum;
}

// The least field over its threshold for which billows, of at most 0.299 over their mean, may make a cloud at a height y in
// the layer. They raise the height by up to 0.17 near the base.
float least_shape(float y) { return 0.25 * pow(max(y - 0.17, 0.0), TOPS) - 0.045; }

// Whether light passes a place as if there were no billows.
bool is_bare(float shape, float y) { return shape <= -0.1 || shape < pow(y, TOPS) - 0.5; }

// The field over its threshold after erosion by billows, at a horizontal position and a height y in the layer (0 to 1),
// which billows raise near the base. The erosion has a mean of 0.
float worn_shape(vec2 p, vec3 field, inout float y, float grain, int most) {
    float shape = min(field.x, HIGHEST);
    float wear = cloud_wear(vec3(p.x, clouds.z * y, p.y) + 600.0 * field.yxz, grain, most);
    if (is_bare(shape, y)) return shape;
    shape += smoothstep(-0.09, 0.2, shape) * (0.05 * shape + WORN * wear);
    y -= 0.35 * wear * (1.0 - smoothstep(0.1, 0.3, y));
    return shape;
}

// The same without reading billows where they make no cloud. A negative grain leaves erosion out.
float cloud_shape(vec2 p, vec3 field, inout float y, float grain) {
    float shape = min(field.x, HIGHEST);
    if (grain < 0.0 || is_bare(shape, y)) return shape;
    return grain < 30.0 ? worn_shape(p, field, y, grain, 4) : worn_shape(p, field, y, grain, 2);
}

// Optical depth of the veil without the forward peak of ice.
float veil_depth(vec2 p, float grain) {
    vec2 q = vec2(0.6 * p.x + 0.8 * p.y, -0.8 * p.x + 0.6 * p.y);
    float patches = cloud_texel(vec2(0.4 * q.x, q.y), 53000.0, grain).g;
    float strands = cloud_texel(vec2(0.2 * q.x, q.y), 19000.0, grain).r;
    float fibres = cloud_texel(vec2(0.1 * q.x + 0.3 * q.y, q.y), 6100.0, grain).a;
    return deck.w * smoothstep(0.45, 0.8, 0.5 * patches + 0.3 * strands + 0.2 * fibres);
}
