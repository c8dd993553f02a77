// A mip level of the environment from the level before: means over Gaussian lobes, as sky/lobes.comp makes them.
#include "sky/environment.glsl"

uniform sampler2DArray source;  // that level alone
uniform bool is_first;  // level 0 is not blurred

out vec4 mean;

const int REACH = 8;  // texels of the source to each side

void main() {
    int side = textureSize(source, 0).x;
    float own = lobe_deviation(0.5 * float(side)), blurred = is_first ? 0.0 : lobe_deviation(float(side));
    ivec2 texel = ivec2(gl_FragCoord.xy), low = max(2 * texel + 1 - REACH, 0), high = min(2 * texel + 1 + REACH, side);
    vec3 axis = normalize(environment_direction(2.0 * gl_FragCoord.xy / float(side)));
    vec4 sum = vec4(0.0);
    float weights = 0.0;
    for (int y = low.y; y < high.y; ++y)
        for (int x = low.x; x < high.x; ++x) {
            vec3 v = environment_direction((vec2(x, y) + 0.5) / float(side));
            float inverse = inversesqrt(dot(v, v));  // its third power is proportional to the texel's solid angle
            float weight = pow(inverse, 3.0) * exp((inverse * dot(axis, v) - 1.0) / (own * own - blurred * blurred));
            sum += weight * texelFetch(source, ivec3(x, y, 0), 0);
            weights += weight;
        }
    mean = sum / weights;
}
