// ---- Camera --------------------------------------------------------------------------------------------------------

const EARTH_RADIUS = 6.371e6, SUN_COSINE = Math.cos(0.2666 * Math.PI / 180);
const CREST = 5;  // deviations of the height at the highest crests

// Returns the unit vectors to the right, up and along the line of sight; heading clockwise from north [degrees].
function axesOf({ heading, pitch }) {
    const [h, p] = [heading, pitch].map(angle => angle * Math.PI / 180);
    return {
        right: [Math.cos(h), 0, Math.sin(h)],
        up: [-Math.sin(h) * Math.sin(p), Math.cos(p), Math.cos(h) * Math.sin(p)],
        ahead: [Math.sin(h) * Math.cos(p), Math.sin(p), -Math.cos(h) * Math.cos(p)],
    };
}

// Returns the distance to which the sea is drawn [m]: to the farthest crests that may show above the horizon.
function horizonOf(altitude, crest) {
    return Math.sqrt(2 * EARTH_RADIUS * (altitude + crest)) + Math.sqrt(2 * EARTH_RADIUS * Math.max(crest, 0.5));
}

// Writes the block of common/view.glsl. `view` has the names of the settings' view, `sun` is a unit vector.
function writeView(graphics, sea, size, view, aspect, sun, time) {
    const { right, up, ahead } = axesOf(view), of = sea.sizes[size], crest = CREST * of.deviation;
    const height = view.altitude, focal = 1 / Math.tan(view.field_of_view * Math.PI / 360), horizon = horizonOf(height, crest);
    const near = Math.max(0.1, Math.min(0.05 * height, 0.25 * (height - crest))), far = 1.2 * horizon;
    const rows = [[focal / aspect, right], [focal, up], [(far + near) / (far - near), ahead], [1, ahead]]
        .map(([scale, axis]) => [...axis, -height * axis[1]].map(value => scale * value));
    rows[2][3] -= 2 * far * near / (far - near);
    const toRay = [...right.map(value => value * aspect / focal), 0, ...up.map(value => value / focal), 0, ...ahead, 0, 0, 0, 0, 0];
    const drifted = [view.x, view.z].map((x, i) => x - SURFACE_DRIFT * sea.carrying[i] * time);
    const pattern = sea.pattern.map(([a, b, c, d, , , weight, texels]) => {
        const place = [a * drifted[0] + b * drifted[1], c * drifted[0] + d * drifted[1]].map(x => x - Math.floor(x));
        return [a, b, c, d, ...place, weight, texels / 2];  // the page's pattern has half of the program's texels
    });
    graphics.write("View", {
        view_projection: [0, 1, 2, 3].flatMap(column => rows.map(row => row[column])), clip_to_ray: toRay,
        eye: [0, height, 0, -height], sun: [...sun, SUN_COSINE], horizon, strain_variance: of.strain,
        grid_cutoff: Math.max(...sea.tiles.map(tile => Math.min(tile.high, Math.PI * size / tile.side))),
        height_scale: of.deviation, anisotropy: graphics.anisotropy, slopes_of_all: of.slopesOfAll,
        pattern_layer_count: pattern[2][6] > 0 ? 3 : 2, "pattern_layers[0]": pattern,
    });
}

// Returns `fan` of mesh.vert for a view: the azimuths and distances that the picture shows.
function fanOf(view, aspect, deviation) {
    const { right, up, ahead } = axesOf(view), tangent = Math.tan(view.field_of_view * Math.PI / 360);
    const corners = [[-1, -1], [1, -1], [-1, 1], [1, 1]].map(([x, y]) =>
        ahead.map((value, i) => value + tangent * (aspect * x * right[i] + y * up[i])));
    const heading = view.heading * Math.PI / 180, crest = CREST * deviation;
    const offsets = corners.map(([x, , z]) => Math.abs(Math.atan2(
        Math.cos(heading) * x + Math.sin(heading) * z, Math.sin(heading) * x - Math.cos(heading) * z)));
    const half = Math.min(Math.max(...offsets) + 0.15, Math.PI);
    const lowest = Math.max(...corners.map(([x, y, z]) => -y / Math.hypot(x, z)));  // slope of the steepest ray
    const nearest = Math.max(0.3 * view.altitude / Math.max(lowest, 0.05) - deviation, 0.05 * view.altitude);
    return [heading - half, 2 * half, nearest, Math.log(horizonOf(view.altitude, crest) / nearest)];
}
