// ---- Waves ---------------------------------------------------------------------------------------------------------

// Defines of the program's shaders; the page adds those of the foam (`FoamMap` of ocean/sea/foam.py).
const DEFINES = { MAX_CASCADES: 8, HIDES: 1, TAPS: 0, DIVES: 0, CLEAR: 1, FAR_FOAM: 0, BLOOM: 0, ACES: 1 };
const COPY_SPACING = 0.6, LATTICE_HEIGHT = Math.sqrt(3) / 2;  // of ocean/waves/tiles.py
const MEASURED = 32;  // parts along a side of the maps whose heights are summed separately

// The maps of a sea: displacement and derivatives of each cascade, of `size` texels a side, at any time.
class Waves {
    constructor(graphics, sea, size, radix) {
        this.graphics = graphics;
        this.sea = sea;
        this.size = size;
        this.count = sea.tiles.length;
        const width = this.count * size, { amplitudes, steps, units } = drawWaves(sea, size);
        this.units = units;
        const make = (format, data) => graphics.texture(format, width, size, { data, nearest: true });
        this.amplitudes = make("RGBA32F", amplitudes);
        this.steps = make("R32UI", steps);
        const roots = new Float32Array(2 * size);
        for (let i = 0; i < size; ++i) roots.set([Math.cos(2 * Math.PI * i / size), Math.sin(2 * Math.PI * i / size)], 2 * i);
        this.roots = graphics.texture("RG32F", size, 1, { data: roots, nearest: true });
        const pair = () => graphics.target([make(graphics.precise)], [make(graphics.precise)]);
        this.front = pair();
        this.back = pair();
        this.maps = graphics.texture("RGBA16F", size, size,
            { layers: 2 * this.count, levels: Math.log2(size) + 1, repeat: true });
        // Vertices read `maps`: where neighbours read nothing, llvmpipe's anisotropic filter returns other texels, which show as cracks.
        this.filtered = { ...this.maps, sampler: graphics.anisotropic };
        this.cascades = sea.tiles.map((_, c) => graphics.target([this.maps, 2 * c], [this.maps, 2 * c + 1]));
        this.sums = graphics.target([graphics.texture("RGBA32F" === graphics.precise ? "RGBA32F" : "RGBA16F", MEASURED, MEASURED)]);
        this.evolve = graphics.program("evolve", DEFINES);
        this.toMaps = graphics.program("maps");
        this.heights = graphics.program("heights");
        this.stages = this.plan(radix);
    }

    // Returns the stages of one axis: a radix and the length of the transforms before it.
    plan(radix) {
        const stages = [];
        for (let span = 1; span < this.size;) {
            const own = Math.log2(this.size / span) % Math.log2(radix) === 0 ? radix : 2;
            stages.push({ span, program: this.graphics.program("fft", { RADIX: own }) });
            span *= own;
        }
        return stages;
    }

    // Computes the maps of a time [s]. Positions are relative to `origin`, a world (x, z) [m].
    update(time, origin) {
        const { graphics, size, count, units } = this;
        this.writeBlock(time, origin);
        graphics.draw(this.evolve, this.front, { amplitudes: this.amplitudes, steps: this.steps, units });
        for (const along_rows of [1, 0])
            for (const { span, program } of this.stages) {
                const [displacement, derivatives] = this.front.textures;
                graphics.draw(program, this.back, { displacement, derivatives, roots: this.roots, size, span, along_rows });
                [this.front, this.back] = [this.back, this.front];
            }
        const [displacement, derivatives] = this.front.textures;
        for (let cascade = 0; cascade < count; ++cascade) {
            const unit_ = units.slice(2 * cascade, 2 * cascade + 2);
            graphics.draw(this.toMaps, this.cascades[cascade], { displacement, derivatives, size, cascade, unit_ });
        }
        graphics.gl.bindTexture(this.maps.kind, this.maps.texture);
        graphics.gl.generateMipmap(this.maps.kind);
    }

    // Writes the block of common/cascades.glsl, as `CascadeBlock` of ocean/sea/maps.py does.
    writeBlock(time, origin) {
        const { sea, size, count } = this, values = { cascade_count: count, size, choppiness: sea.settings.sea.choppiness };
        const period = sea.period, passed = (time % period + period) % period;
        sea.tiles.forEach((tile, c) => {
            const place = turned(origin, -tile.rotation).map(x => x / tile.side), [u, v] = place.map(x => x / COPY_SPACING);
            const lattice = [u - v / (2 * LATTICE_HEIGHT), v / LATTICE_HEIGHT], point = lattice.map(Math.floor);
            const of = {
                rotation: [Math.cos(tile.rotation), Math.sin(tile.rotation)], offset: place.map(x => x - Math.floor(x)),
                side: tile.side, depth: sea.depth, ticks: Math.round(passed / period * 2 ** 32) % 2 ** 32,
                copies: tile.blended ? 3 : 1, lattice_point: point, lattice_offset: lattice.map((x, i) => x - point[i]),
                blurred: Math.max(...sea.tiles.slice(c).map(other => other.blurred)), turn: 2 * Math.PI / period,
                lift: sea.sizes[size].lifts[c],
            };
            for (const [name, value] of Object.entries(of)) values[`cascades[${c}].${name}`] = value;
        });
        this.graphics.write("Cascades", values);
    }

    // Returns the significant height [m] of the maps: four deviations of the height. Waits for the GPU.
    measuredHeight() {
        const part = this.size / MEASURED;
        this.graphics.draw(this.heights, this.sums, { maps: this.maps, count: this.count, part });
        const squares = this.graphics.read(this.sums).reduce((sum, value, i) => i % 4 ? sum : sum + value, 0);
        return 4 * Math.sqrt(squares) / this.size;
    }

    // Returns the maps of a cascade as arrays of four fields for each texel: (h, Dxz, Dx, Dz) and (hx, hz, Dxx, Dzz).
    fields(cascade) {
        return [0, 1].map(image => this.graphics.read(this.cascades[cascade], image));
    }
}
