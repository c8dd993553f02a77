"""Registers and spills of the programs, counted by Mesa's drivers on no-op devices: no graphics card is needed.

    tools/build_shims.sh out/shims    # builds the no-op devices
    python -m tools.registers out/shims [--cards gen12 rdna2] [--programs surface/shade fft] [--out FILE] [--budget]
    python -m tools.registers out/shims --level radices [--out FILE]    # the kernels of `bench -w flight` instead

A no-op device answers a driver's questions as a graphics card would, and runs nothing. The driver compiles all programs
of a frame and of the sea's transforms, and reports the registers of each one in a debug message.
"""

import argparse
import ctypes
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from itertools import chain, combinations
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import moderngl

from ocean import fft
from ocean.common.records import markdown_lines
from ocean.common.resources import LEVELS, config
from ocean.fft.storage import FieldBuffers
from ocean.gpu.context import GL_CALL, create_headless_context, gl_function
from ocean.gpu.shaders import Program, Recipe, ShaderLibrary
from ocean.render.frame import FrameRenderer
from ocean.sea.sea import Sea
from ocean.settings import load_settings
from tools.measure.reports import write_report
from tools.papers.cases import FLIGHT_LENGTH, IN_FLIGHT

GL_DEBUG_OUTPUT, GL_DEBUG_OUTPUT_SYNCHRONOUS, GL_DONT_CARE = 0x92E0, 0x8242, 0x1100
SIZE = 1920, 1080
FFT_SIZES = 256, 512, 1024, 2048
RADICES = "radices"
BUDGET = Path(__file__).with_name("spills.json")  # the most spills by card and shader file, in the units of `spills`
INTEL = re.compile(
    r"^(?P<stage>\w\w) SIMD(?P<width>\d+) shader: (?P<instructions>\d+) inst.* (?P<spills>\d+):(?P<fills>\d+) sp"
)
AMD = re.compile(
    r"VGPRS: (?P<vgprs>\d+) Code Size: (?P<bytes>\d+) LDS: (?P<shared>\d+) Scratch: (?P<scratch>\d+) "
    r"Max Waves: (?P<waves>\d+) Spilled SGPRs: (?P<sgpr_spills>\d+) Spilled VGPRs: (?P<spills>\d+) "
    r".*\((?P<stage>\w+), W(?P<width>\d+)"
)
SHIMS = {
    "intel": "shims/src/intel/tools/libintel_noop_drm_shim.so",
    "amd": "shims/src/amd/drm-shim/libamdgpu_noop_drm_shim.so",
}
"""Libraries that answer for the kernel's driver, in the folder of tools/build_shims.sh."""


class Card(NamedTuple):
    name: str
    vendor: str
    device: dict[str, str]  # variables that name the device of the vendor's no-op device


CARDS = {
    "gen9": Card("Intel Gen9 (Skylake)", "intel", {"INTEL_STUB_GPU_PLATFORM": "skl"}),
    "gen12": Card("Intel Gen12 (Tiger Lake)", "intel", {"INTEL_STUB_GPU_PLATFORM": "tgl"}),
    "dg2": Card("Intel DG2 (Arc)", "intel", {"INTEL_STUB_GPU_PLATFORM": "dg2"}),
    "gcn4": Card("AMD GCN4 (Polaris 10)", "amd", {"AMDGPU_GPU_ID": "polaris10"}),
    "rdna2": Card("AMD RDNA2 (Navi 21)", "amd", {"AMDGPU_GPU_ID": "navi21"}),
    "rdna3": Card("AMD RDNA3 (Navi 31)", "amd", {"AMDGPU_GPU_ID": "navi31"}),
}


# -- In the process of one card ----------------------------------------------------------------------------------------


def counted(level: str) -> list[dict[str, Any]]:
    """Compile the programs of a frame at a level, and of the sea's transforms at FFT_SIZES; or, at the level RADICES,
    those of the workload `flight`. Return the driver's counts for each shader stage, with the renderer."""
    ctx, found, said = create_headless_context(), list[tuple[Recipe, str]](), list[str]()
    function = listen(ctx, said.append)
    compiled = ShaderLibrary.compiled

    def noted(library: ShaderLibrary, recipe: Recipe) -> Program:
        said.clear()
        made = compiled(library, recipe)
        found.extend((recipe, message) for message in said)
        return made

    with patch.object(ShaderLibrary, "compiled", noted):
        if level == RADICES:
            for name, options in IN_FLIGHT:
                lines = FieldBuffers(ctx, (1, FLIGHT_LENGTH), 1, packed=1)
                fft.plan(ctx, name, lines, options, axes=(fft.ROWS,)).release()
        else:
            FrameRenderer(ctx, load_settings(config(level)), SIZE).render(0.0)
            for size in FFT_SIZES:
                Sea(ctx, load_settings(config(level), overrides=[f"fft.size={size}"])).release()
    del function
    names = kernel_names(recipe for recipe, _ in found)
    renderer = f"{ctx.info['GL_RENDERER']}, {ctx.info['GL_VERSION']}"
    return [
        {"kernel": names[recipe], "renderer": renderer, **values}
        for recipe, message in found
        if (values := counts_of(message))
    ]


def counts_of(message: str) -> dict[str, Any]:
    """Return the counts in a debug message; empty for other messages."""
    match = INTEL.search(message) or AMD.search(message)
    found = match.groupdict() if match else {}
    return {key: int(text) if text.isdigit() else text for key, text in found.items()}


def listen(ctx: moderngl.Context, take: Callable[[str], object]) -> Any:
    """Hand over a driver's debug messages at once, while the returned object lives."""
    u32, i32, text = ctypes.c_uint, ctypes.c_int, ctypes.c_char_p
    kind = GL_CALL(None, u32, u32, u32, u32, i32, text, ctypes.c_void_p)
    function = kind(lambda *arguments: take(arguments[5].decode()))
    for name in (GL_DEBUG_OUTPUT, GL_DEBUG_OUTPUT_SYNCHRONOUS):
        ctx.enable_direct(name)
    control = gl_function(ctx, "glDebugMessageControl", None, u32, u32, u32, i32, ctypes.c_void_p, ctypes.c_ubyte)
    control(GL_DONT_CARE, GL_DONT_CARE, GL_DONT_CARE, 0, None, 1)
    gl_function(ctx, "glDebugMessageCallback", None, kind, ctypes.c_void_p)(function, None)
    return function


def kernel_names(recipes: Iterable[Recipe]) -> dict[Recipe, str]:
    """Return a short name of each program: its last file, and the fewest defines that tell programs of this file
    apart."""
    files: dict[tuple[str, ...], list[Recipe]] = {}
    for recipe in dict.fromkeys(recipes):
        files.setdefault(recipe.names, []).append(recipe)
    names: dict[Recipe, str] = {}
    for (*_, last), same in files.items():
        defines = [dict(recipe.defines) for recipe in same]
        keys = sorted({key for one in defines for key in one}, key=lambda key: (key not in ("AXIS", "SIZE"), key))
        subsets = chain.from_iterable(combinations(keys, count) for count in range(len(keys) + 1))
        fewest = next(keys for keys in subsets if len({tuple(map(one.get, keys)) for one in defines}) == len(same))
        for recipe, one in zip(same, defines, strict=True):
            names[recipe] = " ".join([last.rsplit(".", 1)[0], *(f"{key}={one.get(key, '')}" for key in fewest)])
    return names


# -- In the process that starts the others ----------------------------------------------------------------------------


def environment(folder: Path, card: Card) -> dict[str, str]:
    """Return the variables with which a process sees a card's no-op device alone.

    Raises:
        FileNotFoundError: when the folder has no such device.
    """
    shim = folder.resolve() / SHIMS[card.vendor]
    if not shim.is_file():
        raise FileNotFoundError(f"there is no {shim}; make it with tools/build_shims.sh {folder}")
    alone = {"GALLIUM_THREAD": "0", "MESA_SHADER_CACHE_DISABLE": "true", "ST_DEBUG": "precompile"}  # for debug messages
    no_memory = {"MESA_EXTENSION_OVERRIDE": "-GL_ATI_meminfo -GL_NVX_gpu_memory_info"}  # AMD's device has none free
    return {**card.device, **alone, **no_memory, "LD_PRELOAD": str(shim)}


def count(folder: Path, name: str, level: str) -> list[dict[str, Any]]:
    """Return the counts of a card's driver for each shader stage."""
    command = [sys.executable, "-m", "tools.registers", str(folder), "--here", "--level", level]
    variables = os.environ | environment(folder, CARDS[name])
    done = subprocess.run(command, env=variables, stdout=subprocess.PIPE, text=True, check=True)
    found: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return found


def table(cards: dict[str, list[dict[str, Any]]]) -> list[str]:
    """Return the lines of a table with a row for each kernel. Intel: SIMD width, instructions, and spills:fills if any.
    AMD: vector registers, waves, and if any, bytes of scratch and spilled scalar registers."""
    kernels: dict[str, dict[str, str]] = {}
    for card, rows in cards.items():
        for row in rows:
            if "fills" in row:
                cell = f"{row['width']}, {row['instructions']}"
                cell += f", **{row['spills']}:{row['fills']}**" if row["spills"] else ""
            else:
                cell = f"{row['vgprs']}, {row['waves']}"
                cell += f", **{row['scratch']} B**" if row["scratch"] else ""
                cell += f", {row['sgpr_spills']} scalar" if row["sgpr_spills"] else ""
            name = row["kernel"] if row["stage"] == "CS" else f"{row['kernel']} ({row['stage']})"
            kernels.setdefault(name, {})[card] = cell
    lines = ([name, *(cells.get(card, "") for card in cards)] for name, cells in sorted(kernels.items()))
    return markdown_lines(["kernel", *(CARDS[card].name for card in cards)], lines)


def spills(cards: dict[str, list[dict[str, Any]]]) -> dict[str, dict[str, int]]:
    """Return the most that a program of each shader file spills, by card: registers on Intel, bytes of scratch a wave
    on AMD. Files that spill nothing are left out."""
    most: dict[str, dict[str, int]] = {}
    for card, rows in cards.items():
        for row in rows:
            name, count = row["kernel"].split()[0], row["spills"] if "fills" in row else row["scratch"]
            if count:
                most.setdefault(card, {})[name] = max(count, most.get(card, {}).get(name, 0))
    return most


def beyond(found: dict[str, dict[str, int]], budget: dict[str, dict[str, int]]) -> list[str]:
    """Return a sentence for each shader file that spills more than its budget. A file without one may spill nothing."""
    return [
        f"{name} spills {count} on {CARDS[card].name}; its budget is {allowed}"
        for card, files in found.items()
        for name, count in files.items()
        if count > (allowed := budget.get(card, {}).get(name, 0))
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="folder of tools/build_shims.sh")
    parser.add_argument("--cards", nargs="+", choices=CARDS, default=list(CARDS), help="by default all")
    parser.add_argument(
        "--level", choices=(*LEVELS, RADICES), default="high", help="quality level of the frame (default: high)"
    )
    parser.add_argument("--programs", nargs="+", default=[""], help="parts of the names of the programs to show")
    parser.add_argument("--out", type=Path, help="the JSON report to write")
    parser.add_argument("--budget", action="store_true", help=f"fail if a shader spills more than {BUDGET.name} allows")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)  # in the process of one card
    options = parser.parse_args()
    if options.here:
        print(json.dumps(counted(options.level)))
        return
    try:
        cards = {card: count(options.folder, card, options.level) for card in options.cards}
    except FileNotFoundError as error:
        parser.exit(2, f"tools.registers: {error}\n")
    parts = options.programs
    shown = {
        card: [row for row in rows if any(part in row["kernel"] for part in parts)] for card, rows in cards.items()
    }
    print("\n".join(table(shown)))
    if options.out:
        drivers = {card: {row.pop("renderer") for row in rows}.pop() for card, rows in cards.items()}
        write_report(options.out, None, level=options.level, drivers=drivers, cards=cards)
    if options.budget and (faults := beyond(spills(cards), json.loads(BUDGET.read_text(encoding="utf-8")))):
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
