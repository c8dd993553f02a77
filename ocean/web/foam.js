// ---- Foam ----------------------------------------------------------------------------------------------------------
// `FoamMap` of ocean/sea/foam.py: square levels around the eye, each twice as wide as the one before, fixed in the world.
// The rules, calibrated on observed coverage, come from the program.

const FOAM_LEVELS = 8, FINEST_SIDE = 96;  // levels; side of the first one [m]
const BIRTH_WIDTH = 0.05, MOST_AIR = 2, FOAM_CUTOFF = 2 ** -7, LEAST_UNSHOWN = 0.05, SURFACE_DRIFT = 0.03;

const RULES = ["threshold", "start", "breaking", "steepness", "ripples", "thinning", "apart", "streaks", "spilled", "roller"];

class Foam {
    constructor(graphics, sea, size) {
        this.graphics = graphics;
        this.sea = sea;
        this.rules = sea.sizes[size].foam;
        const side = this.rules.resolution;
        this.texels = Array.from({ length: FOAM_LEVELS }, (_, level) => FINEST_SIDE / side * 2 ** level);
        this.defines = { ...DEFINES, FOAM_SIZE: side };
        this.program = graphics.program("foam", this.defines);
        this.halves = [0, 1].map(() => {
            const texture = graphics.texture("RGBA16F", side, side, { layers: FOAM_LEVELS, repeat: true });
            return { texture, levels: this.texels.map((_, level) => graphics.target([texture, level])) };
        });
        this.windows = null;
        this.gain = 1;
    }

    get texture() { return this.halves[0].texture; }

    // Advances the map to a time [s], with the maps of that time, around a world (x, z) [m].
    update(waves, time, origin) {
        const { rules, texels } = this, decay = this.sea.settings.foam.decay;
        const focus = origin.map((x, i) => x - SURFACE_DRIFT * this.sea.carrying[i] * time);  // wind carries old foam
        if (this.windows && time < this.time) this.windows = null;
        const first = texels.map(texel => focus.map(x => Math.floor(x / texel) - rules.resolution / 2));
        const before = this.windows ?? first, step = this.windows ? time - this.time : 0;
        const halfLife = decay * Math.log(2), gain = 2 ** (((time % this.sea.period) / halfLife) % 1);
        const tumbled = origin.map((x, i) => (x - rules.breakers[i] * time) / rules.lumps);
        const rows = texels.map((texel, level) => {
            const unshown = rules.unshown[level], corner = first[level].map((x, i) => x * texel - focus[i]);
            return {
                windows: [...first[level], ...before[level]], corners: [...corner, texel, Number(this.windows !== null)],
                births: [rules.texels[level], unshown, unshown > 0 ? Math.sqrt(LEAST_UNSHOWN / unshown) : 1, 0],
            };
        });
        this.graphics.write("Foam", {
            ...Object.fromEntries(RULES.map(name => [`foam_${name}`, rules[name]])),
            "windows[0]": rows.map(row => row.windows), "corners[0]": rows.map(row => row.corners),
            "births[0]": rows.map(row => row.births), foam_width: BIRTH_WIDTH, foam_most: MOST_AIR, foam_cutoff: FOAM_CUTOFF,
            foam_gain: gain, foam_kept: 0.5 ** (step / halfLife) * gain / this.gain,
            foam_judged: Math.max(0, rules.unshown.lastIndexOf(0)), foam_tumbled: tumbled.map(x => x - Math.floor(x)),
        });
        for (let level = 0; rules.is_possible && level < FOAM_LEVELS; ++level) {
            const past = this.halves[0].texture;
            this.graphics.draw(this.program, this.halves[1].levels[level], { past, filtered: waves.maps, level });
        }
        this.halves.reverse();
        [this.windows, this.gain, this.time] = [first, gain, time];
    }
}

// Returns the texture of the foam's patterns: two layers of values and their squares, with mip levels.
function patternTexture(graphics, { values, shape: [layers, side] }) {
    const data = new Float32Array(2 * values.length);
    values.forEach((value, i) => data.set([(value - 128) / 32, ((value - 128) / 32) ** 2], 2 * i));
    const texture = graphics.texture("RG16F", side, side, { layers, levels: Math.log2(side) + 1, data, repeat: true });
    graphics.gl.generateMipmap(texture.kind);
    return texture;
}
