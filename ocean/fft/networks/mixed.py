"""Networks of one row for transforms of mixed radix and of any length."""

from math import prod

from ocean.fft.bluestein import Bluestein, chirp, chirp_spectrum, padded_length
from ocean.fft.digit_reversal import group_elements, reversed_places, stage_radices
from ocean.fft.four_step import split
from ocean.fft.networks.butterflies import pingpong, stockham_stage
from ocean.fft.networks.network import Factor, Memory, Network, NetworkStep, Node, moves, root
from ocean.fft.options import DigitReversalOptions, FourStepOptions, GlobalOptions, RegisterOptions
from ocean.fft.registers import divide, factors, strided
from ocean.fft.stockham import GROUPS
from ocean.fft.storage import COLUMNS, ROWS


def digit_reversal(size: int, options: DigitReversalOptions) -> Network:
    """Return the network; an element in shared memory has the number of its destination in the line."""
    radices, in_time = stage_radices(size, options.radix), options.decimation == "time"
    spans = [span for _, span in strided(tuple(radices))]
    group = group_elements(size, options)
    groups, threads = size // group, group // options.radix
    narrow = (
        0
        if options.memory == "global"
        else sum(span * radix <= group for radix, span in zip(radices, spans, strict=True))
    )
    block = prod(radices[:narrow])
    places = [int(place) for place in reversed_places(radices)]
    home = Memory.FRONT if narrow == len(radices) else Memory.BACK

    def place_of(part: int, slot: int) -> int:
        return slot if groups == 1 else places[part + slot // block * groups] + slot % block

    def butterflies(stage: int) -> tuple[Node, ...]:
        radix, span, nodes = radices[stage], spans[stage], []
        is_narrow = stage < narrow
        for part in range(groups if is_narrow else 1):
            for j in range((group if is_narrow else size) // radix):
                p = j % span
                slots = [(j - p) * radix + p + i * span for i in range(radix)]
                line = tuple(place_of(part, slot) for slot in slots) if is_narrow else tuple(slots)
                roots = tuple(root(i * p, radix * span) for i in range(radix))
                thread = part * threads + j % (threads if is_narrow else groups * threads)
                nodes.append(Node(line, line, thread, *((roots, ()) if in_time else ((), roots))))
        return tuple(nodes)

    def reversal() -> tuple[Node, ...]:
        pairs = ((e, places[e], e % groups * threads + e // groups % threads) for e in range(size))
        return moves((e, place, thread) if in_time else (place, e, thread) for e, place, thread in pairs)

    together = [("reverse", reversal()), *((f"radix {radices[n]}", butterflies(n)) for n in range(narrow))]
    wide = [(f"radix {radices[n]}", butterflies(n)) for n in range(narrow, len(radices))]
    if not in_time:
        together.reverse()
        wide.reverse()
    shared = [
        NetworkStep(name, nodes, home if number == narrow else Memory.SHARED, dispatch=number == 0, waits=number > 0)
        for number, (name, nodes) in enumerate(together)
    ]
    alone = [NetworkStep(name, nodes, home if in_time else Memory.FRONT, dispatch=True) for name, nodes in wide]
    return Network(size, tuple(shared + alone if in_time else alone + shared))


def stockham_registers(size: int, options: RegisterOptions) -> Network:
    """Return the network; an exchange in parts is one step, and a butterfly on halves belongs to one invocation."""
    division = divide(size, ROWS, options)
    steps: list[NetworkStep] = []
    for stage, (radix, s) in enumerate(strided(division.radices)):
        owners = moves((e, e, e % (size // radix) % division.threads) for e in range(size))
        steps.append(NetworkStep("load", owners, Memory.REGISTERS, dispatch=stage == 0, waits=stage > 0))
        into = Memory.FRONT if s * radix == size else Memory.SHARED
        nodes = stockham_stage(size, radix, s, division.threads)
        steps.append(NetworkStep(f"radix {radix}", nodes, into, waits=into is Memory.SHARED and stage > 0))
    return Network(size, tuple(steps))


def stockham_global(size: int, options: GlobalOptions) -> Network:
    steps: list[NetworkStep] = []
    along = GROUPS[True][0]
    radices = factors(size, options.radix) or ()
    for stage, (radix, s) in enumerate(strided(radices)):
        nodes, name = stockham_stage(size, radix, s, size // radix), f"radix {radix}"
        if options.exchange == "sorted" and along % s == 0:
            run = along * radix  # results of a work group
            order = moves((e, e, e // run * along + e % run % along) for e in range(size))
            steps.append(NetworkStep(name, nodes, Memory.SHARED, dispatch=True))
            steps.append(NetworkStep("sort", order, pingpong(stage), waits=True))
        else:
            steps.append(NetworkStep(name, nodes, pingpong(stage), dispatch=True))
    return Network(size, tuple(steps))


def four_step(size: int, options: FourStepOptions) -> Network:
    """Return the network of passes: Stockham stages whose butterflies are Stockham transforms."""
    steps: list[NetworkStep] = []
    for pass_, (length, s) in enumerate(strided(split(size, options.longest))):
        outer = stockham_stage(size, length, s, size // length)
        division = divide(length, COLUMNS, options)
        for radix, inner in strided(division.radices):
            stage = stockham_stage(length, radix, inner, division.threads)
            first, last = inner == 1, inner * radix == length
            loads, butterflies = [], []
            for number, group in enumerate(outer):
                for node in stage:
                    thread = number * division.threads + (node.thread or 0)
                    reads = tuple(group.reads[q] for q in node.reads)
                    writes = tuple((group.writes if last else group.reads)[r] for r in node.writes)
                    twiddles = [group.before[q] if first else None for q in node.reads]
                    loads += [Node((e,), (e,), thread, after=(w,)) for e, w in zip(reads, twiddles, strict=True)]
                    butterflies.append(Node(reads, writes, thread, node.before))
            steps.append(NetworkStep("load", tuple(loads), Memory.REGISTERS, dispatch=first, waits=not first))
            into = pingpong(pass_) if last else Memory.SHARED
            steps.append(NetworkStep(f"radix {radix}", tuple(butterflies), into, waits=not (first or last)))
    return Network(size, tuple(steps))


def bluestein(size: int, options: RegisterOptions, inner: int = 0) -> Network:
    """Return the network of the convolution: in one dispatch, or with `inner` dispatches for each transform of the
    padded row.

    Each of these transforms is one node, which is not the work of a single invocation.
    """
    length = padded_length(size) if inner else Bluestein.length(size)
    threads = length if inner else divide(length, ROWS, options).threads
    wave, whole = chirp(size), tuple(range(length))
    c = [Factor(value, "c", j) if j else None for j, value in enumerate(wave)]
    spectrum = tuple(Factor(value, "B", k) for k, value in enumerate(chirp_spectrum(wave, length)))
    padded = [Node((j,), (j,), j % threads, after=(c[j],)) if j < size else Node((), (j,), j % threads) for j in whole]
    product = tuple(Node((k,), (k,), k % threads, after=(spectrum[k],)) for k in whole)
    result = tuple(Node((k,), (k,), k % threads, before=(c[k],)) for k in range(size))
    there, back = Node(whole, whole, None), Node(whole, whole, None, backwards=True)
    memory = Memory.PADDED if inner else Memory.REGISTERS
    steps = (
        NetworkStep("chirp, pad", tuple(padded), memory, dispatch=True),
        NetworkStep("transform", (there,), memory, dispatch=inner),
        NetworkStep("product", product, memory, dispatch=inner > 0),
        NetworkStep("and back", (back,), memory, dispatch=inner),
        NetworkStep("chirp", result, Memory.FRONT, dispatch=inner > 0),
    )
    return Network(size, steps)
