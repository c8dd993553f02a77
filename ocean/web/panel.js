const CONTROLS = ["sea", "size", "radix", "wind", "elevation", "azimuth", "time"];  // named as the state of the page
const element = id => document.getElementById(id);

function say(text) {
    element("message").textContent = text;
    element("message").hidden = !text;
}

// Connects the controls with a page, which has the `state` and takes changes with `set`.
class Panel {
    constructor(page) {
        this.page = page;
        element("sea").append(...Object.keys(page.data.seas).map(name => new Option(name, name)));
        element("controls").addEventListener("input", event => this.take(event.target));
        element("controls").addEventListener("submit", event => event.preventDefault());
        element("pause").addEventListener("click", () => page.set({ isPaused: !page.state.isPaused }));
        element("full").addEventListener("click", () => document.fullscreenElement ? document.exitFullscreen()
            : document.documentElement.requestFullscreen());
        element("full").hidden = !document.fullscreenEnabled;
        element("panel").open = innerWidth > 600;  // else it would hide the sea
        addEventListener("keydown", event => this.press(event));
        this.followPointers(element("view"));
    }

    // Changes the state to the value of a control, if it is in its range.
    take({ id, value, validity }) {
        if (validity.valid && value) this.page.set({ [id]: id === "sea" ? value : Number(value) });
    }

    // Takes values that the address asks for; browsers change those that a control can't have.
    start(asked) {
        for (const control of CONTROLS.filter(id => asked.has(id)).map(element)) {
            control.value = asked.get(control.id);
            if (control.value === asked.get(control.id)) this.take(control);
        }
    }

    press(event) {
        if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("#panel")) return;
        const { view } = this.page.state, fast = Math.max(1, view.altitude / 5), { ahead, right } = axesOf(view);
        const move = (axis, way) => ({ x: view.x + fast * way * axis[0], z: view.z + fast * way * axis[2] });
        const change = {
            arrowleft: { heading: view.heading - 2 }, arrowright: { heading: view.heading + 2 },
            arrowup: { pitch: view.pitch + 1 }, arrowdown: { pitch: view.pitch - 1 },
            w: move(ahead, 1), s: move(ahead, -1), a: move(right, -1), d: move(right, 1),
            r: { altitude: view.altitude * 1.05 }, f: { altitude: view.altitude / 1.05 },
        }[event.key.toLowerCase()];
        if (change) this.page.look(change);
        else if (event.key === " ") this.page.set({ isPaused: !this.page.state.isPaused });
        else return;
        event.preventDefault();
    }

    // One pointer turns the view, two zoom.
    followPointers(canvas) {
        const pointers = new Map(), look = change => this.page.look(change);
        const apart = () => { const [a, b] = [...pointers.values()]; return Math.hypot(a.x - b.x, a.y - b.y); };
        canvas.addEventListener("pointerdown", event => {
            canvas.setPointerCapture(event.pointerId);
            pointers.set(event.pointerId, event);
        });
        canvas.addEventListener("pointermove", event => {
            const before = pointers.get(event.pointerId), { view } = this.page.state;
            if (!before) return;
            const wide = pointers.size === 2 ? apart() : 0, degrees = view.field_of_view / canvas.clientHeight;
            pointers.set(event.pointerId, event);
            if (pointers.size === 2) look({ field_of_view: view.field_of_view * wide / Math.max(apart(), 1) });
            else look({ heading: view.heading - degrees * (event.x - before.x),
                pitch: view.pitch + degrees * (event.y - before.y) });
        });
        for (const end of ["pointerup", "pointercancel"])
            canvas.addEventListener(end, event => pointers.delete(event.pointerId));
        canvas.addEventListener("wheel", event => {
            if (parent !== window && document.activeElement !== canvas) return;  // scrolls the page around this one
            event.preventDefault();
            look({ field_of_view: this.page.state.view.field_of_view * Math.exp(event.deltaY / 1000) });
        }, { passive: false });
    }

    // Shows the state of the page.
    show() {
        const { state } = this.page, values = { ...state, time: state.time.toFixed(1) };
        for (const id of CONTROLS) if (element(id) !== document.activeElement) element(id).value = values[id];
        for (const id of ["wind", "elevation", "azimuth"])
            element(`${id}-value`).textContent = `${Math.round(state[id])}°`;
        element("pause").textContent = state.isPaused ? "Resume" : "Pause";
        element("settings").href = `data:text/plain;charset=utf-8,${encodeURIComponent(this.page.toml())}`;
    }
}
