// ---- Page ----------------------------------------------------------------------------------------------------------
// In the console, `sea` is the page: sea.set({ name: "storm", size: 256 }), sea.draw(), sea.waves.fields(0).

const MOST_CELLS = [256, 640], CELL = [4, 1.5];  // largest numbers of the mesh's columns and rows; pixels for each
const WARM_UP = 24, WARM_STEP = 0.25;  // steps [s] that grow foam before the first frame
const BUDGET = { 512: 3, 256: 6, 128: 16 };  // time of a frame at 128 up to which a size is chosen [ms]

// Returns the arrays of the page by their entries; logarithms (with `low` and `high`) are made floats again.
async function unpack(text) {
    const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const buffer = await new Response(stream).arrayBuffer();
    return entry => {
        const { at, type, shape, low, high } = entry, count = shape.reduce((product, side) => product * side, 1);
        const values = new { uint8: Uint8Array, uint16: Uint16Array, float32: Float32Array }[type](buffer, at, count);
        if (low === undefined) return values;
        const levels = Uint16Array.from(values), row = shape.at(-1);
        for (let i = row; i < count; ++i) levels[i] += levels[i - row];
        return Float32Array.from(levels, level => low + level * (high - low) / 65535);
    };
}

class Page {
    constructor(data, array) {
        this.data = data;
        this.canvas = element("view");
        Object.assign(DEFINES, data.defines);
        data.foamPattern.values = array(data.foamPattern);
        for (const sea of Object.values(data.seas)) {
            for (const entry of [sea.spectrum, sea.sky.sky, sea.sky.air, sea.sky.light]) entry.values = array(entry);
            for (const of of Object.values(sea.sizes)) {
                const values = array(of.slopes);
                of.slopes = Array.from({ length: of.slopes.shape[0] }, (_, i) => [...values.subarray(4 * i, 4 * i + 4)]);
            }
        }
        const asked = new URLSearchParams(location.hash.slice(1)), number = name => Number(asked.get(name) || NaN);
        const given = (name, isRight = Number.isFinite) => isRight(number(name)) ? { [name]: number(name) } : {};
        const size = given("size", value => value in data.seas[data.first].sizes);
        this.wantsHalf = asked.has("half");
        const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
        this.state = { size: 128, radix: 4, time: data.start, isPaused: isCalm || asked.has("paused"), scale: 1,
            ...given("radix", value => value === 2 || value === 4), ...given("time") };
        this.isMeasured = "size" in size;
        this.take(Object.hasOwn(data.seas, asked.get("sea")) ? asked.get("sea") : data.first);
        Object.assign(this.state, size, given("wind"), given("elevation"), given("azimuth"));
        this.panel = new Panel(this, Object.keys(data.seas), Object.keys(data.seas[data.first].sizes));
        this.canvas.addEventListener("webglcontextlost", event => {
            event.preventDefault();  // else it is not restored
            this.graphics = null;
        });
        this.canvas.addEventListener("webglcontextrestored", () => this.build());
        new ResizeObserver(() => { this.isDrawn = false; }).observe(this.canvas);
        this.build();
        this.before = performance.now();
        this.panel.show();
        requestAnimationFrame(now => {
            this.frame(now);
            say(isCalm ? "The sea is paused, because your system asks for less motion. The panel or the space bar starts it." : "");
        });
    }

    // Takes view and light of a sea by its name.
    take(name) {
        const { sea, view, sky } = this.data.seas[name].settings;
        Object.assign(this.state, { name, wind: sea.wind.direction, view: { ...view },
            elevation: sky.sun_elevation, azimuth: sky.sun_azimuth });
    }

    // Changes the state: name, size, radix, wind, elevation, azimuth [degrees], time [s], isPaused.
    set(change) {
        if (change.name) this.take(change.name);
        Object.assign(this.state, change);
        if (change.isPaused === false) say("");
        if (!this.graphics) return;
        if (["name", "size", "radix", "wind", "time"].some(key => key in change)) this.isFilled = false;
        else if (this.isFilled && ("elevation" in change || "azimuth" in change)) this.light.set(this.state.elevation, this.state.azimuth);
        this.isDrawn = false;
        this.panel.show();
    }

    look(change) {
        const view = Object.assign(this.state.view, change);
        view.pitch = clamp(view.pitch, -80, 60);
        view.field_of_view = clamp(view.field_of_view, 5, 90);
        view.altitude = clamp(view.altitude, 1, 500);
        this.isDrawn = false;
    }

    // Makes everything that lives in the context, at the start and after the context was lost.
    build() {
        const gl = this.canvas.getContext("webgl2", { antialias: false, alpha: false, powerPreference: "high-performance" });
        if (!gl) throw new Error("This page needs WebGL 2, which this browser or its graphics driver does not offer.");
        this.graphics = new Graphics(gl, this.data.shaders, this.wantsHalf);
        this.pattern = patternTexture(this.graphics, this.data.foamPattern);
        const curve = sea => ({ ...DEFINES, CURVE: sea.settings.sky.tone_mapping === "aces" ? "ACES" : 0 });
        this.sky = this.graphics.program("sky", DEFINES);
        this.tone = this.graphics.program("tone", curve(this.data.seas[this.state.name]));
        this.picture = this.dropSea = this.dropPicture = null;
        this.timers = [];
        this.isFilled = false;
    }

    // Makes what belongs to the sea of the state.
    fill() {
        const { graphics, state } = this, known = this.data.seas[state.name];
        this.sea = turnedSea(known, state.wind - known.settings.sea.wind.direction);
        this.dropSea?.();
        this.dropSea = graphics.scope(() => {
            this.waves = new Waves(graphics, this.sea, state.size, state.radix);
            this.foam = new Foam(graphics, this.sea, state.size);
            this.light = new Light(graphics, this.sea);
            const { slopes } = this.sea.sizes[state.size], data = new Float32Array(slopes.flat());
            this.slopes = graphics.texture("RGBA16F", slopes.length, 1, { data });
        });
        this.water = graphics.program("sea", this.foam.defines, "mesh");
        this.light.set(state.elevation, state.azimuth);
        const steps = this.foam.rules.is_possible ? WARM_UP : 0;
        for (let step = steps; step >= 0; --step) this.advance(state.time - step * WARM_STEP);
        this.isFilled = true;
    }

    // Moves waves and foam to a time [s].
    advance(time) {
        const origin = [this.state.view.x, this.state.view.z];
        this.timed("waves", () => this.waves.update(time, origin));
        this.foam.update(this.waves, time, origin);
    }

    resize() {
        const { canvas, graphics, state } = this, { gl } = graphics, ratio = Math.min(devicePixelRatio, 2);
        const [width, height] = [canvas.clientWidth, canvas.clientHeight].map(side => Math.max(Math.round(side * ratio), 1));
        const [w, h] = [width, height].map(side => Math.max(Math.round(side * state.scale), 1));
        if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
        if (this.picture?.width === w && this.picture?.height === h) return;
        this.dropPicture?.();
        this.dropPicture = graphics.scope(() => {
            const depth = gl.createRenderbuffer();
            graphics.made.push(() => gl.deleteRenderbuffer(depth));
            this.picture = graphics.target([graphics.texture("RGBA16F", w, h)]);
            gl.bindRenderbuffer(gl.RENDERBUFFER, depth);
            gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT24, w, h);
            gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, depth);
        });
    }

    // Draws the state.
    draw() {
        if (!this.isFilled) this.fill();
        this.resize();
        const { graphics, state, picture, light, sea } = this, { gl } = graphics, { view, time } = state;
        const aspect = picture.width / picture.height, sides = [picture.width, picture.height];
        const cells = MOST_CELLS.map((most, i) => Math.min(Math.ceil(sides[i] / CELL[i]), most));
        this.advance(time);
        writeView(graphics, sea, state.size, view, aspect, light.sun, time);
        light.expose(view.heading);
        this.timed("picture", () => {
            graphics.draw(this.sky, picture, { picture: sides, sky_view: light.sky });
            gl.enable(gl.DEPTH_TEST);
            gl.clear(gl.DEPTH_BUFFER_BIT);
            graphics.draw(this.water, picture, {
                maps: this.waves.maps, filtered: this.waves.filtered, slopes: this.slopes, environment: light.environment,
                aerial_table: light.air, sky_view: light.sky, foam_map: this.foam.texture, foam_patterns: this.pattern,
                cells, fan: fanOf(view, aspect, sea.sizes[state.size].deviation),
            }, 2 * (cells[1] + 1), cells[0]);
            gl.disable(gl.DEPTH_TEST);
            graphics.draw(this.tone, null, { hdr: picture.textures[0], scale: [state.scale, state.scale] });
        });
        this.isDrawn = true;
    }

    // Runs work between timer queries, where the browser has them.
    timed(name, work) {
        const { timer, gl } = this.graphics;
        const isFree = timer && !this.timers.some(one => one.name === name);
        if (!isFree) return work();
        const query = gl.createQuery();
        gl.beginQuery(timer.TIME_ELAPSED_EXT, query);
        work();
        gl.endQuery(timer.TIME_ELAPSED_EXT);
        this.timers.push({ name, query });
    }

    collectTimes() {
        const { timer, gl } = this.graphics;
        this.times ??= {};
        this.timers = this.timers.filter(({ name, query }) => {
            if (!gl.getQueryParameter(query, gl.QUERY_RESULT_AVAILABLE)) return true;
            if (!gl.getParameter(timer.GPU_DISJOINT_EXT)) this.times[name] = gl.getQueryParameter(query, gl.QUERY_RESULT) / 1e6;
            gl.deleteQuery(query);
            return false;
        });
    }

    // Measures frames at 128 texels a side, and chooses the largest size that leaves time for 60 a second.
    measure() {
        const finish = () => { this.draw(); this.waves.measuredHeight(); };  // waits
        finish();  // drivers compile in the first frame
        const begun = performance.now();
        let frames = 0, passed = 0;
        while (frames < 4 && passed < 200) {
            finish();
            frames += 1;
            passed = performance.now() - begun;
        }
        const cost = passed / frames, size = Number(Object.keys(BUDGET).reverse().find(key => cost <= BUDGET[key]) ?? 64);
        this.state.scale = cost <= BUDGET[128] ? 1 : 0.5;
        this.isMeasured = true;
        this.set({ size });
    }

    frame(now) {
        requestAnimationFrame(next => this.frame(next));
        if (!this.graphics || this.graphics.gl.isContextLost()) return;
        if (!this.isMeasured) this.measure();
        if (!this.state.isPaused) this.state.time += Math.min((now - this.before) / 1000, 0.1);
        this.before = now;
        if (!this.isDrawn || !this.state.isPaused) this.draw();
        if (now - (this.shown ?? -1e9) < 500) return;
        this.shown = now;
        this.collectTimes();
        this.panel.showTime();
        const height = this.waves.measuredHeight().toFixed(2), cost = value => value === undefined ? "?" : value.toFixed(2);
        element("heights").textContent = `Hs ${height} m measured, ${this.sea.height.toFixed(2)} m predicted`;
        element("costs").textContent = `${this.graphics.precise === "RGBA32F" ? "32" : "16"}-bit floats`
            + (this.graphics.timer ? `; waves ${cost(this.times.waves)} ms, picture ${cost(this.times.picture)} ms` : "");
    }

    // Returns the settings of the state as TOML, for the program.
    toml() {
        const { state, data } = this, known = data.seas[state.name], { wind, swell } = known.settings.sea;
        const turned = (((swell.direction + state.wind - wind.direction) % 360) + 360) % 360;
        const numbers = [["sea.wind", "direction", state.wind], ["sea.swell", "direction", turned],
            ["sky", "sun_elevation", state.elevation], ["sky", "sun_azimuth", state.azimuth],
            ...["x", "z", "altitude", "heading", "pitch", "field_of_view"].map(key => ["view", key, state.view[key]])];
        return numbers.reduce((text, change) => withNumber(text, ...change), known.toml) + `\n[fft]\nsize = ${state.size}\n`;
    }
}

say("Making the sea …");
try {
    globalThis.sea = new Page(JSON.parse(element("data").textContent), await unpack(element("blob").textContent));
} catch (error) {
    say(error.message);
    throw error;
}
