const MEASURED = 32;  // parts along a side of the maps whose heights are summed separately

// The maps of a sea at any time: displacement and derivatives of each cascade.
class Waves {
    constructor(graphics, sea, radix) {
        const { tiles, size, period } = sea, { amplitudes, steps, units } = drawWaves(sea);
        Object.assign(this, { graphics, size, tiles, units, period });
        const make = (format, data) => graphics.texture(format, tiles.length * size, size, { data, nearest: true });
        this.amplitudes = make("RGBA32F", amplitudes);
        this.steps = make("R32UI", steps);
        const roots = new Float32Array(4 * size), turn = 2 * Math.PI / size;
        for (let n = 0; n < size; ++n) roots.set([Math.cos(turn * n), Math.sin(turn * n)], 4 * n);
        this.roots = graphics.texture("RGBA32F", size, 1, { data: roots, nearest: true });
        const pair = () => graphics.target([make(graphics.precise)], [make(graphics.precise)]);
        this.front = pair();
        this.back = pair();
        this.maps = graphics.texture("RGBA16F", size, size,
            { layers: 2 * tiles.length, levels: Math.log2(size) + 1, repeat: true });
        // Vertices read `maps`: llvmpipe's anisotropic filter would show cracks where neighbours read nothing.
        this.filtered = { ...this.maps, sampler: graphics.anisotropic };
        this.cascades = tiles.map((_, c) => graphics.target([this.maps, 2 * c], [this.maps, 2 * c + 1]));
        this.sums = graphics.target([graphics.texture(graphics.precise, MEASURED, MEASURED)]);
        this.stages = [];  // of one axis: a program and the length of the transforms before it
        for (let span = 1; span < size;) {
            const own = Math.log2(size / span) % Math.log2(radix) === 0 ? radix : 2;
            this.stages.push({ span, program: graphics.program("fft", { RADIX: own }) });
            span *= own;
        }
    }

    // Computes the maps of a time [s]. Positions are relative to `origin`, a world (x, z) [m].
    update(time, origin) {
        const { graphics, size, amplitudes, steps, roots, units, maps } = this;
        this.place(time, origin);
        graphics.draw(graphics.program("evolve"), this.front, { amplitudes, steps, units });
        for (const along_rows of [1, 0])
            for (const { span, program } of this.stages) {
                const [displacement, derivatives] = this.front.textures;
                graphics.draw(program, this.back, { displacement, derivatives, roots, size, span, along_rows });
                [this.front, this.back] = [this.back, this.front];
            }
        const [displacement, derivatives] = this.front.textures;
        this.cascades.forEach((target, cascade) => {
            const unit_ = units.slice(2 * cascade, 2 * cascade + 2);
            graphics.draw(graphics.program("maps"), target, { displacement, derivatives, size, cascade, unit_ });
        });
        graphics.gl.bindTexture(maps.kind, maps.texture);
        graphics.gl.generateMipmap(maps.kind);
    }

    // Writes the time and the origin's place on each tile, as `CascadeBlock` of ocean/sea/maps.py does.
    place(time, [x, z]) {
        const { tiles, period } = this, passed = modulo(time, period);
        const places = tiles.map(({ place }) => place.map(([east, south]) => east * x + south * z));
        const parts = places.map(place => place.map(value => modulo(value, 1)));
        this.graphics.write("Cascades", { cascades: {
            ticks: tiles.map(() => Math.round(passed / period * 2 ** 32)),
            offset: parts.map(part => part.slice(0, 2)),
            lattice_offset: parts.map(part => part.slice(2)),
            lattice_point: places.map(place => place.slice(2).map(Math.floor)),
        } });
    }

    // Returns the significant height [m] of the maps: four deviations of the height. Waits for the GPU.
    measuredHeight() {
        const { graphics, size, maps, sums, tiles: { length: count } } = this;
        graphics.draw(graphics.program("heights"), sums, { maps, count, part: size / MEASURED });
        return 4 * Math.sqrt(graphics.read(sums).reduce((sum, value) => sum + value)) / size;
    }
}
