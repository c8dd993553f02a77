// The camera and the light. Positions [m] are relative to the sea's origin, the point of the mean water level below the
// camera: x east, y up, z south.
#include "common/bindings.glsl"
#include "common/constants.glsl"

layout(std140, binding = BLOCK_VIEW) uniform View {
    mat4 view_projection;  // relative position to clip space
    mat4 clip_to_ray;      // clip space to a ray's direction
    vec4 eye;              // relative position; w: depth below the water [m], negative above
    vec4 sun;              // unit vector towards the sun; w: cosine of its angular radius
    float horizon;         // distance to which the surface is drawn [m]
    float strain_variance; // variance of Dxx + Dzz, by all waves
    float grid_cutoff;     // largest wave number that the maps hold [rad/m]
    float height_scale;    // standard deviation of the height [m]
    float anisotropy;      // anisotropy of the maps' filter
    int pattern_layer_count;  // layers in use of `pattern_layers`
    vec4 slopes_of_all;       // covariance of the slopes of all waves; w: slope variance of ripples
    vec4 pattern_layers[6];   // `layers` of ocean/waves/whitecaps.py: two vec4 for each of three layers
};
