// ---- Foam ----------------------------------------------------------------------------------------------------------
// `FoamMap` of ocean/sea/foam.py: square levels around the eye, each twice as wide as the one before.
// The rules, calibrated on observed coverage, come from the program.

class Foam {
    constructor(graphics, sea, size) {
        const { Foam, breaks, breakers, defines } = sea.sizes[size], side = Number(defines.FOAM_SIZE);
        Object.assign(this, { graphics, sea, breaks, breakers, side, gain: 1, windows: null });
        this.lumps = Number(defines.LUMPS);
        this.texels = Foam.corners.map(([, , texel]) => texel);  // m, of each level
        this.halves = [0, 1].map(() => {
            const texture = graphics.texture("RGBA16F", side, side, { layers: this.texels.length, repeat: true });
            return { texture, levels: this.texels.map((_, level) => graphics.target([texture, level])) };
        });
    }

    get texture() { return this.halves[0].texture; }

    // Advances the map to a later time [s], with the maps of that time, around a world (x, z) [m].
    update(waves, time, origin) {
        const { graphics, sea, side, texels } = this, halfLife = sea.settings.foam.decay * Math.LN2;
        const focus = origin.map((x, i) => x - sea.drift[i] * time);  // wind carries old foam
        const first = texels.map(texel => focus.map(x => Math.floor(x / texel) - side / 2));
        const isFirst = this.windows === null, before = this.windows ?? first, step = isFirst ? 0 : time - this.time;
        const gain = 2 ** (((time % sea.period) / halfLife) % 1);
        const tumbled = origin.map((x, i) => (x - this.breakers[i] * time) / this.lumps);
        graphics.write("Foam", {
            windows: first.map((corner, level) => [...corner, ...before[level]]),
            corners: texels.map((texel, level) =>
                [...first[level].map((x, i) => x * texel - focus[i]), texel, isFirst ? 0 : 1]),
            foam_gain: gain, foam_kept: 0.5 ** (step / halfLife) * gain / this.gain,
            foam_tumbled: tumbled.map(x => x - Math.floor(x)),
        });
        for (let level = 0; this.breaks && level < texels.length; ++level)
            graphics.draw(graphics.program("foam"), this.halves[1].levels[level],
                { past: this.texture, filtered: waves.maps, level });
        this.halves.reverse();
        Object.assign(this, { windows: first, gain, time });
    }
}

// Returns the texture of the foam's patterns: layers of values and their squares, with mip levels.
function patternTexture(graphics, pattern) {
    const layers = pattern.length, side = pattern[0].length, values = pattern.flat(2).map(level => (level - 128) / 32);
    const data = new Float32Array(values.flatMap(value => [value, value * value, 0, 0]));
    const levels = Math.log2(side) + 1;
    const texture = graphics.texture("RGBA16F", side, side, { layers, levels, data, repeat: true });
    graphics.gl.generateMipmap(texture.kind);
    return texture;
}
