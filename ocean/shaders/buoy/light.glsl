// Painted metal under the sky: even scattering of sun, sky and what the water sends up, and a coat of clear varnish. Needs
// surface/seen.glsl.
#include "buoy/mesh.glsl"
#include "sky/radiance.glsl"
#include "common/noise.glsl"
#if DIVES
#include "surface/underwater.glsl"
#endif

const float VARNISH = 0.04;  // reflectance at normal incidence

// What a triangle shows at a point of the picture.
vec4 buoy_light(uint triangle, vec2 point) {
    vec3 places[3], normals[3], colours[3];
    vec4 clips[3];
    for (int i = 0; i < 3; ++i) {
        uint vertex = buoy_corner(triangle, i);
        places[i] = buoy_position(vertex);
        normals[i] = mat3(pose) * buoy_vector(vertex + 3u);
        colours[i] = pow(buoy_vector(vertex + 6u), vec3(2.2));  // of sRGB
        clips[i] = view_projection * vec4(places[i], 1.0);
    }
    vec3 weights = find_weights(clips, point).at, kept;
    vec3 relative = mat3(places[0], places[1], places[2]) * weights, normal = mat3(normals[0], normals[1], normals[2]) * weights;
    vec3 albedo = mat3(colours[0], colours[1], colours[2]) * weights;
    vec3 to_eye = eye.xyz - relative, face = cross(places[1] - places[0], places[2] - places[0]);
    float distance = length(to_eye);
    vec3 V = to_eye / distance, N = normalize(dot(face, to_eye) > 0.0 ? normal : -normal), R = reflect(-V, N);
    vec3 sunlight_ = sun_irradiance() * sun_visibility(relative.xz), sun_light = sunlight_ * max(dot(N, sun.xyz), 0.0);
    // Half of what a level surface gets comes from above; from below comes the sky's reflection, a tenth of it.
    vec3 sky_light = sky_irradiance() * mix(0.1, 1.0, 0.5 + 0.5 * N.y);
    vec3 radiance = albedo / PI * (sun_light + sky_light);
    float mirrored_share = VARNISH + (1.0 - VARNISH) * pow(1.0 - max(dot(N, V), 0.0), 5.0);
    vec3 mirrored_ = sky_radiance(R, 0.1).rgb * (R.y > 0.0 ? 1.0 : 0.1);
    float glint = pow(max(dot(R, sun.xyz), 0.0), 120.0) * 20.0;  // a lobe of solid angle 0.05
    radiance = mix(radiance, mirrored_, mirrored_share) + mirrored_share * glint * sunlight_ * step(0.0, dot(N, sun.xyz));
#if DIVES
    if (eye.w > 0.0) return exposed(thing_in_water(radiance, -V, distance, eye.w));
#endif
    vec3 added = aerial(-V, distance, noise(point), kept);
    return exposed(kept * radiance + added);
}
