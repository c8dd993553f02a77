"""A sea as one web page, which needs WebGL 2 and neither a server nor a network.

The page holds the eight presets and, if it is none of them, the exported sea. It draws the waves again from seed and
spectrum, and runs the program's own shaders, which `page_shader` translates. Arrays travel in one compressed blob, and
JSON says where each lies. `ocean/web` has the page's own sources.
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
import tomli_w
from numpy.typing import ArrayLike, NDArray

from ocean import __version__
from ocean.common.console import say
from ocean.common.files import whole_files, writing
from ocean.common.resources import PACKAGE
from ocean.export.plan import ExportError, Plan
from ocean.export.sources import own_context
from ocean.gpu.bindings import GLSL as BINDINGS
from ocean.gpu.passes import run_passes
from ocean.gpu.shaders import shader_source
from ocean.light.optics import Seawater
from ocean.render.sky import SKY_OF_SEA, SkyLight
from ocean.sea.blend import Blend, SeaSpectrum, make_spectrum
from ocean.sea.foam import FINEST_SIDE, FOAM_LEVELS, FoamMap, FoamRules
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
COARSE = 24, 32  # columns and rows of the sky's tables: azimuth, and elevation or distance
PER_OCTAVE = 24  # rows of a spectrum's table for each octave of wave number
ROOTS = np.linspace(0.0, 4.25, 69)
"""Columns of a spectrum's table: roots of -ln cos²(theta / 2), in which powers of this cosine are parabolas. One more
column is exactly against the mean direction."""
DEEPEST = 60.0  # spectral densities below e^-60 of the largest count as 0
DARKEST = 30.0  # and light below e^-30
SCRIPTS = ("random", "spectrum", "graphics", "waves", "light", "foam", "camera", "panel", "page")
STAGES = ("evolve", "fft", "maps", "heights", "foam", "environment", "lobes", "mesh", "sea", "sky", "tone")
BINDING = re.compile(r"layout\((std140, )?binding = \w+\)")


class Blob:
    """The arrays of a page, one after another, each at a multiple of four bytes."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def add(self, values: NDArray[Any], **more: Any) -> dict[str, Any]:
        """Append an array, and return what finds it."""
        entry = {"at": len(self._bytes), "type": values.dtype.name, "shape": values.shape, **more}
        self._bytes += values.tobytes() + bytes(-values.nbytes % 4)
        return entry

    def add_logarithms(self, values: ArrayLike, deepest: float) -> dict[str, Any]:
        """Append natural logarithms as 16-bit numbers from `deepest` below the largest one. Each row of the last axis
        is stored less the row before it, which compresses well."""
        values = np.asarray(values, np.float64)
        high = float(values.max())
        low = max(float(values.min()), high - deepest)
        levels = np.rint((np.maximum(values, low) - low) * (65535 / max(high - low, 1e-9))).astype(np.uint16)
        rows = levels.reshape(-1, levels.shape[-1])
        return self.add(np.diff(rows, axis=0, prepend=0 * rows[:1]).reshape(levels.shape), low=low, high=high)

    def __str__(self) -> str:
        return base64.b64encode(gzip.compress(bytes(self._bytes), 9, mtime=0)).decode()


def write_page(plan: Plan, path: Path) -> None:
    """Write the page of a plan's sea, and print its name. The tables of the sky need OpenGL."""
    if path.suffix != ".html":
        raise ExportError(f"--out = {path}: a page is written to a file whose name ends with .html")
    with whole_files(path.parent, [path.name]) as folder, writing(path.parent):  # refuses a folder before the work
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
    blob = Blob()
    with own_context("gpu") as ctx:
        assert ctx is not None
        entries = {title: entry(resolve(sea), blob, ctx) for title, sea in seas.items()}
        foam = FoamMap(ctx, SIZES[0])
        foam.release()
    pattern = np.rint(np.clip(32 * whitecaps.levels()[1][..., 0] + 128, 0, 255)).astype(np.uint8)
    defines = {name: str(value) for name, value in foam.defines.items()}  # scripts would print 10.0 as 10
    data = {"first": first, "start": start, "seas": entries, "defines": defines}
    return assembled(first, {**data, "foamPattern": blob.add(pattern)}, blob)


def shown(settings: Settings) -> dict[str, Any]:
    tree = to_tree(settings)
    return {group: tree[group] for group in ("sea", "cascades", "foam", "view", "sky", "water")}


def entry(settings: Resolved, blob: Blob, ctx: moderngl.Context) -> dict[str, Any]:
    """Return what a page needs of a sea: numbers, and the places of its arrays in a blob."""
    sea = settings.sea
    spectra = {size: make_spectrum(resolve(with_values(settings, {"fft.size": size}))) for size in SIZES}
    keys = spectra[SIZES[-1]].keys
    octaves = np.log2(SIZES[-1] * keys[0].tile.side / keys[-1].tile.side)  # from the longest wave to the corners
    systems = [system for system in sea.systems if not system.is_flat]
    tables = [saturation(system, keys[0].tile.dk, octaves) for system in systems]
    water = Seawater(settings.water.chlorophyll)
    return {
        "settings": shown(settings),
        "toml": tomli_w.dumps(shown(settings)),
        "height": predicted_height(systems),
        "streams": [str(key.stream) for key in keys],  # JSON has no integers of 64 bits
        "tiles": [
            {**asdict(key.tile), "high": min(key.tile.high, 1e9), "blurred": min(key.tile.blurred, 1e9)} for key in keys
        ],
        "depth": keys[0].finite_depth,
        "period": sea.period,
        "directions": [system.direction for system in systems],
        "peaks": [peak for peak, _, _ in tables],
        "below": [below for _, below, _ in tables],
        "spectrum": blob.add_logarithms([table for _, _, table in tables], DEEPEST),
        "carrying": sea.carrying_wind,
        "pattern": whitecaps.layers(sea.wind.speed, sea.wind.direction, (0.0, 0.0)).tolist(),
        "sizes": {size: at_size(spectrum, blob) for size, spectrum in spectra.items()},
        "water": {name: getattr(water, name)().tolist() for name in ("albedo", "extinction", "scattering")},
        "sky": sky_tables(settings, blob, ctx),
    }


def saturation(system: WaveSystem, longest: float, octaves: float) -> tuple[float, int, NDArray[Any]]:
    """Return the wave number of a system's peak, the number of rows below it, and ln(k^4 Psi), (rows, 2, columns), from
    `longest` [rad/m] on, clockwise and anticlockwise of the mean direction, at ROOTS.

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
    return peak, below, np.concatenate([sides[0][::-1], sides[1]])


def at_size(spectrum: SeaSpectrum, blob: Blob) -> dict[str, Any]:
    """Return what depends on the size of the maps: lifts, slopes that no map shows, and the rules of the foam."""
    resolution, rough = max(64, min(spectrum.size, 256)), spectrum.roughness
    texels = [FINEST_SIDE / resolution * 2**level for level in range(FOAM_LEVELS)]
    threshold, births = FoamRules().of(spectrum.settings, Blend.settled(spectrum), texels)
    return {
        "lifts": spectrum.lifts,
        "slopes": blob.add(rough.unresolved[::5].astype(np.float32)),
        "strain": rough.strain_variance,
        "deviation": rough.height_deviation,
        "slopesOfAll": [*rough.slope_covariance, rough.ripple_variance],
        "foam": {
            **asdict(births),
            "resolution": resolution,
            "threshold": threshold,
            "roller": whitecaps.roller(births.spilled),
            "breakers": whitecaps.breaker_velocity(births.spilled),
            "lumps": whitecaps.LUMPS,
        },
    }


def sky_tables(settings: Resolved, blob: Blob, ctx: moderngl.Context) -> dict[str, Any]:
    """Return tables for each of SUNS, in logarithms: the light of the clear sky, and of the air before the sea;
    irradiance of the sun and the sky, the aureole, and the exposure of a view for each of TURNS."""
    from scipy.ndimage import zoom

    own = min(max(settings.sky.drawn.sun_elevation, SUNS[0]), SUNS[-1])
    nearest = min(SUNS, key=lambda sun: abs(sun - own))
    suns = [own if sun == nearest else sun for sun in SUNS]
    clear = {"sky.clouds": 0.0, "sky.veil": 0.0, "sky.panorama": "", "view.altitude": 1.0, "view.dive": 0.0}
    light, tables = SkyLight(ctx), []
    for sun in suns:
        states = []
        for turn in TURNS:
            heading = (settings.sky.drawn.sun_azimuth + turn) % 360
            seen = with_values(settings, {**clear, "sky.sun_elevation": sun, "view.heading": heading})
            light.prepare(resolve(seen), 0.0, 0.0)
            run_passes(ctx, light.passes)
            states.append(np.frombuffer(light.light.read(), "f4").reshape(8, 4))
        irradiance = np.concatenate([states[0][0, :3], states[0][3, :3], states[0][7], [one[4, 0] for one in states]])
        read = []
        for texture in (light.sky_view, light.aerial):
            width, height, layers = texture.size
            values = np.frombuffer(texture.read(), "f4").reshape(layers, height, width, 4)[..., :3]
            read.append(zoom(values, (1, COARSE[1] / height, COARSE[0] / width, 1), order=1))
        tables.append((read[0][SKY_OF_SEA : SKY_OF_SEA + 2], read[1], irradiance))
    light.release()
    found: dict[str, Any] = {"suns": suns}
    for name, each in zip(("sky", "air", "light"), zip(*tables, strict=True), strict=True):
        found[name] = blob.add_logarithms(np.log(np.maximum(np.stack(each), 1e-12)), DARKEST)
    return found


def page_shader(name: str) -> str:
    """Return a stage in GLSL ES 3.00: a file of `ocean/web`, with its includes of the program's shaders. Binding points
    are left out, because WebGL 2 takes them from the script."""
    text = shader_source((PACKAGE / "web" / name).read_text(encoding="utf-8"))
    return BINDING.sub(lambda found: "layout(std140)" if found[1] else "", text.replace(BINDINGS, ""))


def assembled(title: str, data: dict[str, Any], blob: Blob) -> str:
    """Return the page. Nothing in `title` or `data` can end an element: both are escaped."""

    def read(name: str) -> str:
        return (PACKAGE / "web" / name).read_text(encoding="utf-8")

    def digest(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    shaders = {stage: page_shader(f"{stage}.{'vert' if stage == 'mesh' else 'frag'}") for stage in STAGES}
    script = "\n".join(read(f"{part}.js") for part in SCRIPTS)
    parts = {
        "TITLE": html.escape(title),
        "VERSION": __version__,
        "POLICY": f"default-src 'none'; script-src {digest(script)}; style-src {digest(read('page.css'))}; "
        "base-uri 'none'; form-action 'none'",
        "STYLE": read("page.css"),
        "SCRIPT": script,
        "DATA": json.dumps({**data, "shaders": shaders}, allow_nan=False).replace("<", "\\u003c"),
        "BLOB": str(blob),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], read("page.html"))
