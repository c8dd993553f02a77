"""The trace of a transform, executed as a program."""

import re

import numpy as np
import pytest

from ocean import fft
from ocean.fft.stages import trace
from tests.fft.samples import relative_error
from tests.messages import unnamed


def written(path, values):
    path.write_text("".join(f"{value!r}\n" for value in values))
    return str(path)


def term(word, size, sign):
    """Parse a position and the factor of its element: `5`, `5·w_8^3`, `5·c_2`; numbers of B come from the host."""
    place, _, factor = word.partition("·")
    if not factor:
        return int(place), 1.0
    letter, below, above = re.fullmatch(r"(\w)_(\d+)(?:\^(\d+))?", factor).groups()
    if letter == "w":
        return int(place), np.exp(sign * 2j * np.pi * int(above) / int(below))
    chirp = np.exp(sign * 1j * np.pi * (np.arange(size) ** 2 % (2 * size)) / size)
    if letter == "c":
        return int(place), chirp[int(below)]
    length = 1 << (2 * size - 2).bit_length()
    wrapped = np.zeros(length, complex)
    wrapped[:size] = chirp.conj()
    wrapped[-(size - 1) :] = chirp[:0:-1].conj()
    transformed = np.fft.fft(wrapped) if sign < 0 else np.fft.ifft(wrapped, norm="forward")
    return int(place), transformed[int(below)] / length


def follow(trace, x, sign):
    """Execute a trace, thread by thread and stage by stage."""
    line, size = np.asarray(x, complex), len(x)
    stages = re.split(r"^stage \d+: ", trace, flags=re.M)[1:]
    for stage in stages:
        result = {}
        for part in re.findall(r"^  (?:thread \d+|all threads) +(.+)$", stage, re.M):
            for work in part.split(";  "):
                for reads, writes, conjugate in operations(work):
                    inputs = [term(word, size, sign) for word in reads]
                    a = np.array([line[place] * factor for place, factor in inputs])
                    for r, word in enumerate(writes):
                        place, factor = term(word, size, sign)
                        turns = np.exp(
                            (-sign if conjugate else sign) * 2j * np.pi * r * np.arange(len(a)) / max(len(a), 1)
                        )
                        assert place not in result
                        result[place] = factor * (a * turns).sum()
        line = np.array([result[place] for place in range(len(result))])
    return line, len(stages)


def operations(work):
    """Parse butterflies, `a b -> c d`, and moves, `a->c, b->d`."""
    if " -> " in work:
        reads, writes = work.removesuffix(" (with conjugate roots)").split(" -> ")
        yield reads.split(), writes.split(), work.endswith(")")
    else:
        for carried in work.split(", "):
            source, target = carried.split("->")
            yield [] if source == "zero" else [source], [target], False


@pytest.mark.parametrize("inverse", [False, True])
@pytest.mark.parametrize(
    ("backend", "size", "options"),
    [
        ("stockham-radix4", 32, {"butterflies": 2}),
        ("cooley-tukey", 16, {}),
        ("natural-order", 16, {}),
        ("naive", 16, {}),
        ("dft", 7, {}),
        ("digit-reversal", 32, {"decimation": "frequency", "memory": "global"}),
        ("stockham-registers", 60, {}),
        ("stockham-global", 48, {}),
        ("four-step", 64, {}),
        ("bluestein", 7, {}),
        ("numpy", 9, {}),
        ("auto", 30, {}),
    ],
)
def test_the_trace_can_be_followed_to_the_result(ctx, releasing, backend, size, options, inverse):
    fields = releasing(fft.FieldLayers(ctx, (1, size), 1))
    plan = releasing(fft.plan(ctx, backend, fields, options, axes=(fft.ROWS,)))
    lines = "\n".join(trace(plan.transforms[0].flow, inverse, size))
    x = np.random.default_rng().standard_normal(size)
    followed, stages = follow(lines, x, 1 if inverse else -1)
    expected = np.fft.ifft(x, norm="forward") if inverse else np.fft.fft(x)
    assert relative_error(followed, expected) < 1e-12
    assert stages > 1
    assert backend == "numpy" or ", dispatch 1" in lines


def test_the_command_prints_the_trace_of_what_ran(ocean_here, tmp_path):
    x = np.random.default_rng().standard_normal(30)
    path = written(tmp_path / "x.txt", x.tolist())
    for arguments in (["--backend", "stockham-global", "--set", "radix=2"], []):
        result = ocean_here("transform", path, *arguments, "--trace")
        assert result.returncode == 0, result.stderr
        followed, _ = follow(result.stdout[result.stdout.index("roots w_n^k") :], x, -1)
        assert relative_error(followed, np.fft.fft(x)) < 1e-12
    assert unnamed(result.stdout, "stage 1 registers dispatch 1") == []  # in registers, the choice of auto
