// ---- Light ---------------------------------------------------------------------------------------------------------
// Sun and clear sky from tables over the sun's elevation, and the exposure, as sky/light.comp computes it.

const ENVIRONMENT = 128, SKY_OF_SEA = 5;  // texels along a side; first layer of the sky in sky/sky_view.glsl
const GREY = 0.18, DAY = 6000, BRIGHT = 1.5, USUAL = 1.35, DARK = 0.3;  // of post/exposure.glsl

const luminance = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

// Factor on radiance [kcd/m²] that exposes for a grey card of luminance `card` and a seen mean [cd/m²].
function exposureFor(card, seen) {
    const adapted = card * (clamp(seen / card, 0.5, 6) / USUAL) ** 0.6;
    const bright = x => 1.03 - 2 / (2 + Math.log10(x + 1));  // Krawczyk et al. (2005)
    const key = (adapted / DAY) ** 0.15 * bright(Math.max(adapted, DARK)) / bright(DAY);
    return 1e3 * BRIGHT * GREY * key / Math.max(adapted, 1e-6);
}

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
        const { gl } = this.graphics, { sky, air, sunlight } = this.sea.sky;
        this.elevation = clamp(elevation, this.sea.sky.suns[0], this.sea.sky.suns.at(-1));
        const up = this.elevation * Math.PI / 180, around = azimuth * Math.PI / 180;
        this.sun = [Math.sin(around) * Math.cos(up), Math.sin(up), -Math.cos(around) * Math.cos(up)];
        this.upload(this.sky, sky, SKY_OF_SEA);
        this.upload(this.air, air, 0);
        this.sunlight = [...this.at(sunlight)];
        const { albedo, extinction, scattering } = this.sea.water;
        this.graphics.write("Sky", {
            sun_direction: [...this.sun, 0], water_albedo: [...albedo, 0], water_extinction: [...extinction, 0],
            water_scattering: [...scattering, 0], "clouds": [2, 1400, 0, 0],
        });
        this.graphics.draw(this.draw, this.levels[0], { sky_view: this.sky, side: ENVIRONMENT });
        for (let before = 0; before + 1 < this.levels.length; ++before) {
            this.only(before, before);  // a texture may not be read and drawn at the same level
            this.graphics.draw(this.blur, this.levels[before + 1], { source: this.environment, is_first: before === 0 });
        }
        this.only(0, this.levels.length - 1);
        this.sum();
    }

    only(first, last) {
        const { gl } = this.graphics;
        gl.bindTexture(this.environment.kind, this.environment.texture);
        gl.texParameteri(this.environment.kind, gl.TEXTURE_BASE_LEVEL, first);
        gl.texParameteri(this.environment.kind, gl.TEXTURE_MAX_LEVEL, last);
    }

    // Integrates the environment: irradiance of the sky, its texels for metering, and the aureole about the sun.
    sum() {
        const texels = this.graphics.read(this.levels[1]), side = ENVIRONMENT / 2, skylight = [0, 0, 0];
        this.texels = [];
        for (let y = 0; y < side; ++y)
            for (let x = 0; x < side; ++x) {
                const e = [2 * (x + 0.5) / side - 1, 2 * (y + 0.5) / side - 1], p = [(e[0] + e[1]) / 2, (e[0] - e[1]) / 2];
                const v = [p[0], 1 - Math.abs(p[0]) - Math.abs(p[1]), p[1]], length = Math.hypot(...v);
                const solid = 2 / side ** 2 / length ** 3, at = 4 * (y * side + x), up = v[1] / length;
                const radiance = [...texels.subarray(at, at + 3)];
                radiance.forEach((value, i) => { skylight[i] += solid * up * value; });
                this.texels.push({ x: v[0] / length, y: up, z: v[2] / length, solid, luminance: luminance(radiance) });
            }
        this.skylight = skylight;
        const narrow = this.look(this.sun, 2), wide = this.look(this.sun, 4);
        const bright = [0, 1, 2].map(i => Math.max((narrow[i] - wide[i]) / Math.max(narrow[3] - wide[3], 1e-3), 0));
        const horizon = this.look([this.sun[0], 1e-4, this.sun[2]], 0);
        const low = [0, 1, 2].map(i => horizon[i] - (narrow[i] - narrow[3] * bright[i]));
        this.aureole = [...bright, clamp(luminance(low) / Math.max(luminance(bright), 1e-9), 0, 1)];
    }

    // Returns a level of the environment in a direction, interpolated between texels.
    look([x, y, z], level) {
        const up = Math.max(y, 0), sum = Math.abs(x) + up + Math.abs(z), { width } = this.levels[level];
        const texels = this.graphics.read(this.levels[level]), found = [0, 0, 0, 0];
        const place = [x + z, x - z].map(e => clamp((0.5 + 0.5 * e / sum) * width - 0.5, 0, width - 1.001));
        const [i, j] = place.map(Math.floor), [s, t] = [place[0] - i, place[1] - j];
        for (const [di, dj, weight] of [[0, 0, (1 - s) * (1 - t)], [1, 0, s * (1 - t)], [0, 1, (1 - s) * t], [1, 1, s * t]])
            for (let channel = 0; channel < 4; ++channel)
                found[channel] += weight * texels[4 * ((j + dj) * width + i + di) + channel];
        return found;
    }

    // Exposes for a view along a unit vector, with `exposure` stops more: the light of sky and water in the field of view.
    expose([x, y, z], exposure) {
        const onWater = this.skylight.map((value, i) => value + Math.max(this.sun[1], 0) * this.sunlight[i]);
        const onCard = this.skylight.map((value, i) => value + 0.5 * (Math.max(this.sun[1], 0) + 1) * this.sunlight[i]);
        const upwelling = luminance(onWater.map((value, i) => value * this.sea.water.albedo[i])) / Math.PI;
        let seen = 0;
        for (const texel of this.texels) {
            const weight = up => 2.5 / Math.PI * Math.max(texel.x * x + up * y + texel.z * z, 0) ** 4;
            const above = weight(texel.y), below = weight(-texel.y), reflected = 0.02 + 0.98 * (1 - texel.y) ** 5;
            seen += texel.solid * ((above + below * reflected) * texel.luminance + below * (1 - reflected) * upwelling);
        }
        const factor = 2 ** exposure * exposureFor(1e3 * GREY / Math.PI * luminance(onCard), 1e3 * seen);
        this.graphics.write("Light", {
            "light.sun": [...this.sunlight, 0], "light.sky": [...this.skylight, 0], "light.aureole": this.aureole,
            "light.meter": [factor, 0, 0, 0],
        });
    }

    release() {
        this.graphics.release({ textures: [this.sky, this.air, this.environment], targets: this.levels });
    }
}
