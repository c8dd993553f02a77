// A layer of clouds, marched through: where the noise passes a threshold it is thick, and its tops rise with it.
#include "sky/air.glsl"
#include "sky/sky_view.glsl"
#include "sky/light.glsl"

layout(binding = SAMPLER_CLOUDS) uniform sampler2D cloud_noise;
layout(binding = SAMPLER_BILLOWS) uniform sampler3D cloud_billows;

const float DROPS = 0.85;                     // mean cosine of what drops scatter
const float TURNED = 1.0 - DROPS * DROPS;     // share of it that does not go straight on
const float DIFFUSION = 0.75 * (1.0 - DROPS);
const float WORN = 1.35;                      // how far billows wear the field
const float BILLOWS = 3700.0;                 // m, width of the tile of billows in space
const float EDGE = 0.06, TOPS = 1.4;          // of the field that a top's edge takes; the field is this power of its height
const float HIGHEST = 0.75;                   // of the field, which leaves room for heads
const float MEAN_BILLOW = 0.701;
const float REACH = 300.0;                    // m in which the field hardly anywhere rises by more than 0.2

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

// Depth towards the sun from inside the layer in metres of the densest, in steps that grow by as much as it takes to
// cross all of it.
float way_to_sun(vec2 p, float y, float grain) {
    const float FIRST = 0.05;  // 1 + growth + growth² + growth³ is nearly the way across over the first step
    vec3 d = vec3(sun_direction.x, max(sun_direction.y, 0.05), sun_direction.z);  // after sunset to where the sky is brightest
    float growth = pow(1.0 / (FIRST * d.y), 1.0 / 3.0) - 0.4;
    float step = FIRST * clouds.z, depth = 0.0, at = 0.0;
    for (int i = 0; i < 4; ++i) {
        vec2 q = p + (at + 0.5 * step) * d.xz;
        float low = y + at * d.y / clouds.z, high = low + step * d.y / clouds.z;
        float middle = 0.5 * (low + high), fine = i < 2 ? max(grain, step) : -min(step, 500.0);
        float over = cloud_shape(q, cloud_field(q, abs(fine)), middle, fine);
        depth += column(over, low, high) / d.y;
        at += step;
        step *= growth;
    }
    return depth;
}

float henyey_greenstein(float g, float cosine) {
    return (1.0 - g * g) / (4.0 * PI * pow(1.0 + g * g - 2.0 * g * cosine, 1.5));
}

// What drops in a layer send on over the irradiance on one of its sides, by Eddington's approximation, where so much
// of it lies on that side and on the other, and `along` is the cosine between their light's way and the way in.
float inside_light(float near, float far, float along) {
    return max(0.5 + DIFFUSION * far + 0.75 * DROPS * along, 0.0) / (1.0 + DIFFUSION * (near + far)) / PI;
}

// Between which distances a ray from a height is in the layer; none if the second is no more than the first. From below it
// has to miss the sea; and where it has left the layer downwards it does not come in again.
vec2 way_through(float height, float mu) {
    float base = clouds.y, top = clouds.y + clouds.z;
    vec2 down = vec2(down_to_shell(height, mu, top), down_to_shell(height, mu, base));
    if (height < base) return mu > horizon_cosine(height) ? vec2(to_shell(height, mu, base), to_shell(height, mu, top)) : vec2(0.0);
    if (height > top && down.x < 0.0) return vec2(0.0);
    return vec2(max(down.x, 0.0), down.y < 0.0 ? to_shell(height, mu, top) : down.y);
}

// What the layer adds to the light along a ray from the eye (rgb), and how much of what is behind it is left (a), on its way
// through it, in steps of at least so large a share of the distance; `start` says where in the first one to look. The air
// before it adds `air`, and leaves `kept` of what it sends.
vec4 cloud_light(float height, vec3 direction, vec2 way, vec3 air, vec3 kept, float share, float start) {
    if (clouds.x >= 1.0 || way.y <= way.x) return vec4(0.0, 0.0, 0.0, 1.0);
    float cosine = dot(direction, sun_direction.xyz), through = 1.0;
    float sharp = mix(henyey_greenstein(DROPS, cosine), henyey_greenstein(-0.25, cosine), 0.25);
    float blunt = henyey_greenstein(0.4, cosine);
    // A closed layer gets the sun's light from above, clouds that stand alone on the sides that face it.
    float up = max(sun_direction.y, 0.0), away = mix(direction.y, cosine, deck.x);
    float slant = mix(up, 1.0, deck.x), flux = mix(up * (0.5 + 0.75 * up), 1.0, deck.x);
    // What the sky sends from the sun's side lights their sides, as far as it finds its way between them.
    float along = dot(direction.xz, normalize(sun_direction.xz + vec2(0.0, 1e-9)));
    vec3 glow = pow(deck.z, 4.0) * light.glow.rgb;
    vec3 from_sea = SEA_ALBEDO * (deck.y * up * light.sun.rgb + deck.z * light.clear_sky.rgb);
    vec3 sum = vec3(0.0);
    // Below the threshold there is no cloud as far as it takes the field to rise (sphere tracing, Hart 1996).
    for (float at = way.x + start * max(12.0, share * way.x), stride; at < way.y; at += stride) {
        float step = max(12.0, share * at);
        vec2 p = drift + at * direction.xz;
        vec3 field = cloud_field(p, 0.4 * step);
        stride = max(step, -REACH * (field.x + 0.1));
        float y = max((height_along(height, direction.y, at) - clouds.y) / clouds.z, 0.0), over = cloud_shape(p, field, y, 0.4 * step);
        float density = cloud_profile(over, y);
        if (density <= 0.0) continue;
        float thick = cloud_extinction(p, field.yz, 0.4 * step);
        float to_sun = thick * way_to_sun(p, y, 0.4 * step);
        float above = thick * column(over, y, 1.0), below = thick * column(over, 0.0, y);
        // Light of the sun: scattered once, straight on before that, and often.
        float once = exp(-to_sun), straight = exp(-TURNED * to_sun), often = flux * inside_light(slant * to_sun, below, away);
        often = (1.0 - exp(-TURNED * (to_sun + below))) * max(often - straight / (4.0 * PI), 0.0);
        vec3 lit = light.cloud_sun.rgb * (once * sharp + (straight - once) * blunt + often);
        lit += light.clear_sky.rgb * inside_light(above, below, direction.y) + from_sea * inside_light(below, above, -direction.y);
        lit += glow * inside_light(to_sun, above + below, along);
        float gone = 1.0 - exp(-thick * density * step);
        sum += through * gone * lit;
        through *= 1.0 - gone;
        if (through < 0.01) return vec4(air + kept * sum, 0.0);  // through what is left not even the sun is seen
    }
    return vec4((1.0 - through) * air + kept * sum, through);
}
