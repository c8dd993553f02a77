"""The FFT backends as networks, one axis each.

The indices are those of the shaders, step by step; how a line is divided, the order of digits and the chirp are the
backends' own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from docs.drawings.network import IMAGES, Factor, Memory, Network, Node, Step, moves, root
from ocean.fft.bluestein import Bluestein, chirp, chirp_spectrum
from ocean.fft.digit_reversal import reversed_places, stage_radices
from ocean.fft.registers import RegisterOptions, divide, factors
from ocean.fft.storage import ROWS


def bit_reversed(size: int) -> list[int]:
    return [int(place) for place in reversed_places(stage_radices(size, 2))]


def pingpong(stage: int) -> Memory:
    return IMAGES[(stage + 1) % 2]


def direct_sum(size: int) -> Network:
    line = range(size)
    sums = tuple(Node(tuple(line), (k,), k, tuple(root(k * n % size, size) for n in line)) for k in line)
    load = Step("load", moves((k, k, k) for k in line), Memory.SHARED, dispatch=True)
    return Network(size, (load, Step("sum", sums, Memory.FRONT, waits=True)))


def in_time(size: int, half_span: int, source: list[int], per_group: bool = False) -> tuple[Node, ...]:
    """Radix-2 butterflies in place, decimation in time; element e is read from source[e]."""
    nodes = []
    for j in range(size // 2):
        p = j & (half_span - 1)
        upper = 2 * j - p
        lower = upper + half_span
        thread = j // half_span if per_group else j
        nodes.append(Node((source[upper], source[lower]), (upper, lower), thread, (None, root(p, 2 * half_span))))
    return tuple(nodes)


def cooley_tukey(size: int, dispatch_a_stage: bool = False) -> Network:
    steps = []
    for stage in range(size.bit_length() - 1):
        nodes = in_time(size, 1 << stage, list(range(size)) if stage else bit_reversed(size))
        begins = stage == 0 or dispatch_a_stage
        steps.append(Step("radix 2", nodes, pingpong(stage), dispatch=begins, waits=not begins))
    return Network(size, tuple(steps))


def naive(size: int) -> Network:
    order = bit_reversed(size)
    steps = [Step("reverse", moves((order[e], e, e) for e in range(size)), Memory.BACK, dispatch=True)]
    for stage in range(size.bit_length() - 1):
        nodes = in_time(size, 1 << stage, list(range(size)), per_group=True)
        steps.append(Step("radix 2", nodes, Memory.BACK, dispatch=True))
    return Network(size, tuple(steps))


def natural_order(size: int) -> Network:
    half, steps = size // 2, []
    for stage in range(size.bit_length() - 1):
        s, n = 1 << stage, size >> stage
        nodes = tuple(
            Node((j, j + half), (j, j + half), j, after=(None, root(j >> stage, n))) for j in range(half)
        )  # j = q + s p
        order = [(e & (s - 1)) + (e >> (stage + 1) << stage) + (e >> stage & 1) * half for e in range(size)]
        steps.append(Step("radix 2", nodes, Memory.BACK, dispatch=stage == 0, waits=stage > 0))
        steps.append(Step("re-order", moves((order[e], e, e % half) for e in range(size)), Memory.FRONT, waits=True))
    return Network(size, tuple(steps))


def in_frequency(size: int, radix: int, s: int, threads: int) -> tuple[Node, ...]:
    """A Stockham stage, decimation in frequency; s is the product of the radices before it."""
    part, n = size // radix, size // s
    return tuple(
        Node(
            tuple(j + q * part for q in range(radix)),
            tuple(j % s + s * (radix * (j // s) + r) for r in range(radix)),
            j % threads,
            after=tuple(root(r * (j // s), n) for r in range(radix)),
        )
        for j in range(part)
    )


def stockham_images(size: int, radix: int) -> Network:
    steps: list[Step] = []
    threads, s = size // radix, 1
    while s < size:
        now = min(radix, size // s)
        nodes = in_frequency(size, now, s, threads)
        steps.append(Step(f"radix {now}", nodes, pingpong(len(steps)), dispatch=s == 1, waits=s > 1))
        s *= now
    return Network(size, tuple(steps))


def load_registers(size: int, threads: int) -> tuple[Node, ...]:
    return moves((e, e, e % threads) for e in range(size))


def stockham_shared(size: int) -> Network:
    threads = size // 2
    steps = [Step("load", load_registers(size, threads), Memory.REGISTERS, dispatch=True)]
    for stage in range(size.bit_length() - 1):
        last = size >> stage == 2
        into = Memory.FRONT if last else Memory.SHARED
        steps.append(Step("radix 2", in_frequency(size, 2, 1 << stage, threads), into, waits=stage > 0))
        if not last:
            steps.append(Step("load", load_registers(size, threads), Memory.REGISTERS, waits=True))
    return Network(size, tuple(steps))


def stockham_stage(size: int, radix: int, s: int, threads: int) -> tuple[Node, ...]:
    """A Stockham stage, decimation in time; s is the product of the radices before it."""
    return tuple(
        Node(
            tuple(j + q * (size // radix) for q in range(radix)),
            tuple((j - j % s) * radix + j % s + r * s for r in range(radix)),
            j % threads,
            before=tuple(root(q * (j % s), s * radix) for q in range(radix)),
        )
        for j in range(size // radix)
    )


def stockham_registers(size: int) -> Network:
    division = divide(size, ROWS, RegisterOptions(radix=4))
    threads, s, steps = division.threads, 1, []
    for stage, radix in enumerate(division.radices):
        owners = moves((e, e, e % (size // radix) % threads) for e in range(size))
        steps.append(Step("load", owners, Memory.REGISTERS, dispatch=stage == 0, waits=stage > 0))
        into = Memory.FRONT if s * radix == size else Memory.SHARED
        nodes = stockham_stage(size, radix, s, threads)
        steps.append(Step(f"radix {radix}", nodes, into, waits=into is Memory.SHARED))
        s *= radix
    return Network(size, tuple(steps))


def stockham_global(size: int) -> Network:
    steps: list[Step] = []
    s = 1
    for radix in factors(size, 4) or ():
        nodes = stockham_stage(size, radix, s, size // radix)
        steps.append(Step(f"radix {radix}", nodes, pingpong(len(steps)), dispatch=True))
        s *= radix
    return Network(size, tuple(steps))


def four_step(size: int) -> Network:
    """Two passes, the first of the larger half of the digits; radix 2 within a pass."""
    digits = size.bit_length() - 1
    steps: list[Step] = []
    s = 1
    for pass_, length in enumerate((1 << (digits + 1) // 2, 1 << digits // 2)):
        outer = stockham_stage(size, length, s, size // length)  # one work group each
        threads = length // 2
        inner = 1
        while inner < length:
            stage = stockham_stage(length, 2, inner, threads)
            last = 2 * inner == length
            loads, butterflies = [], []
            for number, group in enumerate(outer):
                for butterfly, node in enumerate(stage):
                    thread = number * threads + butterfly
                    for q in node.reads:
                        place = group.reads[q]
                        twiddle = group.before[q] if inner == 1 else None
                        loads.append(Node((place,), (place,), thread, after=(twiddle,)))
                    reads = tuple(group.reads[q] for q in node.reads)
                    writes = tuple((group.writes if last else group.reads)[r] for r in node.writes)
                    butterflies.append(Node(reads, writes, thread, node.before))
            steps.append(Step("load", tuple(loads), Memory.REGISTERS, dispatch=inner == 1, waits=inner > 1))
            into = IMAGES[(pass_ + 1) % 2] if last else Memory.SHARED
            steps.append(Step("radix 2", tuple(butterflies), into, waits=not last))
            inner *= 2
        s *= length
    return Network(size, tuple(steps))


def digit_reversal(size: int) -> Network:
    radices, threads = stage_radices(size, 4), size // 4
    places = reversed_places(radices)
    order = moves((e, int(places[e]), e % threads) for e in range(size))
    steps = [Step("reverse", order, Memory.SHARED, dispatch=True)]
    span = 1
    for radix in radices:
        nodes = []
        for j in range(size // radix):
            p = j % span
            line = tuple((j - p) * radix + p + i * span for i in range(radix))
            nodes.append(Node(line, line, j % threads, tuple(root(i * p, radix * span) for i in range(radix))))
        span *= radix
        into = Memory.FRONT if span == size else Memory.SHARED
        steps.append(Step(f"radix {radix}", tuple(nodes), into, waits=True))
    return Network(size, tuple(steps))


def bluestein(size: int) -> Network:
    length = Bluestein.length(size)
    wave = chirp(size)
    c = [Factor(value, "c", j) if j else None for j, value in enumerate(wave)]
    spectrum = tuple(Factor(value, "B", k) for k, value in enumerate(chirp_spectrum(wave, length)))
    whole = tuple(range(length))
    padded = [Node((j,), (j,), None, after=(c[j],)) if j < size else Node((), (j,), None) for j in whole]
    steps = (
        Step("chirp, pad", tuple(padded), Memory.REGISTERS, dispatch=True),
        Step("transform", (Node(whole, whole, None, after=spectrum),), Memory.REGISTERS),
        Step("and back", (Node(whole, whole, None, backwards=True),), Memory.REGISTERS),
        Step("chirp", tuple(Node((k,), (k,), None, before=(c[k],)) for k in range(size)), Memory.FRONT),
    )
    return Network(size, steps)


def reference(size: int) -> Network:
    line = tuple(range(size))
    read = Step("read back", moves((e, e, None) for e in line), Memory.HOST)
    write = Step("upload", moves((e, e, None) for e in line), Memory.FRONT)
    return Network(size, (read, Step("numpy.fft", (Node(line, line, None),), Memory.HOST), write))


@dataclass(frozen=True)
class Example:
    """What is drawn of a backend, and the options with which its plan does that."""

    network: Callable[[int], Network]
    size: int = 8
    options: Mapping[str, int] = field(default_factory=dict)


EXAMPLES = {
    "cooley-tukey-stages": Example(lambda size: cooley_tukey(size, dispatch_a_stage=True)),
    "cooley-tukey": Example(cooley_tukey),
    "stockham-radix2": Example(lambda size: stockham_images(size, 2)),
    "stockham-radix4": Example(lambda size: stockham_images(size, 4)),
    "stockham-shared": Example(stockham_shared),
    "stockham-registers": Example(stockham_registers, options={"radix": 4}),
    "stockham-global": Example(stockham_global, options={"radix": 4}),
    "four-step": Example(four_step),
    "dft": Example(direct_sum),
    "natural-order": Example(natural_order),
    "naive": Example(naive),
    "digit-reversal": Example(digit_reversal),
    "bluestein": Example(bluestein, size=3),
    "numpy": Example(reference),
}
