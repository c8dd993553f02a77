// In the console, `sea` is the page: sea.set({ sea: "storm", size: 256 }), sea.waves.measuredHeight().

const MOST_CELLS = [256, 640], CELL = [4, 1.5];  // largest numbers of the mesh's columns and rows; pixels for each
const DRY = 4;  // standard deviations of the height to which about one crest in 3,000 rises: the eye stays above
const WARM_UP = 24, WARM_STEP = 0.25;  // steps [s] that grow foam before the first frame
const RANGES = {  // of the program's settings
    x: [-1e6, 1e6], z: [-1e6, 1e6], altitude: [0.5, 3000], pitch: [-89, 89], field_of_view: [10, 100],
};
const BUDGET = { 512: 3, 256: 6, 128: 16 };  // time of a frame at 128 up to which a size is chosen [ms]

// Returns the data of the page, compressed JSON.
async function unpack(text) {
    if (!globalThis.DecompressionStream) throw new Error("This page needs a browser made in 2023 or later.");
    const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

// Returns the logarithms of a table, whose rows are stored as differences from the row before.
function logarithms({ low, step, rows }) {
    const levels = rows[0].map(() => 0);
    return Float32Array.from(rows.flatMap(row => row.map((more, i) => low + step * (levels[i] += more))));
}

class Page {
    constructor(data) {
        this.data = data;
        this.canvas = element("view");
        for (const { spectra, sky } of Object.values(data.seas))
            for (const table of [...spectra, sky.view, sky.air, sky.sums]) table.values = logarithms(table);
        const asked = new URLSearchParams(location.hash.slice(1));
        const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
        this.state = { size: 128, radix: 4, time: data.start, isPaused: isCalm || asked.has("paused") };
        this.panel = new Panel(this);
        this.set({ sea: data.first });
        this.panel.start(asked);
        this.scale = 1;  // pixels of the picture per pixel of the screen
        this.isMeasured = asked.get("size") === String(this.state.size);
        this.canvas.addEventListener("webglcontextlost", event => {
            event.preventDefault();  // else it is not restored
            this.graphics = null;
        });
        this.canvas.addEventListener("webglcontextrestored", () => this.build());
        new ResizeObserver(() => { this.isDrawn = false; }).observe(this.canvas);
        this.build();
        this.before = performance.now();
        requestAnimationFrame(now => {
            this.frame(now);
            say(isCalm ? "Paused, because your system asks for less motion. Panel and space bar start it." : "");
        });
    }

    // Changes the state: sea (with its view and light), size, radix, time [s], isPaused, and directions [degrees].
    set(change) {
        if (change.sea) {
            const { sea, view, sky } = this.data.seas[change.sea].settings;
            Object.assign(this.state, { wind: sea.wind.direction, view: { ...view },
                elevation: sky.sun_elevation, azimuth: sky.sun_azimuth });
        }
        Object.assign(this.state, change);
        if (change.isPaused === false) say("");
        if (["sea", "size", "radix", "wind", "time"].some(key => key in change)) this.isFilled = false;
        this.isLit = this.isDrawn = false;
        this.panel.show();
    }

    look(change) {
        const { view } = this.state;
        for (const [key, value] of Object.entries(change))
            view[key] = key === "heading" ? modulo(value, 360) : clamp(value, ...RANGES[key]);
        this.isDrawn = false;
    }

    // Makes everything that lives in the context, at the start and after the context was lost.
    build() {
        const wanted = { antialias: false, alpha: false, powerPreference: "high-performance" };
        const gl = this.canvas.getContext("webgl2", wanted);
        if (!gl) throw new Error("This page needs WebGL 2, which this browser or its graphics driver does not offer.");
        this.graphics = new Graphics(gl);
        const { pattern } = this.data, side = pattern[0].length, values = pattern.flat(2).map(x => (x - 128) / 32);
        this.pattern = this.graphics.texture("RGBA16F", side, side, { layers: pattern.length, repeat: true,
            levels: Math.log2(side) + 1, data: new Float32Array(values.flatMap(x => [x, x * x, 0, 0])) });
        this.graphics.made = [];  // the pattern serves all seas
        this.query = null;
        this.isFilled = this.isLit = this.isDrawn = false;
    }

    // Makes what belongs to the sea of the state, and grows its foam.
    fill() {
        const { graphics, state: { size, radix, wind, time } } = this, known = this.data.seas[this.state.sea];
        const { settings, sizes } = known, turn = wind - settings.sea.wind.direction;
        const sea = this.sea = turnedSea({ ...known, ...sizes[size], size }, turn);
        graphics.defines = { ...DEFINES, ...sea.defines, CURVE: settings.sky.tone_mapping === "aces" ? "ACES" : 0 };
        this.water = graphics.program("sea", {}, "mesh");  // it has all uniform blocks
        graphics.release();
        this.waves = new Waves(graphics, sea, radix);
        this.foam = new Foam(graphics, sea);
        this.light = new Light(graphics, sea);
        this.slopes = graphics.texture("RGBA16F", sea.slopes.length, 1, { data: new Float32Array(sea.slopes.flat()) });
        for (const block of ["Cascades", "Foam", "View"]) graphics.write(block, sea[block]);
        for (let step = sea.breaks ? WARM_UP : 0; step > 0; --step) this.advance(time - step * WARM_STEP);
        this.isFilled = true;
        this.isLit = false;
    }

    // Moves waves and foam to a time [s].
    advance(time) {
        const { view } = this.state;
        this.waves.update(time, [view.x, view.z]);
        this.foam.update(this.waves, time, [view.x, view.z]);
    }

    resize() {
        const { canvas } = this, ratio = Math.min(devicePixelRatio, 2) * this.scale;
        const sides = [canvas.clientWidth, canvas.clientHeight];
        const [width, height] = sides.map(side => Math.max(Math.round(side * ratio), 1));
        if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    }

    // Draws the state.
    draw() {
        this.resize();
        if (!this.isFilled) this.fill();
        const { graphics, state, light, sea } = this, { gl } = graphics, { time } = state;
        const altitude = Math.max(state.view.altitude, DRY * sea.View.height_scale), view = { ...state.view, altitude };
        const { width, height } = gl.canvas, aspect = width / height;
        if (!this.isLit) light.set(state.elevation, state.azimuth);
        const cells = [width, height].map((side, i) => Math.min(Math.ceil(side / CELL[i]), MOST_CELLS[i]));
        this.timed(() => this.advance(time));
        writeView(graphics, sea, view, aspect, light.sun, time);
        light.expose(view.heading);
        graphics.draw(graphics.program("sky"), null, { picture: [width, height], sky_view: light.sky });
        gl.enable(gl.DEPTH_TEST);
        gl.clear(gl.DEPTH_BUFFER_BIT);
        graphics.draw(this.water, null, {
            maps: this.waves.maps, filtered: this.waves.filtered, slopes: this.slopes, environment: light.environment,
            aerial_table: light.air, sky_view: light.sky, foam_map: this.foam.texture, foam_patterns: this.pattern,
            cells, fan: fanOf(view, aspect, sea.View.height_scale),
        }, 2 * (cells[1] + 1), cells[0]);
        gl.disable(gl.DEPTH_TEST);
        this.isLit = this.isDrawn = true;
    }

    // Measures the GPU's time of some work [ms], where the browser has timer queries.
    timed(work) {
        const { timer, gl } = this.graphics, { query } = this;
        const isRead = query && gl.getQueryParameter(query, gl.QUERY_RESULT_AVAILABLE);
        if (isRead && !gl.getParameter(timer.GPU_DISJOINT_EXT))
            this.cost = gl.getQueryParameter(query, gl.QUERY_RESULT) / 1e6;
        if (!timer || query && !isRead) return work();
        this.query ??= gl.createQuery();
        gl.beginQuery(timer.TIME_ELAPSED_EXT, this.query);
        work();
        gl.endQuery(timer.TIME_ELAPSED_EXT);
    }

    // Measures frames at 128 texels a side, and chooses the largest size that leaves time for 60 a second.
    measure() {
        const finish = () => { this.draw(); this.waves.measuredHeight(); };  // waits
        finish();  // drivers compile in the first frame
        const begun = performance.now();
        for (let frame = 0; frame < 3; ++frame) finish();
        const cost = (performance.now() - begun) / 3;
        const size = Number(Object.keys(BUDGET).reverse().find(key => cost <= BUDGET[key]) ?? 64);
        this.scale = cost <= BUDGET[128] ? 1 : 0.5;
        this.isMeasured = true;
        this.set({ size });
    }

    // Draws a frame and asks for the next one. After an error there is none.
    frame(now) {
        try {
            if (this.graphics && !this.graphics.gl.isContextLost()) this.step(now);
        } catch (error) {
            if (!this.graphics.gl.isContextLost()) fail(error);
        }
        requestAnimationFrame(next => this.frame(next));
    }

    step(now) {
        if (!this.isMeasured) this.measure();
        if (!this.state.isPaused) this.state.time += Math.min((now - this.before) / 1000, 0.1);
        this.before = now;
        if (!this.isDrawn || !this.state.isPaused) this.draw();
        if (now < this.due) return;
        this.due = now + 500;
        this.panel.show();  // time, and the view in the link to the settings
        const [measured, predicted] = [this.waves.measuredHeight(), this.sea.height].map(height => height.toFixed(2));
        element("heights").textContent = `Hs ${measured} m measured, ${predicted} m predicted`;
        element("costs").textContent = `${this.graphics.precise === "RGBA32F" ? "32" : "16"}-bit floats`
            + (this.cost === undefined ? "" : `; waves ${this.cost.toFixed(2)} ms`);
    }

    // Returns the settings of the state as TOML, for the program.
    toml() {
        const { size, wind, elevation, azimuth, view, sea: name } = this.state;
        const settings = structuredClone({ ...this.data.seas[name].settings, view, fft: { size } });
        const { sea, sky } = settings;
        sea.swell.direction = modulo(sea.swell.direction + wind - sea.wind.direction, 360);
        sea.wind.direction = wind;
        Object.assign(sky, { sun_elevation: elevation, sun_azimuth: azimuth });
        return tomlOf(settings);
    }
}

// Returns a tree of settings as lines of TOML. Strings of JSON are strings of TOML but for two kinds of characters.
function tomlOf(tree, path = "") {
    const valid = text => text.replace(/\x7f/g, "\\u007f").replace(/\\ud[89a-f]../g, "?");
    return Object.entries(tree).map(([key, value]) => typeof value === "object" && !Array.isArray(value)
        ? tomlOf(value, `${path}${key}.`) : `${path}${key} = ${valid(JSON.stringify(value))}\n`).join("");
}

function fail(error) {
    say(error.message);
    throw error;
}

say("Making the sea …");
unpack(element("data").textContent).then(data => { globalThis.sea = new Page(data); }).catch(fail);
