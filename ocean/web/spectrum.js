const GRAVITY = 9.81, SURFACE_TENSION = 7.4e-5;
const PER_OCTAVE = 24, LARGEST_ROOT = 4.25;  // rows of a spectrum's table in an octave; value of its last column

// Weights of Catmull and Rom's cubic through four nodes, at a fraction between the middle two.
function cubicWeights(t) {
    const square = t * t, cube = t * square;
    return [2 * square - cube - t, 3 * cube - 5 * square + 2, 4 * square - 3 * cube + t, cube - square].map(w => w / 2);
}

// Returns the density Psi [m^4] of a wave system along an axis (x, z), exp(table) / k^4, at the wave vector (nx, nz) of
// k rad/m. Rows divide octaves on both sides of the peak; columns are even in the root of -ln cos²(theta / 2).
// Cosines are rounded as the program rounds them.
function density({ values, shape: [rows, , columns], low, peak, below }, k, nx, nz, [x, z]) {
    const f = Math.fround, cosine = f(f(f(x * nx) + f(z * nz)) * f(1 / Math.sqrt(nx * nx + nz * nz)));
    const half = f(0.5 + f(0.5 * cosine)), last = half > 0 ? columns - 2 : columns - 1;  // the last: against the waves
    const row = Math.log2(k / peak) * PER_OCTAVE + below + (k > peak ? 2 : -1), i = Math.floor(row);
    const root = Math.sqrt(Math.max(-Math.log(half), 0)), column = Math.min(root / LARGEST_ROOT * (columns - 2), last);
    const j = Math.floor(column), down = cubicWeights(row - i), across = cubicWeights(column - j);
    const side = x * nz < z * nx ? 1 : 0;
    let logarithm = 0;
    for (let a = 0; a < 4; ++a) {
        const start = (clamp(i + a - 1, 0, rows - 1) * 2 + side) * columns;
        for (let b = 0; b < 4; ++b)
            logarithm += down[a] * across[b] * values[start + Math.min(Math.abs(j + b - 1), last)];
    }
    return logarithm > low + 1e-3 ? Math.exp(logarithm) / k ** 4 : 0;
}

// Returns the angular frequency [rad/s] of a wave number [rad/m] (`angular_frequency` of ocean/waves/dispersion.py).
function angularFrequency(k, { depth, dispersion }) {
    const stiffness = GRAVITY + (dispersion === "capillary-gravity" ? SURFACE_TENSION * k * k : 0);
    return Math.sqrt(stiffness * k * (dispersion === "deep" ? 1 : Math.tanh(k * depth)));
}

// Returns the waves of a sea, cascades side by side: amplitudes h0(k) with the conjugate of h0(-k), turns in a loop of
// the clock, and for each cascade the units of evolve.frag [m].
function drawWaves({ tiles, size, spectra, period, settings: { sea } }) {
    const width = tiles.length * size, units = [];
    const amplitudes = new Float32Array(4 * width * size), steps = new Uint32Array(width * size);
    tiles.forEach(({ side, rotation, low, high, stream }, c) => {
        const dk = 2 * Math.PI / side, shells = Math.min(size / 2 - 1, Math.ceil(high / dk) - 1);
        const factors = drawFactors(BigInt(sea.seed), BigInt(stream), shells);
        const texel = (nx, nz) => ((nz + size) % size) * width + c * size + ((nx + size) % size);
        const axes = spectra.map(({ direction }) => direction * Math.PI / 180)
            .map(angle => turned([Math.sin(angle), -Math.cos(angle)], -rotation).map(Math.fround));
        let heights = 0, slopes = 0;
        for (let i = 0; i < factors.length; i += 4) {
            const [nx, nz, real, imaginary] = factors.subarray(i, i + 4), k = dk * Math.sqrt(nx * nx + nz * nz);
            if (k <= low || k >= high) continue;
            const variance = dk * dk * spectra.reduce((sum, one, s) => sum + density(one, k, nx, nz, axes[s]), 0);
            const length = Math.sqrt(variance), here = texel(nx, nz), opposite = texel(-nx, -nz);
            amplitudes[4 * here] = amplitudes[4 * opposite + 2] = real * length;
            amplitudes[4 * here + 1] = imaginary * length;
            amplitudes[4 * opposite + 3] = -imaginary * length;
            steps[here] = Math.max(Math.round(angularFrequency(k, sea) * period / (2 * Math.PI)), 1);
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

// Returns a sea with all waves, wind and swell, turned clockwise by an angle [degrees]: no other number of it changes.
function turnedSea(sea, degrees) {
    const angle = degrees * Math.PI / 180, vector = v => turned(v, angle), covariance = v => turnedCovariance(v, angle);
    const axes = (row, i) => i % 2 ? row : [...vector(row.slice(0, 2)), ...vector(row.slice(2))], { View, Foam } = sea;
    return {
        ...sea, drift: vector(sea.drift), breakers: vector(sea.breakers), slopes: sea.slopes.map(covariance),
        spectra: sea.spectra.map(system => ({ ...system, direction: system.direction + degrees })),
        View: { ...View, slopes_of_all: covariance(View.slopes_of_all), pattern_layers: View.pattern_layers.map(axes) },
        Foam: { ...Foam, foam_spilled: vector(Foam.foam_spilled), foam_roller: vector(Foam.foam_roller) },
    };
}
