// A panorama as the sky, in equirectangular projection: columns are headings, rows elevations.
layout(binding = SAMPLER_PANORAMA) uniform sampler2D panorama_picture;

vec3 panorama_radiance(vec3 direction, float lod) {
    float heading = direction.xz == vec2(0.0) ? 0.0 : atan(direction.x, -direction.z) / (2.0 * PI);
    float row = 0.5 - asin(clamp(direction.y, -1.0, 1.0)) / PI;
    return textureLod(panorama_picture, vec2(heading - turn + 0.5, row), lod).rgb;
}
