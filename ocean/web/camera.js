const EARTH_RADIUS = 6.371e6, CREST = 5;  // m; deviations of the height at the highest crests

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
function writeView(graphics, sea, view, aspect, sun, time) {
    const { right, up, ahead } = axesOf(view), { View } = sea, height = view.altitude;
    const focal = 1 / Math.tan(view.field_of_view * Math.PI / 360);
    const crest = CREST * View.height_scale, horizon = horizonOf(height, crest);
    const near = Math.max(0.1, Math.min(0.05 * height, 0.25 * (height - crest))), far = 1.2 * horizon;
    const rows = [[focal / aspect, right], [focal, up], [(far + near) / (far - near), ahead], [1, ahead]]
        .map(([scale, axis]) => [...axis, -height * axis[1]].map(value => scale * value));
    rows[2][3] -= 2 * far * near / (far - near);
    const toRay = [[aspect / focal, right], [1 / focal, up], [1, ahead], [0, ahead]]
        .map(([scale, axis]) => [...axis.map(value => scale * value), 0]);
    const [x, z] = [view.x - sea.drift[0] * time, view.z - sea.drift[1] * time], layers = View.pattern_layers;
    graphics.write("View", {
        view_projection: [0, 1, 2, 3].map(column => rows.map(row => row[column])), clip_to_ray: toRay,
        eye: [0, height, 0, -height], sun, horizon, anisotropy: graphics.anisotropy,
        pattern_layers: layers.map((row, i) => {
            if (i % 2 === 0) return row;
            const [a, b, c, d] = layers[i - 1], place = [a * x + b * z, c * x + d * z];
            return [...place.map(value => modulo(value, 1)), row[2], row[3]];
        }),
    });
}

// Returns `fan` of mesh.vert for a view: the azimuths and distances that the picture shows.
function fanOf({ heading, pitch, field_of_view, altitude }, aspect, deviation) {
    const [h, p, v] = [heading, pitch, field_of_view / 2].map(angle => angle * Math.PI / 180), top = Math.tan(v);
    const corners = [-top, top].map(y => Math.atan2(aspect * top, Math.cos(p) - y * Math.sin(p)));  // azimuths
    const lowest = v - p, isSteep = lowest > 1.3;  // rad below the horizon; the point below the eye is in the picture
    const half = isSteep ? Math.PI : Math.min(Math.max(...corners) + 0.15, Math.PI);
    const nearest = isSteep ? 1e-4 * altitude
        : Math.max(0.3 * altitude / Math.max(Math.tan(lowest), 0.05) - deviation, 0.05 * altitude);
    return [h - half, 2 * half, nearest, Math.log(horizonOf(altitude, CREST * deviation) / nearest)];
}
