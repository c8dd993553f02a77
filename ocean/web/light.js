// ---- Light ---------------------------------------------------------------------------------------------------------
// Sun, clear sky and exposure, from tables over the sun's elevation.

const ENVIRONMENT = 128, SKY_OF_SEA = 5;  // texels along a side; first layer in sky/sky_view.glsl
const NOWHERE = 2;  // threshold of clouds without any
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

class Light {
    constructor(graphics, sea) {
        this.graphics = graphics;
        this.sea = sea;
        const [, layers, height, width] = sea.sky.air.shape;
        this.sky = graphics.texture("RGBA16F", width, height, { layers: SKY_OF_SEA + 2 });
        this.air = graphics.texture("RGBA16F", width, height, { layers });
        this.environment = graphics.texture("RGBA16F", ENVIRONMENT, ENVIRONMENT, { layers: 1, levels: Math.log2(ENVIRONMENT) + 1 });
        this.levels = Array.from({ length: Math.log2(ENVIRONMENT) + 1 }, (_, level) => graphics.target([this.environment, 0, level]));
        this.draw = graphics.program("environment", DEFINES);
        this.blur = graphics.program("lobes", DEFINES);
    }

    // Returns the light of a table at the sun's elevation, interpolated between two of its suns.
    at({ values, shape }) {
        const { suns } = this.sea.sky, i = clamp(suns.findIndex(sun => sun > this.elevation), 1, suns.length - 1) - 1;
        const t = clamp((this.elevation - suns[i]) / (suns[i + 1] - suns[i]), 0, 1);
        const each = values.length / shape[0], light = new Float32Array(each);
        for (let j = 0; j < each; ++j)
            light[j] = Math.exp((1 - t) * values[i * each + j] + t * values[(i + 1) * each + j]);
        return light;
    }

    upload(texture, entry, first) {
        const gl = this.graphics.gl, rgb = this.at(entry), [, layers] = entry.shape, rgba = new Float32Array(rgb.length / 3 * 4);
        for (let i = 0; i < rgb.length / 3; ++i) rgba.set(rgb.subarray(3 * i, 3 * i + 3), 4 * i);
        gl.bindTexture(texture.kind, texture.texture);
        gl.texSubImage3D(texture.kind, 0, 0, 0, first, texture.width, texture.height, layers, gl.RGBA, gl.FLOAT, rgba);
    }

    // Moves the sun to an elevation and azimuth [degrees].
    set(elevation, azimuth) {
        const { sky, air, light } = this.sea.sky;
        this.elevation = clamp(elevation, this.sea.sky.suns[0], this.sea.sky.suns.at(-1));
        this.azimuth = azimuth;
        const up = this.elevation * Math.PI / 180, around = azimuth * Math.PI / 180;
        this.sun = [Math.sin(around) * Math.cos(up), Math.sin(up), -Math.cos(around) * Math.cos(up)];
        this.upload(this.sky, sky, SKY_OF_SEA);
        this.upload(this.air, air, 0);
        this.values = [...this.at(light)];
        const { albedo, extinction, scattering } = this.sea.water;
        this.graphics.write("Sky", {
            sun_direction: this.sun, water_albedo: albedo, water_extinction: extinction, water_scattering: scattering,
            clouds: [NOWHERE],
        });
        this.graphics.draw(this.draw, this.levels[0], { sky_view: this.sky, side: ENVIRONMENT });
        for (let before = 0; before + 1 < this.levels.length; ++before) {
            this.only(before, before);  // a texture may not be read and drawn at the same level
            this.graphics.draw(this.blur, this.levels[before + 1], { source: this.environment, is_first: before === 0 });
        }
        this.only(0, this.levels.length - 1);
    }

    only(first, last) {
        const { gl } = this.graphics;
        gl.bindTexture(this.environment.kind, this.environment.texture);
        gl.texParameteri(this.environment.kind, gl.TEXTURE_BASE_LEVEL, first);
        gl.texParameteri(this.environment.kind, gl.TEXTURE_MAX_LEVEL, last);
    }

    // Writes the light and the exposure of a view in a direction [degrees].
    expose(heading) {
        const [sun, sky, aureole, exposures] = [[0, 3], [3, 6], [6, 10], [10]].map(range => this.values.slice(...range));
        const turn = Math.abs((((heading - this.azimuth) % 360) + 540) % 360 - 180) / 180 * (exposures.length - 1);
        const i = Math.min(Math.floor(turn), exposures.length - 2), meter = exposures[i] + (turn - i) * (exposures[i + 1] - exposures[i]);
        this.graphics.write("LightSums", { "light.sun": sun, "light.sky": sky, "light.aureole": aureole, "light.meter": [meter] });
    }
}
