"""Stages of networks: butterflies of a whole row, with the indices and roots of the shaders."""

from ocean.fft.networks.network import IMAGES, Memory, Node, root


def pingpong(stage: int) -> Memory:
    return IMAGES[(stage + 1) % 2]


def in_time(size: int, half_span: int, source: list[int], per_group: bool = False) -> tuple[Node, ...]:
    """Return radix-2 butterflies in place, decimation in time; element e is read from source[e]."""
    nodes = []
    for j in range(size // 2):
        p = j & (half_span - 1)
        upper = 2 * j - p
        lower = upper + half_span
        thread = j // half_span if per_group else j
        nodes.append(Node((source[upper], source[lower]), (upper, lower), thread, (None, root(p, 2 * half_span))))
    return tuple(nodes)


def stockham_stage(size: int, radix: int, s: int, threads: int, in_frequency: bool = False) -> tuple[Node, ...]:
    """Return a Stockham stage, decimation in time or in frequency; s is the product of the radices before it."""
    nodes = []
    for j in range(size // radix):
        p, k = divmod(j, s)
        reads = tuple(j + q * (size // radix) for q in range(radix))
        writes = tuple(p * s * radix + k + r * s for r in range(radix))
        if in_frequency:
            nodes.append(Node(reads, writes, j % threads, after=tuple(root(r * p, size // s) for r in range(radix))))
        else:
            nodes.append(Node(reads, writes, j % threads, before=tuple(root(q * k, s * radix) for q in range(radix))))
    return tuple(nodes)
