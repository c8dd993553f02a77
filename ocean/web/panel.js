// ---- Panel ---------------------------------------------------------------------------------------------------------

const element = id => document.getElementById(id);

// Returns a TOML text with another number for a key of a table.
function withNumber(text, table, key, number) {
    const start = text.indexOf(`[${table}]\n`), line = new RegExp(`^${key} = .*$`, "m");
    return text.slice(0, start) + text.slice(start).replace(line, `${key} = ${number.toFixed(4)}`);
}

function say(text) {
    element("message").textContent = text;
    element("message").hidden = !text;
}

// Connects the controls with a page, which has the `state` and takes changes with `set`.
class Panel {
    constructor(page, names, sizes) {
        this.page = page;
        for (const [id, values] of [["name", names], ["size", sizes]])
            element(id).append(...values.map(value => new Option(value, value)));
        const on = (id, change) => element(id).addEventListener("input", event => page.set(change(event.target.value)));
        on("name", name => ({ name }));
        on("size", size => ({ size: Number(size) }));
        on("radix", radix => ({ radix: Number(radix) }));
        on("wind", wind => ({ wind: Number(wind) }));
        on("elevation", elevation => ({ elevation: Number(elevation) }));
        on("azimuth", azimuth => ({ azimuth: Number(azimuth) }));
        on("time", time => ({ time: Number(time) || 0 }));
        element("controls").addEventListener("submit", event => event.preventDefault());
        element("pause").addEventListener("click", () => page.set({ isPaused: !page.state.isPaused }));
        element("full").addEventListener("click", () => document.fullscreenElement ? document.exitFullscreen()
            : document.documentElement.requestFullscreen());
        element("full").hidden = !document.fullscreenEnabled;
        element("panel").open = innerWidth > 600;  // else it would hide the sea
        addEventListener("keydown", event => this.press(event));
        this.followPointers(element("view"));
    }

    press(event) {
        if (event.ctrlKey || event.altKey || event.metaKey) return;
        if (event.target.closest?.("select, input, button, summary, a")) return;
        const { view } = this.page.state, fast = Math.max(1, view.altitude / 5), { ahead, right } = axesOf(view);
        const move = (axis, way) => ({ x: view.x + fast * way * axis[0], z: view.z + fast * way * axis[2] });
        const change = {
            ArrowLeft: { heading: view.heading - 2 }, ArrowRight: { heading: view.heading + 2 },
            ArrowUp: { pitch: view.pitch + 1 }, ArrowDown: { pitch: view.pitch - 1 },
            w: move(ahead, 1), s: move(ahead, -1), a: move(right, -1), d: move(right, 1),
            r: { altitude: view.altitude * 1.05 }, f: { altitude: view.altitude / 1.05 },
        }[event.key.length > 1 ? event.key : event.key.toLowerCase()];
        if (change) this.page.look(change);
        else if (event.key === " ") this.page.set({ isPaused: !this.page.state.isPaused });
        else if (event.key === "h" || event.key === "H") element("panel").toggleAttribute("open");
        else return;
        event.preventDefault();
    }

    // One pointer turns the view, two zoom.
    followPointers(canvas) {
        const pointers = new Map();
        const apart = () => { const [a, b] = [...pointers.values()]; return Math.hypot(a.x - b.x, a.y - b.y); };
        canvas.addEventListener("pointerdown", event => {
            canvas.setPointerCapture(event.pointerId);
            pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
        });
        canvas.addEventListener("pointermove", event => {
            const before = pointers.get(event.pointerId), { view } = this.page.state;
            if (!before) return;
            const wide = pointers.size === 2 ? apart() : 0, degrees = view.field_of_view / canvas.clientHeight;
            pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
            if (pointers.size === 2) this.page.look({ field_of_view: view.field_of_view * wide / Math.max(apart(), 1) });
            else if (pointers.size === 1)
                this.page.look({ heading: view.heading - degrees * (event.clientX - before.x),
                    pitch: view.pitch + degrees * (event.clientY - before.y) });
        });
        for (const end of ["pointerup", "pointercancel"])
            canvas.addEventListener(end, event => pointers.delete(event.pointerId));
        canvas.addEventListener("wheel", event => {
            event.preventDefault();
            this.page.look({ field_of_view: this.page.state.view.field_of_view * Math.exp(event.deltaY / 1000) });
        }, { passive: false });
    }

    // Shows the state of the page.
    show() {
        const { state } = this.page, degrees = value => `${Math.round(value)}°`;
        for (const id of ["name", "size", "radix", "wind", "elevation", "azimuth"]) element(id).value = state[id];
        for (const id of ["wind", "elevation", "azimuth"]) element(`${id}-value`).textContent = degrees(state[id]);
        element("pause").textContent = state.isPaused ? "Go on" : "Pause";
        element("settings").href = `data:text/plain;charset=utf-8,${encodeURIComponent(this.page.toml())}`;
        this.showTime();
    }

    showTime() {
        if (document.activeElement !== element("time")) element("time").value = this.page.state.time.toFixed(1);
    }
}
