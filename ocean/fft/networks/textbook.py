"""Networks of one row for the textbook transforms, and for Stockham in images or shared memory."""

from ocean.common.parameters import Parameters
from ocean.fft.digit_reversal import reversed_places, stage_radices
from ocean.fft.networks.butterflies import in_time, pingpong, stockham_stage
from ocean.fft.networks.network import Memory, Network, NetworkStep, Node, moves, root
from ocean.fft.options import ButterflyOptions, KernelOptions, NaiveOptions


def bit_reversed(size: int) -> list[int]:
    return [int(place) for place in reversed_places(stage_radices(size, 2))]


def direct_sum(size: int, options: KernelOptions) -> Network:
    line = range(size)
    sums = tuple(Node(tuple(line), (k,), k, tuple(root(k * n % size, size) for n in line)) for k in line)
    load = NetworkStep("load", moves((k, k, k) for k in line), Memory.SHARED, dispatch=True)
    return Network(size, (load, NetworkStep("sum", sums, Memory.FRONT, waits=True)))


def cooley_tukey(size: int, options: KernelOptions, dispatch_a_stage: bool = False) -> Network:
    steps = []
    for stage in range(size.bit_length() - 1):
        nodes = in_time(size, 1 << stage, list(range(size)) if stage else bit_reversed(size))
        begins = stage == 0 or dispatch_a_stage
        steps.append(NetworkStep("radix 2", nodes, pingpong(stage), dispatch=begins, waits=not begins))
    return Network(size, tuple(steps))


def naive(size: int, options: NaiveOptions) -> Network:
    per_group = options.invocations == "one-per-group"
    order = bit_reversed(size)
    steps = [NetworkStep("reverse", moves((order[e], e, e) for e in range(size)), Memory.BACK, dispatch=True)]
    for stage in range(size.bit_length() - 1):
        nodes = in_time(size, 1 << stage, list(range(size)), per_group)
        steps.append(NetworkStep("radix 2", nodes, Memory.BACK, dispatch=True))
    return Network(size, tuple(steps))


def natural_order(size: int, options: KernelOptions) -> Network:
    half, steps = size // 2, []
    for stage in range(size.bit_length() - 1):
        s, n = 1 << stage, size >> stage
        nodes = tuple(
            Node((j, j + half), (j, j + half), j, after=(None, root(j >> stage, n))) for j in range(half)
        )  # j = q + s p
        order = [(e & (s - 1)) + (e >> (stage + 1) << stage) + (e >> stage & 1) * half for e in range(size)]
        steps.append(NetworkStep("radix 2", nodes, Memory.BACK, dispatch=stage == 0, waits=stage > 0))
        steps.append(
            NetworkStep("re-order", moves((order[e], e, e % half) for e in range(size)), Memory.FRONT, waits=True)
        )
    return Network(size, tuple(steps))


def stockham_images(size: int, options: ButterflyOptions, radix: int) -> Network:
    steps: list[NetworkStep] = []
    threads, s = size // radix // options.butterflies, 1
    while s < size:
        now = min(radix, size // s)
        nodes = stockham_stage(size, now, s, threads, in_frequency=True)
        steps.append(NetworkStep(f"radix {now}", nodes, pingpong(len(steps)), dispatch=s == 1, waits=s > 1))
        s *= now
    return Network(size, tuple(steps))


def stockham_shared(size: int, options: KernelOptions) -> Network:
    threads = size // 2
    load = moves((e, e, e % threads) for e in range(size))
    steps: list[NetworkStep] = []
    for stage in range(size.bit_length() - 1):
        into = Memory.FRONT if size >> stage == 2 else Memory.SHARED
        nodes = stockham_stage(size, 2, 1 << stage, threads, in_frequency=True)
        steps.append(NetworkStep("load", load, Memory.REGISTERS, dispatch=stage == 0, waits=stage > 0))
        steps.append(NetworkStep("radix 2", nodes, into, waits=stage > 0))
    return Network(size, tuple(steps))


def split_radix(size: int, options: KernelOptions) -> Network:
    """Return the network. A stage is two steps of one invocation: pairs, then the turned difference; blocks without a
    transform wait."""
    threads, order, n = size // 4, bit_reversed(size), size
    steps = [NetworkStep("load", moves((e, e, e % threads) for e in range(size)), Memory.SHARED, dispatch=True)]

    def stands(b: int) -> bool:
        return (b ^ (b + 1)).bit_length() % 2 == 1  # an even number of ones at the end

    while n > 2:
        quarter = n // 4
        halves: list[Node] = []
        shaped: list[Node] = []
        for b in range(size // n):
            block = range(b * n, (b + 1) * n)
            if not stands(b):
                idle = moves((e, e, None) for e in block)
                halves += idle
                shaped += idle
                continue
            for p in range(quarter):
                a, second, c, d = block[p::quarter]
                j = b * quarter + p
                halves += [Node((a, c), (a, c), j), Node((second, d), (second, d), j)]
                shaped += moves((e, e, j) for e in (a, second))
                shaped.append(Node((c, d), (c, d), j, (None, root(1, 4)), (root(p, n), root(3 * p, n))))
        steps.append(NetworkStep("pairs", tuple(halves), Memory.REGISTERS, waits=n < size))
        steps.append(NetworkStep("quarters", tuple(shaped), Memory.SHARED))
        n //= 2
    pairs: list[Node] = []
    for b in range(size // 2):
        places = 2 * b, 2 * b + 1
        pairs += [Node(places, places, b // 2)] if stands(b) else moves((e, e, None) for e in places)
    steps.append(NetworkStep("radix 2", tuple(pairs), Memory.SHARED, waits=True))
    steps.append(
        NetworkStep("reverse", moves((order[e], e, e % threads) for e in range(size)), Memory.FRONT, waits=True)
    )
    return Network(size, tuple(steps))


def reference(size: int, options: Parameters) -> Network:
    line = tuple(range(size))
    read = NetworkStep("read back", moves((e, e, None) for e in line), Memory.HOST)
    write = NetworkStep("upload", moves((e, e, None) for e in line), Memory.FRONT)
    return Network(size, (read, NetworkStep("numpy.fft", (Node(line, line, None),), Memory.HOST), write))
