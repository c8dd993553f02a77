// The light of a visibility sample of the sea: the normal from the derivatives of all cascades, then water, foam, and
// the air between.
#include "surface/visibility_sample.glsl"
#include "surface/waves.glsl"
#include "surface/water.glsl"
#include "common/noise.glsl"
#if DIVES
#include "surface/underwater.glsl"
#endif
#include "foam/sample.glsl"
#if HIDES
#include "surface/hidden.glsl"
#endif
#ifdef DEBUG_VIEW
#include "debug/surface.glsl"
#endif

// The maps' filter takes a fraction of the footprint (ocean/waves/slopes.py): SHARP up to a length of SHARP_TO [m], all
// from BLURRED_FROM [m] on.
const float SHARP = 0.6, SHARP_TO = 0.1, BLURRED_FROM = 1.0;
const float PARTS = 3.0;  // maximum number of parts along each side of a footprint for which foam is evaluated
const float RARE = 2e-4;  // coverage below which one evaluation of foam is enough
// Foam's mounds are shaded up to this footprint [m], from this opacity on.
const float MOUNDS_TO = 0.25, LEAST_MOUND = 0.02;
const float ROLLERS_TO = 2.0;  // m, the same for the lumps of rollers
const float WRAPPED = 0.3;     // sunlight that spreads within a roller
const float OCCLUSION = 0.9;   // of their creases, per depth relative to the thickness
const float HOLLOWS = 0.3;     // light that hollows of foam lose, for each deviation of the pattern below its mean

// Adds slope and D at a point of still water, filtered over a footprint with sides dx and dy [m]. Returns the side of
// the filter [m]: the shorter side, or longer where the ratio of the sides exceeds `anisotropy`.
float add_footprint(vec2 still, vec2 dx, vec2 dy, bool all_terms, inout vec2 slope, inout vec3 D) {
    float longer = max(length(dx), length(dy)), shorter = min(length(dx), length(dy));
    float footprint = max(shorter, longer / anisotropy);
#if TAPS
    // Replaces the anisotropic filter of a texture unit by samples along the longer side.
    bool wide = length(dx) > length(dy);
    float taps = clamp(ceil(longer / max(shorter, 1e-9)), 1.0, anisotropy), tap = 0.0;
    vec2 step_ = (wide ? dx : dy) / taps, other = wide ? dy : dx, slopes_ = vec2(0.0);
    vec3 strains = vec3(0.0);
    do {
        add_waves(still + (tap + 0.5 - 0.5 * taps) * step_, step_, other, footprint, all_terms, slopes_, strains);
    } while (++tap < taps);
    slope += slopes_ / taps;
    D += strains / taps;
#else
    add_waves(still, dx, dy, footprint, all_terms, slope, D);
#endif
    return footprint;
}

// Returns the exposed radiance of a visibility sample, or the value of a debug view (DEBUG_VIEW).
vec4 sea_light(VisibilitySample visible) {
    vec2 still = visible.still, dx = visible.dx, dy = visible.dy, slope = vec2(0.0);
    vec3 relative = visible.relative, D = vec3(0.0);
#if !HIDES
    dx = vec2(max(length(dx), length(dy)), 0.0);
    dy = dx.yx;
#endif
    float sharpness = mix(SHARP, 1.0, smoothstep(SHARP_TO, BLURRED_FROM, max(length(dx), length(dy))));
    dx *= sharpness;
    dy *= sharpness;
    float longer = max(length(dx), length(dy)), shorter = min(length(dx), length(dy));
    float footprint = add_footprint(still, dx, dy, true, slope, D);
#if !HIDES
    vec4 unresolved = slopes_beyond(BLUR / max(footprint, 1e-4));
#else
    vec4 unresolved = unresolved_slopes(shorter, longer, normalize(length(dx) > length(dy) ? dx : dy));
#endif
    vec3 covariance = unresolved.rgb;
    vec2 strain = in_deviations(choppiness * (D.x + D.y), unresolved.a), strain_of_mesh = vec2(0.0);
#if HIDES
    // Crests hide troughs, so visible water is compressed more than all water; the triangle's strain accounts for it.
    vec4 coarse = slopes_beyond(MESH_BLUR / visible.spacing);
    strain_of_mesh = in_deviations(visible.strain, coarse.a);
    if (strain_of_mesh.y >= 1.0) strain_of_mesh = vec2(0.0);
#endif
    vec2 known = refine_strain(strain_of_mesh, strain);
    bool from_mesh = strain_of_mesh.y > 0.0;
    float rolling = 0.0, lumps = 1.0;  // coverage by a roller, and height of its lumps over the mean
    float hollow = 0.0;                // depth below the mean of the foam's pattern, in deviations
#if FAR_FOAM
    // The foam map does not resolve breaking here, so foam follows from strain, filtered to the map's texel, so that
    // foam does not move as pixels get smaller. Coverage is far from linear in strain, so large footprints have parts.
    float rise = 0.0, texel = births[0].x;
    vec2 layers[3] = layers_at(still, footprint), lies = torn(still, layers);
    float level = serving_level(lies, footprint);
    bool few = longer <= PARTS * texel, again = mean_foam(known).x > RARE && (few || shorter < texel);
    vec2 sides = vec2(length(dx), length(dy)), parts = few && again ? max(ceil(sides / texel), 1.0) : vec2(1.0);
    vec2 widened = max(1.0 / parts, texel / max(sides, 1e-9)), across = widened.x * dx, along = widened.y * dy;
    sides *= widened;
    float left = unresolved_slopes(min(sides.x, sides.y), max(sides.x, sides.y), normalize(sides.x > sides.y ? dx : dy)).a;
    int part = 0, columns = int(parts.x);
    vec3 cover = vec3(0.0);  // strength and opacity of the foam, and bubbles below it
    do {
        vec2 at = (vec2(part % columns, part / columns) + 0.5) / parts - 0.5, unused = vec2(0.0), refined = known;
        if (again) {
            vec3 strained = vec3(0.0);
            add_footprint(still + at.x * dx + at.y * dy, across, along, false, unused, strained);
            refined = refine_strain(strain_of_mesh, in_deviations(choppiness * (strained.x + strained.y), left));
        }
        cover += foam_cover(still, lies, level, refined, from_mesh, layers);
    } while (++part < columns * int(parts.y));
    cover /= parts.x * parts.y;
#else
    // Foam here, and a step towards the sun if its mounds show. It is one loop, because llvmpipe would run a branch for
    // the step in every pixel, and an unrolled loop as well.
    vec3 cover = vec3(0.0);  // strength and opacity of the foam, and bubbles below it
    float level = 0.0, side_step = max(footprint, 1e-3), rise = 0.0, height = 0.0;
#if HIDES
    float thick = length(roller_at(still, footprint));
#else
    const float thick = 0.0;  // rollers are in the mesh alone
#endif
    bool rolls = thick > 0.0;
    int k = 0, last = footprint < (rolls ? ROLLERS_TO : MOUNDS_TO) ? 1 : 0;
    do {
        vec2 at = still + float(k) * side_step * azimuth_of(sun.xyz), layers[3] = layers_at(at, footprint);
        vec2 lies = torn(at, layers);
        if (k == 0) level = serving_level(lies, footprint);
        vec3 there = foam_cover(at, lies, level, known, from_mesh, layers);
        float top = FOAM_HEIGHT * there.y, shaded = 1.0;
        if (rolls) {
            shaded = lumps_at(at, footprint);
            top += thick * shaded;
        }
        if (k == 0) {
            cover = there;
            height = top;
            lumps = shaded;
            hollow = clamp(-0.6 * layers[0].x - 0.8 * layers[1].x, 0.0, 2.0);  // squares of the weights add up to 1
        }
        rise = (top - height) / side_step;
    } while (++k <= last && (rolls || cover.y > LEAST_MOUND));
    if (rolls) rolling = roller_cover(thick, lumps);
    cover.y = mix(cover.y, ROLLER_OPACITY, rolling);
#if HIDES
    covariance = scarred(covariance, cover.x, level);
    coarse.rgb = scarred(coarse.rgb, cover.x, level);
#endif
#endif
    float foam = cover.y, bubbles = cover.z;

    vec2 wave = wave_at(relative.y + dot(still, still) / (2.0 * EARTH_RADIUS), length(slope), -D.x - D.y);
    D *= choppiness;
    vec3 N = surface_normal(slope, D);
    N.y = max(N.y, 0.02);  // on a folded crest the normal points down

    vec3 to_eye = eye.xyz - relative;
    float distance = length(to_eye);
    vec3 V = to_eye / distance;
    bool below = DIVES != 0 && eye.w > 0.0;
    float side = below ? -1.0 : 1.0;
#if HIDES
    Glints glints;
    bool finer = visible.spacing < longer;
    if (!below) combine_with_mesh(vec3(-visible.face.x, 1.0, -visible.face.y), coarse.rgb, finer, V, N, covariance, glints);
    glints.area /= visible.grazing;
    if (!below && finer) {  // triangles that share this shading widen the distribution of the facets' slopes
        covariance += MESH_SHARE * MESH_SHARE * visible.scatter;
        glints.covariance += MESH_SHARE * MESH_SHARE * visible.scatter;
    }
#endif
    if (dot(N, side * V) < 0.0) N -= 1.01 * dot(N, V) * V;  // visible facets face the eye
    N = normalize(vec3(N.x, max(N.y, 0.02), N.z));  // overhangs have no slope

    vec3 sunlight_ = sun_irradiance() * sun_visibility(still), kept;
#if DIVES
    if (below) {
        vec3 surface = surface_from_below(N, V, covariance.x + covariance.y, sunlight_);
        surface = through_bubbles(mix(surface, foam_from_below(sunlight_), foam), bubbles, V, distance, sunlight_);
        return exposed(through_water(surface, -V, distance, eye.w));
    }
#endif
#if !HIDES
    float area = visible_area(facing(V, -N.xz / N.y), facing_deviation(V, leaning(V, covariance)));
    Glints glints = Glints(-N.xz / N.y, covariance, area);
#endif
    WaterLight water = water_light(N, V, covariance, glints, wave, bubbles, sunlight_);
    vec3 white = foam_radiance(N, sun.xyz, rise, sunlight_, sky_irradiance(), WRAPPED * rolling);
    white *= (1.0 - OCCLUSION * rolling * (1.0 + LUMPINESS - lumps)) * (1.0 - HOLLOWS * hollow);
    vec3 added = aerial(-V, distance, noise(visible.pixel), kept);
#ifdef DEBUG_VIEW
    return vec4(DEBUG_VIEW, 1.0);  // an expression of ocean/render/debug_views.py
#else
    return exposed(kept * mix(radiance_of(water), white, foam) + added);
#endif
}
