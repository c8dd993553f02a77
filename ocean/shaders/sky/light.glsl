// What the GPU finds out about the light: written by sky/light.comp and post/meter.comp (which say WRITES_LIGHT), read by
// all who draw. Linear Rec. 709; irradiance in klx.
struct LightState {
    vec4 sun;        // irradiance of the sun at sea level on a surface that faces it, without clouds
    vec4 cloud_sun;  // the same where the clouds are
    vec4 clear_sky;  // irradiance of the clear sky on level water
    vec4 sky;        // irradiance of the sky as it is
    vec4 meter;      // factor on radiance that makes the picture; luminance [cd/m²] that it was adapted to, 0 before
    vec4 below;      // light in the air below clouds over that without them: from all sides; a: straight from the sun
    vec4 glow;       // irradiance of sky and veil from the sun's side less that from the other, on upright surfaces
    vec4 aureole;    // radiance of the sky's aureole in its middle; a: of the horizon below, over that
};

#ifdef WRITES_LIGHT
layout(std430, binding = STORAGE_LIGHT) buffer Light { LightState light; };
#else
layout(std140, binding = BLOCK_LIGHT) uniform Light { LightState light; };
#endif
