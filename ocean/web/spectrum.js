// ---- Spectrum ------------------------------------------------------------------------------------------------------

const GRAVITY = 9.81, SURFACE_TENSION = 7.4e-5;
const PER_OCTAVE = 24, LARGEST_ROOT = 4.25;  // rows of a spectrum's table in an octave; value of its last column

// Weights of Catmull and Rom's cubic through four nodes, at a fraction between the middle two.
function cubicWeights(t) {
    return [t * (t * (2 - t) - 1) / 2, (t * t * (3 * t - 5) + 2) / 2, t * (t * (4 - 3 * t) + 1) / 2, t * t * (t - 1) / 2];
}

// Returns the density Psi [m^4] at a wave vector (nx, nz) of a tile of wave number k [rad/m]: the sum of exp(table) / k^4 over
// wave systems, which run along `axes`. The table's rows divide octaves on both sides of the peak; its columns are even in
// the root of -ln cos²(theta / 2). Cosines are rounded as the program rounds them.
function density(sea, k, nx, nz, axes) {
    const f = Math.fround, { values, shape: [systems, rows, , columns] } = sea.spectrum, inverse = f(1 / Math.sqrt(nx * nx + nz * nz));
    let sum = 0;
    for (let s = 0; s < systems; ++s) {
        const [x, z] = axes[s], half = f(0.5 + f(0.5 * f(f(f(x * nx) + f(z * nz)) * inverse)));
        const last = half > 0 ? columns - 2 : columns - 1;  // the last column is exactly against the waves
        const row = Math.log2(k / sea.peaks[s]) * PER_OCTAVE + sea.below[s] + (k > sea.peaks[s] ? 2 : -1), i = Math.floor(row);
        const root = Math.sqrt(Math.max(-Math.log(half), 0)), column = Math.min(root / LARGEST_ROOT * (columns - 2), last);
        const j = Math.floor(column);
        const down = cubicWeights(row - i), across = cubicWeights(column - j), side = x * nz < z * nx ? 1 : 0;
        let logarithm = 0;
        for (let a = 0; a < 4; ++a) {
            const start = ((s * rows + Math.min(Math.max(i + a - 1, 0), rows - 1)) * 2 + side) * columns;
            for (let b = 0; b < 4; ++b)
                logarithm += down[a] * across[b] * values[start + Math.min(Math.abs(j + b - 1), last)];
        }
        if (logarithm > sea.spectrum.low + 1e-3) sum += Math.exp(logarithm);
    }
    return sum / k ** 4;
}

// Returns the angular frequency [rad/s] of a wave number [rad/m] (`angular_frequency` of ocean/waves/dispersion.py).
function angularFrequency(k, depth, kind) {
    const stiffness = GRAVITY + (kind === "capillary-gravity" ? SURFACE_TENSION * k * k : 0);
    return Math.sqrt(stiffness * k * (kind === "deep" ? 1 : Math.tanh(k * depth)));
}

// Returns the waves of a sea for maps of `size` texels, the cascades side by side: amplitudes h0(k) with the conjugate of
// h0(-k), turns in a loop of the clock, and for each cascade the units of evolve.frag [m].
function drawWaves(sea, size) {
    const count = sea.tiles.length, width = count * size, units = [];
    const amplitudes = new Float32Array(4 * width * size), steps = new Uint32Array(width * size);
    sea.tiles.forEach((tile, c) => {
        const dk = 2 * Math.PI / tile.side, cutoff = Math.min(tile.high, dk * size / 2);
        const shells = Math.min(size / 2 - 1, Math.ceil(cutoff / dk) - 1);
        const factors = drawFactors(BigInt(sea.settings.sea.seed), BigInt(sea.streams[c]), shells);
        const texel = (nx, nz) => ((nz + size) % size) * width + c * size + ((nx + size) % size);
        const axes = sea.directions.map(degrees => degrees * Math.PI / 180)
            .map(angle => turned([Math.sin(angle), -Math.cos(angle)], -tile.rotation).map(Math.fround));
        let heights = 0, slopes = 0;
        for (let i = 0; i < factors.length; i += 4) {
            const [nx, nz, real, imaginary] = factors.subarray(i, i + 4), k = dk * Math.sqrt(nx * nx + nz * nz);
            if (k <= tile.low || k >= cutoff) continue;
            const variance = density(sea, k, nx, nz, axes) * dk * dk;
            const length = Math.sqrt(variance), here = texel(nx, nz), opposite = texel(-nx, -nz);
            amplitudes[4 * here] = amplitudes[4 * opposite + 2] = real * length;
            amplitudes[4 * here + 1] = imaginary * length;
            amplitudes[4 * opposite + 3] = -imaginary * length;
            const w = angularFrequency(k, sea.depth, sea.settings.sea.dispersion);
            steps[here] = Math.max(Math.round(w * sea.period / (2 * Math.PI)), 1);
            heights += variance;
            slopes += variance * k * k;
        }
        units.push(...(heights > 0 ? [Math.sqrt(heights), Math.sqrt(heights / slopes)] : [1, 1]));
    });
    return { amplitudes, steps, units };
}

// Returns a vector (x, z) turned clockwise, as seen from above [rad].
function turned([x, z], angle) {
    const cos = Math.cos(angle), sin = Math.sin(angle);
    return [cos * x - sin * z, sin * x + cos * z];
}

// Returns a covariance (xx, zz, xz, any other value) turned clockwise.
function turnedCovariance([xx, zz, xz, other], angle) {
    const cos = Math.cos(angle), sin = Math.sin(angle);
    return [cos * cos * xx + sin * sin * zz - 2 * cos * sin * xz, sin * sin * xx + cos * cos * zz + 2 * cos * sin * xz,
        cos * sin * (xx - zz) + (cos * cos - sin * sin) * xz, other];
}

const VECTORS_OF_FOAM = ["spilled", "roller", "breakers"];

// Returns a sea with all waves, wind and swell, turned clockwise by an angle [degrees]: no other number of it changes.
function turnedSea(sea, degrees) {
    const angle = degrees * Math.PI / 180, { wind, swell } = sea.settings.sea;
    const round = system => ({ ...system, direction: (((system.direction + degrees) % 360) + 360) % 360 });
    const sizes = Object.entries(sea.sizes).map(([size, of]) => [size, {
        ...of, slopes: of.slopes.map(row => turnedCovariance(row, angle)), slopesOfAll: turnedCovariance(of.slopesOfAll, angle),
        foam: { ...of.foam, ...Object.fromEntries(VECTORS_OF_FOAM.map(name => [name, turned(of.foam[name], angle)])) },
    }]);
    return {
        ...sea, directions: sea.directions.map(direction => direction + degrees), carrying: turned(sea.carrying, angle),
        pattern: sea.pattern.map(([a, b, c, d, ...rest]) => [...turned([a, b], angle), ...turned([c, d], angle), ...rest]),
        sizes: Object.fromEntries(sizes),
        settings: { ...sea.settings, sea: { ...sea.settings.sea, wind: round(wind), swell: round(swell) } },
    };
}
