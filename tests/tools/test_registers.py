"""The counts of registers and spills: what drivers report, names of kernels, and the budget. A job of the workflow runs
the drivers themselves."""

import json
import subprocess
import sys

import moderngl
import pytest

from ocean.gpu.context import create_headless_context
from ocean.gpu.shaders import SHADERS, Recipe, ShaderLibrary, shader_library
from tools.registers import (
    BUDGET,
    CARDS,
    GL_DEBUG_OUTPUT,
    GL_DEBUG_OUTPUT_SYNCHRONOUS,
    RADICES,
    beyond,
    counted,
    counts_of,
    environment,
    kernel_names,
    listen,
    spills,
    table,
)

IRIS = (
    "CS SIMD8 shader: 2833 inst, 0 loops, 52430 cycles, 61:94 spills:fills, 52 sends, scheduled with mode"
    " top-down, Promoted 0 constants, compacted 45328 to 40000 bytes."
)
RADEONSI = (
    "Shader Stats: SGPRS: 128 VGPRS: 136 Code Size: 18000 LDS: 0 Scratch: 1024 Max Waves: 3 Spilled SGPRs: 35 Spilled"
    " VGPRs: 19 PrivMem VGPRs: 0 DivergentLoop: 0, InlineUniforms: 1, ParamExports: 0, (CS, W32)"
)


def test_the_messages_of_both_drivers_are_read():
    cards = {card: [{"kernel": "fft", **counts_of(text)}] for card, text in (("gen12", IRIS), ("rdna2", RADEONSI))}
    assert table(cards)[-1] == "| fft | 8, 2833, **61:94** | 136, 3, **1024 B**, 35 scalar |"
    assert spills(cards) == {"gen12": {"fft": 61}, "rdna2": {"fft": 1024}}
    assert counts_of("GL_INVALID_ENUM in glEnable(0x1234)") == {}


def test_what_exceeds_its_budget_is_named():
    found = {"gen12": {"fft": 61, "sky": 2}, "rdna2": {"fft": 19}}
    assert beyond(found, {"gen12": {"fft": 61}, "rdna2": {"fft": 18}}) == [
        f"sky spills 2 on {CARDS['gen12'].name}; its budget is 0",
        f"fft spills 19 on {CARDS['rdna2'].name}; its budget is 18",
    ]


def test_programs_of_one_file_are_told_apart_by_few_defines():
    rows, columns = (Recipe(("fft/a.comp",), (("AXIS", axis), ("PACKED", 2), ("ROOTS", axis))) for axis in (0, 1))
    drawn = Recipe(("common/corners.vert", "sky/b.frag"), (("PACKED", 2),))
    assert kernel_names([rows, columns, rows, drawn]) == {rows: "fft/a AXIS=0", columns: "fft/a AXIS=1", drawn: "sky/b"}


def test_lines_in_flight_are_counted_by_radix(context, monkeypatch):
    """The driver says one message for each kernel."""
    said, compiled, fresh = [], ShaderLibrary.compiled, create_headless_context()

    def speaking(library, recipe):
        said[0](RADEONSI)
        return compiled(library, recipe)

    monkeypatch.setattr("tools.registers.create_headless_context", lambda: fresh)
    monkeypatch.setattr("tools.registers.listen", lambda _, take: said.append(take))
    monkeypatch.setattr(ShaderLibrary, "compiled", speaking)
    found = counted(RADICES)
    shader_library(fresh).release()
    fresh.release()
    context.__enter__()  # the context of the session
    assert [row["kernel"] for row in found] == [f"fft/stockham_registers ELEMENTS={radix}" for radix in (2, 4, 8, 16)]
    assert {row["vgprs"] for row in found} == {136}


def test_messages_of_the_driver_arrive(ctx):
    said = []
    function = listen(ctx, said.append)
    assert function is not None
    with pytest.raises(moderngl.Error, match="error"):
        ctx.compute_shader("#version 430\nerror")
    for name in (GL_DEBUG_OUTPUT, GL_DEBUG_OUTPUT_SYNCHRONOUS):
        ctx.disable_direct(name)
    assert any("error" in message for message in said)


def test_a_folder_without_shims_is_refused_with_the_command_that_makes_them(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"tools/build_shims\.sh"):
        environment(tmp_path, CARDS["gen12"])
    command = [sys.executable, "-m", "tools.registers", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"tools/build_shims.sh {tmp_path}" in done.stderr


def test_every_budget_names_a_card_and_a_shader():
    for card, files in json.loads(BUDGET.read_text(encoding="utf-8")).items():
        assert card in CARDS
        for name in files:
            assert list(SHADERS.glob(f"{name}.*")), name
