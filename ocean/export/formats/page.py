"""A sea as one web page, which needs WebGL 2 and neither a server nor a network.

The page holds the eight presets and, if it is none of them, the exported sea. It draws the waves again from seed and
spectrum, and runs the program's own shaders. `ocean/web` has the page's own sources.
"""

import base64
import gzip
import hashlib
import html
import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ocean import __version__
from ocean.common.console import say
from ocean.common.files import whole_files, writing
from ocean.common.resources import PACKAGE
from ocean.export.plan import ExportError, Plan
from ocean.export.sources import own_context
from ocean.gpu.passes import run_passes
from ocean.gpu.shaders import listed, shader_source
from ocean.render.camera import view_block, write_foam_pattern
from ocean.render.sky import SKY_OF_SEA, SkyLight
from ocean.sea.blend import Blend, make_spectrum
from ocean.sea.foam import FoamMap, FoamRules
from ocean.sea.maps import CascadeBlock
from ocean.settings import Settings, load_settings, to_tree, with_values
from ocean.settings.files import Resolved, resolve
from ocean.waves import whitecaps
from ocean.waves.dispersion import wavenumber
from ocean.waves.statistics import predicted_height
from ocean.waves.systems import WaveSystem

PRESETS = ("calm", "breeze", "shallow-bay", "swell", "crossing-seas", "gale", "storm", "hurricane")
SIZES = (64, 128, 256, 512)
SUNS = (-6.0, -2.0, 1.0, 4.0, 9.0, 16.0, 28.0, 45.0, 70.0)
"""Elevations of the sun [degrees] with tables of the sky; a sea's own elevation replaces the nearest one."""
TURNS = (0, 30, 60, 90, 120, 150, 180)  # headings from the sun's azimuth [degrees] with an exposure
COARSE = 32, 24  # rows and columns of the sky's tables: elevation or distance, and azimuth
PER_OCTAVE = 24  # rows of a spectrum's table for each octave of wave number
ROOTS = np.linspace(0.0, 4.25, 69)
"""Columns of a spectrum's table: roots of -ln cos²(theta / 2), in which powers of this cosine are parabolas. One more
column is exactly against the mean direction."""
DEEPEST = 30.0  # values below e^-30 of a table's largest one count as 0
WITHOUT = {"sky.clouds": 0.0, "sky.veil": 0.0, "sky.panorama": "", "view.altitude": 1.0, "view.dive": 0.0}
SCRIPTS = ("random", "spectrum", "graphics", "waves", "light", "foam", "camera", "panel", "page")


def write_page(plan: Plan, path: Path) -> None:
    """Write the page of a plan's sea, and print its name. The tables of the sky need OpenGL."""
    if path.suffix != ".html":
        raise ExportError(f"--out = {path}: a page is written to a file whose name ends with .html")
    with whole_files(path.parent, [path.name], alone=True) as folder, writing(path.parent):  # refuses before the work
        text = page(plan.settings, path.stem, plan.start)
        (folder / path.name).write_bytes(text.encode(errors="replace"))  # names of files may be no text
    say(path)


def page(settings: Settings, name: str, start: float = 0.0, presets: Sequence[str] = PRESETS) -> str:
    """Return the page of a sea with a name, as HTML, which begins at a time [s], with these presets to choose from."""
    seas = {preset: load_settings(preset) for preset in presets}
    first = next((preset for preset, sea in seas.items() if shown(sea) == shown(settings)), None)
    if first is None:
        first = f"{name}, changed" if name in seas else name
        seas[first] = settings
    with own_context("gpu") as ctx:
        assert ctx is not None
        entries = {title: entry(resolve(sea), ctx) for title, sea in seas.items()}
    pattern = np.rint(np.clip(32 * whitecaps.levels()[1][..., 0] + 128, 0, 255)).astype(int)
    return assembled(first, {"first": first, "start": start, "seas": entries, "pattern": pattern.tolist()})


def shown(settings: Settings) -> dict[str, Any]:
    """Return the settings that a page holds. Other people read them, so files are named without their folders."""

    def named(value: Any, key: str) -> Any:
        if isinstance(value, dict):
            return {key: named(one, key) for key, one in value.items()}
        return ",".join(Path(one).name for one in value.split(",")) if key in ("path", "panorama") else value

    tree = to_tree(settings)
    return {group: named(tree[group], group) for group in ("sea", "cascades", "foam", "view", "sky", "water")}


def entry(settings: Resolved, ctx: moderngl.Context) -> dict[str, Any]:
    """Return what a page needs of a sea."""
    sea = settings.sea
    sizes = {size: at_size(resolve(with_values(settings, {"fft.size": size})), ctx) for size in SIZES}
    tiles = sizes[SIZES[-1]]["tiles"]
    longest = 2 * np.pi / tiles[0]["side"]
    octaves = np.log2(2 * tiles[-1]["high"] / longest)
    return {
        "settings": shown(settings),
        "height": predicted_height(sea.systems),
        "period": sea.period,
        "drift": [whitecaps.SURFACE_DRIFT * speed for speed in sea.carrying_wind],  # of foam
        "spectra": [saturation(system, longest, octaves) for system in sea.systems],
        "sizes": sizes,
        "sky": sky_tables(settings, ctx),
    }


def saturation(system: WaveSystem, longest: float, octaves: float) -> dict[str, Any]:
    """Return a table of ln(k^4 Psi), (rows, 2, columns), from the wave number `longest` [rad/m] on, clockwise and
    anticlockwise of the mean direction, at ROOTS; with the wave number of the peak, and the number of rows below it.

    With this power of k the tail of a spectrum is level. Spectra and spreads may jump at the peak: its row occurs
    twice, from below and from above, and each side goes on for a row by quadratic extrapolation.
    """
    peak = float(wavenumber(system.peak_frequency, system.depth, system.dispersion))
    below = int(np.ceil(np.log2(peak / longest) * PER_OCTAVE)) + 1
    theta = np.append(2 * np.arccos(np.exp(-(ROOTS**2) / 2)), np.pi) * np.array([[1], [-1]])
    sides = []
    for rows, inside in ((-np.arange(below), 1 - 1e-9), (np.arange(PER_OCTAVE * octaves - below + 3), 1 + 1e-9)):
        k = peak * inside * 2 ** (rows[:, None, None] / PER_OCTAVE)
        factor, *parameters = system.radial(k)
        with np.errstate(divide="ignore"):  # no waves
            found = np.log(factor * k**4 * system.spreading.profile(np.cos(theta), np.sin(theta), *parameters))
        found = np.maximum(found, -1e3)
        sides.append(np.concatenate([3 * found[:1] - 3 * found[1:2] + found[2:3], found]))
    table = logarithms(np.concatenate([sides[0][::-1], sides[1]]))
    return {**table, "direction": system.direction, "peak": peak, "below": below}


def logarithms(values: ArrayLike) -> dict[str, Any]:
    """Return natural logarithms as integers, `step` apart from `low` on. Each row of the last axis is stored less the
    row before it, which compresses well."""
    values = np.asarray(values)
    low, step = float(values.max()) - DEEPEST, DEEPEST / 65535
    levels = np.rint(np.maximum(values - low, 0) / step).astype(int)
    rows = np.diff(levels.reshape(-1, levels.shape[-1]), axis=0, prepend=0)
    return {"low": low, "step": step, "shape": levels.shape, "rows": rows.tolist()}


def at_size(settings: Resolved, ctx: moderngl.Context) -> dict[str, Any]:
    """Return what depends on the size of the maps: uniform blocks, and slopes that no map shows."""
    spectrum = make_spectrum(settings)
    blend, roughness, keys = Blend.settled(spectrum), spectrum.roughness, spectrum.keys
    cascades, foam = CascadeBlock(ctx), FoamMap(ctx, min(spectrum.size, 256))
    cascades.update(keys, 0.0, (0.0, 0.0), blend)
    threshold, births = FoamRules().of(settings, blend, foam.texels)
    foam.prepare((0.0, 0.0), 0.0, threshold, settings.foam.decay, births)
    tiles, streams = [key.tile for key in keys], [str(key.stream) for key in keys]  # JSON has no integers of 64 bits
    cutoff = max(tile.cutoff(spectrum.size) for tile in tiles)
    view = view_block(settings.view, 1.0, (0.0, 1.0, 0.0), roughness, 1.0, cutoff)
    write_foam_pattern(view, settings, (0.0, 0.0))
    view["pattern_layers"][1::2, 3] /= 2  # the page's pattern has half of the program's texels
    foam.release()
    return {
        "tiles": [
            {**asdict(tile), "high": tile.cutoff(spectrum.size), "place": place.tolist(), "stream": stream}
            for tile, place, stream in zip(tiles, cascades.places, streams, strict=True)
        ],
        "slopes": roughness.unresolved[::5].tolist(),
        "breakers": whitecaps.breaker_velocity(births.spilled),
        "breaks": births.is_possible,
        "defines": {name: str(value) for name, value in foam.defines.items()},  # scripts would print 10.0 as 10
        "Cascades": cascades.members(),
        "Foam": foam.block.members(),
        "View": listed(view),
    }


def sky_tables(settings: Resolved, ctx: moderngl.Context) -> dict[str, Any]:
    """Return the program's block of the sky, and tables for each of SUNS, in logarithms: light of the clear sky and of
    the air before the sea, irradiance of the sun and the sky, the aureole, and the exposure for each of TURNS."""
    from scipy.ndimage import zoom

    drawn = settings.sky.drawn
    own = min(max(drawn.sun_elevation, SUNS[0]), SUNS[-1])
    nearest = min(SUNS, key=lambda sun: abs(sun - own))
    suns = [own if sun == nearest else sun for sun in SUNS]
    light, tables = SkyLight(ctx), []

    def read(texture: moderngl.TextureArray) -> NDArray[Any]:
        width, height, layers = texture.size
        values = np.frombuffer(texture.read(), "f4").reshape(layers, height, width, 4)[..., :3]
        return np.asarray(zoom(values, (1, COARSE[0] / height, COARSE[1] / width, 1), order=1))

    for sun in suns:
        states = []
        for turn in TURNS:
            view = {"sky.sun_elevation": sun, "view.heading": (drawn.sun_azimuth + turn) % 360}
            light.prepare(resolve(with_values(settings, WITHOUT | view)), 0.0, 0.0)
            run_passes(ctx, light.passes)
            states.append(np.frombuffer(light.light.read(), "f4").reshape(8, 4))
        sums = *states[0][0, :3], *states[0][3, :3], *states[0][7], *(state[4, 0] for state in states)
        tables.append((read(light.sky_view)[SKY_OF_SEA : SKY_OF_SEA + 2], read(light.aerial), sums))
    light.release()
    found = [logarithms(np.log(np.maximum(table, 1e-12))) for table in zip(*tables, strict=True)]
    return {"suns": suns, "Sky": light.block.members(), **dict(zip(("view", "air", "sums"), found, strict=True))}


def page_shader(path: Path) -> str:
    """Return a stage in GLSL ES 3.00, with its includes. WebGL 2 takes binding points from the script."""
    return re.sub(r"layout\(binding = \w+\)|, binding = \w+", "", shader_source(path.read_text(encoding="utf-8")))


def assembled(title: str, data: dict[str, Any]) -> str:
    """Return the page. Nothing in `title` or `data` can end an element: one is escaped, the other encoded."""
    web = PACKAGE / "web"
    shaders = {path.stem: page_shader(path) for path in sorted([*web.glob("*.frag"), *web.glob("*.vert")])}
    scripts = [f"// ---- {name}.js\n" + (web / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS]
    script = "\n".join([f"const SHADERS = {json.dumps(shaders, indent=0)};", *scripts])
    style = (web / "page.css").read_text(encoding="utf-8")
    script_hash, style_hash = (
        base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (script, style)
    )
    compact = json.dumps(data, allow_nan=False, separators=(",", ":"))
    parts = {
        "TITLE": html.escape(title),
        "VERSION": __version__,
        "POLICY": f"default-src 'none'; script-src 'sha256-{script_hash}'; style-src 'sha256-{style_hash}'; "
        "base-uri 'none'; form-action 'none'",
        "STYLE": style,
        "SCRIPT": script,
        "DATA": base64.b64encode(gzip.compress(compact.encode(), mtime=0)).decode(),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], (web / "page.html").read_text(encoding="utf-8"))
