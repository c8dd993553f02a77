// `FoamMap` of ocean/sea/foam.py: square levels around the eye, each twice as wide as the one before.
// The rules, calibrated on observed coverage, come from the program.

class Foam {
    constructor(graphics, sea) {
        const side = Number(sea.defines.FOAM_SIZE);
        Object.assign(this, { graphics, sea, side, gain: 1, windows: null });
        this.texels = sea.Foam.corners.map(([, , texel]) => texel);  // m, of each level
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
        const tumbled = origin.map((x, i) => modulo((x - sea.breakers[i] * time) / Number(sea.defines.LUMPS), 1));
        graphics.write("Foam", {
            windows: first.map((corner, level) => [...corner, ...before[level]]),
            corners: texels.map((texel, level) =>
                [...first[level].map((x, i) => x * texel - focus[i]), texel, isFirst ? 0 : 1]),
            foam_gain: gain, foam_kept: 0.5 ** (step / halfLife) * gain / this.gain, foam_tumbled: tumbled,
        });
        for (let level = 0; sea.breaks && level < texels.length; ++level)
            graphics.draw(graphics.program("foam"), this.halves[1].levels[level],
                { past: this.texture, filtered: waves.maps, level });
        this.halves.reverse();
        Object.assign(this, { windows: first, gain, time });
    }
}
