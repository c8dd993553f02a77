// Sun, clear sky and exposure, from tables over the sun's elevation.

const ENVIRONMENT = 128, SKY_OF_SEA = 5;  // texels along a side; first layer in sky/sky_view.glsl

class Light {
    constructor(graphics, sea) {
        this.graphics = graphics;
        this.tables = sea.sky;
        const [, layers, height, width] = sea.sky.air.shape, levels = Math.log2(ENVIRONMENT) + 1;
        this.sky = graphics.texture("RGBA16F", width, height, { layers: SKY_OF_SEA + 2 });
        this.air = graphics.texture("RGBA16F", width, height, { layers });
        this.environment = graphics.texture("RGBA16F", ENVIRONMENT, ENVIRONMENT, { layers: 1, levels });
        this.levels = Array.from({ length: levels }, (_, level) => graphics.target([this.environment, 0, level]));
    }

    // Returns the light of a table, interpolated between two of its suns.
    at({ values, shape }) {
        const { suns } = this.tables, i = clamp(suns.findIndex(sun => sun > this.elevation), 1, suns.length - 1) - 1;
        const t = clamp((this.elevation - suns[i]) / (suns[i + 1] - suns[i]), 0, 1), each = values.length / shape[0];
        return Array.from({ length: each }, (_, j) =>
            Math.exp((1 - t) * values[i * each + j] + t * values[(i + 1) * each + j]));
    }

    upload(texture, table, first) {
        const data = this.at(table).flatMap((value, i) => i % 3 === 2 ? [value, 0] : value);
        this.graphics.upload(texture, new Float32Array(data), table.shape[1], first);
    }

    // Moves the sun to an elevation and azimuth [degrees].
    set(elevation, azimuth) {
        const { graphics, tables, environment } = this, { suns } = tables;
        this.elevation = clamp(elevation, suns[0], suns.at(-1));
        const up = this.elevation * Math.PI / 180, around = azimuth * Math.PI / 180;
        this.azimuth = azimuth;
        this.sun = [Math.sin(around) * Math.cos(up), Math.sin(up), -Math.cos(around) * Math.cos(up)];
        this.upload(this.sky, tables.view, SKY_OF_SEA);
        this.upload(this.air, tables.air, 0);
        this.sums = this.at(tables.sums);
        graphics.write("Sky", { ...tables.Sky, sun_direction: this.sun });
        this.levels.forEach((target, level) => {
            this.showLevels(Math.abs(level - 1), Math.abs(level - 1));  // a level can't be read while it is drawn
            const values = { sky_view: this.sky, previous: environment, level };
            graphics.draw(graphics.program("environment"), target, values);
        });
        this.showLevels(0, this.levels.length - 1);
    }

    showLevels(first, last) {
        const { gl } = this.graphics, { kind, texture } = this.environment;
        gl.bindTexture(kind, texture);
        gl.texParameteri(kind, gl.TEXTURE_BASE_LEVEL, first);
        gl.texParameteri(kind, gl.TEXTURE_MAX_LEVEL, last);
    }

    // Writes the light and the exposure of a view in a direction [degrees].
    expose(heading) {
        const [sun, sky, aureole, exposures] = [[0, 3], [3, 6], [6, 10], [10]].map(part => this.sums.slice(...part));
        const turn = Math.abs(modulo(heading - this.azimuth + 180, 360) - 180) / 180 * (exposures.length - 1);
        const i = Math.min(Math.floor(turn), exposures.length - 2), t = turn - i;
        this.graphics.write("LightSums", { "light.sun": sun, "light.sky": sky, "light.aureole": aureole,
            "light.meter": (1 - t) * exposures[i] + t * exposures[i + 1] });
    }
}
