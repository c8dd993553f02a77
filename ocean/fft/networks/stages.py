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


def in_frequency(size: int, radix: int, s: int, threads: int) -> tuple[Node, ...]:
    """Return a Stockham stage, decimation in frequency; s is the product of the radices before it."""
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


def stockham_stage(size: int, radix: int, s: int, threads: int) -> tuple[Node, ...]:
    """Return a Stockham stage, decimation in time; s is the product of the radices before it."""
    return tuple(
        Node(
            tuple(j + q * (size // radix) for q in range(radix)),
            tuple((j - j % s) * radix + j % s + r * s for r in range(radix)),
            j % threads,
            before=tuple(root(q * (j % s), s * radix) for q in range(radix)),
        )
        for j in range(size // radix)
    )
