"""Every value of every option reaches the kernels: two values of an option lead to different sources, uniforms or
dispatches.

Other tests check the results of each value. They can't detect an ignored option, because its results are right too.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import combinations
from typing import get_args

import moderngl
import pytest

from ocean import fft
from ocean.fft import kernels
from ocean.fft.options import validated_options
from ocean.gpu.shaders import SHADERS, ShaderSource

SIZE = 256  # a line that fits into a work group
LONG = (1 << 14) + 1  # a line that does not
LONG_WHERE = {"radix": 8192, "order": 8192}  # padded to 2^14 = 128 x 128
WHERE = {  # sizes and other options at which an option has an effect, if not at SIZE
    ("digit-reversal", "memory"): (2 * SIZE, {}),
    ("digit-reversal", "group"): (2048, {"memory": "hybrid"}),
    ("digit-reversal", "table"): (SIZE, {"twiddles": "table"}),
    ("four-step", "longest"): (1 << 19, {}),  # two to four passes
    ("stockham-registers", "radix"): (128, {}),  # a length that can be divided
    ("stockham-registers", "order"): (128, {}),  # all orders differ
    ("stockham-registers", "odd"): (288, {}),  # the shortest line with radix 9
    ("four-step", "radix"): (1 << 14, {}),  # 128 x 128
    ("four-step", "order"): (1 << 14, {"radix": 8}),  # with radix 4 two orders are equal
    ("four-step", "butterflies"): (1 << 14, {}),
    ("bluestein", "radix"): (61, {}),  # padded to 128
    ("bluestein", "order"): (61, {}),
    ("bluestein", "convolution"): (61, {}),
}
FUSED = {"middle", "sharing", "halves"}  # options without effect on one axis; tests/sea/test_fused.py tests them
IN_DATA = {("bluestein", "angles")}  # the table of the chirp differs; the kernels are the same
NOT_THERE = "stockham-global, which transforms the padded lines in double precision, has no such option"
WITHIN_GROUPS = ("chirp", "rader")
"""Values of `convolution`, alike for lines that no work group holds."""
ALIKE_IN_DOUBLE = {  # values of bluestein's options that have no effect in double precision, and why
    "radix": (("auto", 8, 16, "split"), "stockham-global has none above 8, its default"),
    "order": (("auto", "falling", "rising", "level"), NOT_THERE),
    "butterflies": (("auto", 1, 2, 4), NOT_THERE),
    "lines": (("auto", 1, 2, 4, 8), NOT_THERE),
    "exchange": (("auto", "vec4", "vec2", "float", "arrays"), NOT_THERE),
    "padding": (("auto", "none", "padded"), NOT_THERE),
    "roots": (("auto", "each", "powers"), NOT_THERE),
    "twiddles": (
        ("auto", "computed", "native", "table"),
        "GLSL has no sine in double precision: roots come from a table",
    ),
}


class Everything(dict):
    """Container that contains every key and has no items at first."""

    def __contains__(self, key):
        return True

    def __missing__(self, key):
        return None


class Kernel:
    """Stand-in for a compiled kernel; it records its uniforms and dispatches."""

    def __init__(self, log):
        self.log = log
        self.extra = Everything()  # values of uniforms, as `set_uniforms` keeps them

    def __setitem__(self, name, value):
        self.log.append((name, value))

    def run(self, *groups):
        self.log.append(("run", groups))


@cache
def words_of(shader, includes):
    return frozenset(re.findall(r"\w+", re.sub(r"//.*", "", ShaderSource(SHADERS, shader, dict(includes)).text)))


class Library:
    """Stand-in for the shader library; it records sources and defines of kernels. Only defines that the source mentions
    count."""

    def __init__(self):
        self.log = []

    def kernel(self, shader, **defines):
        files = {name: file for name, file in defines.items() if name.endswith("_INCLUDE")}
        words = words_of(shader, tuple(files.items())) | set(re.findall(r"\w+", str(defines.values())))
        self.log.append((shader, {name: value for name, value in defines.items() if name in words}))
        return Kernel(self.log)


@contextmanager
def listening(monkeypatch) -> Iterator[tuple[list, list]]:
    """Record the defines of kernels and all uploaded data."""
    library, uploads = Library(), []
    honest = moderngl.Context.buffer

    def buffer(ctx, data=None, **more):
        uploads.append(data)
        return honest(ctx, data, **more)

    with monkeypatch.context() as patch:
        patch.setattr(moderngl.Context, "buffer", buffer)
        patch.setattr(kernels, "shader_library", lambda ctx: library)
        yield library.log, uploads


def footprint(ctx, monkeypatch, backend, size, options, double=False):
    """Return sources, uniforms and dispatches of the kernels of rows and columns, and the uploaded data other than
    fields."""
    with listening(monkeypatch) as (log, uploads):
        for axis, shape in ((fft.ROWS, (3, size)), (fft.COLUMNS, (size, 3))):
            fields = fft.FieldBuffers(ctx, shape, 1, 1 if double else 2, double)
            plan = fft.plan(ctx, backend, fields, options, axes=(axis,))
            plan.forward()
            plan.release()
            fields.release()
    return log, uploads


def values_of(field):
    return get_args(field.annotation) or (False, True)  # values of a Literal, or of a switch


def every_option(name):
    return [(name, option) for option in fft.BACKENDS[name].Options.model_fields if option not in FUSED]


def check(ctx, monkeypatch, name, option, size, more, alike=(), double=False):
    """Check that all values of an option differ, except for those in `alike`. `auto` may equal one other value."""
    found = {
        value: footprint(ctx, monkeypatch, name, size, {**more, option: value}, double)[(name, option) in IN_DATA]
        for value in values_of(fft.BACKENDS[name].Options.model_fields[option])
    }
    same = {pair for pair in combinations(found, 2) if found[pair[0]] == found[pair[1]]}
    assert set(combinations(alike, 2)) <= same
    same -= set(combinations(alike, 2))
    assert [pair for pair in same if "auto" not in pair] == []
    assert len(same) <= 1
    assert len(found) - len(same) > 1


@pytest.mark.parametrize(("name", "option"), [pair for name in fft.BACKENDS for pair in every_option(name)])
def test_every_value_of_an_option_reaches_the_kernels(ctx, monkeypatch, name, option):
    check(ctx, monkeypatch, name, option, *WHERE.get((name, option), (SIZE, {})))


@pytest.mark.parametrize(("name", "option"), every_option("bluestein"))
@pytest.mark.parametrize("double", [False, True])
def test_long_lines_pass_their_options_on(ctx, monkeypatch, name, option, double):
    alike = WITHIN_GROUPS if option == "convolution" else ()
    if double and option in ALIKE_IN_DOUBLE:
        alike, _ = ALIKE_IN_DOUBLE[option]
    more = {"radix": 8} if option == "order" else {}  # with radix 4 two orders are equal
    check(ctx, monkeypatch, name, option, LONG_WHERE.get(option, LONG), more, alike, double)


def test_the_earlier_name_of_sharing_is_read():
    options = validated_options("stockham-registers", {"waves": "held"})
    assert options == validated_options("stockham-registers", {"sharing": "held"})
    with pytest.raises(fft.FFTError):
        validated_options("stockham-registers", {"waves": "held", "sharing": "held"})
