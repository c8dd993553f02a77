// Irradiances and exposure that the GPU computes. sky/light.comp and post/meter.comp write them (WRITES_LIGHT), shading
// reads them. Linear Rec. 709; irradiance in klx.
struct LightState {
    vec4 sun;        // irradiance of the sun at sea level on a surface that faces it, without clouds
    vec4 cloud_sun;  // irradiance of the sun in the middle of the cloud layer
    vec4 clear_sky;  // irradiance of the sky without clouds on level water
    vec4 sky;        // irradiance of the sky with its clouds on level water
    vec4 meter;      // exposure: factor on radiance (x); adapted luminance [cd/m²], 0 before the first frame (y)
    // Ratio of light below clouds to light without clouds: from all sides (rgb), directly from the sun (a).
    vec4 below;
    vec4 glow;       // irradiance of sky and veil on an upright surface facing the sun, minus that on one facing away
    // Radiance in the centre of the aureole; a: luminance of the horizon below it, relative to the centre.
    vec4 aureole;
};

#ifdef WRITES_LIGHT
layout(std430, binding = STORAGE_LIGHT) buffer LightSums { LightState light; };
#else
// Before renaming a block, read about the fourth uniform buffer in docs/maintainers/drivers.md.
layout(std140, binding = BLOCK_LIGHT) uniform LightSums { LightState light; };
#endif
