"""A transform as a network that can be drawn, printed and evaluated: the steps that a line of N elements goes through.

A step consists of nodes. A node reads places, multiplies their values by roots of unity, transforms, multiplies again
and writes. With one output it is a sum, with one input a move, with no input a zero. Values belong to the inverse
transform, e^{+i}; the forward transform has their conjugates.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Operator = NDArray[np.complex128]


class Memory(StrEnum):
    FRONT = "front"
    BACK = "back"
    SHARED = "shared"
    REGISTERS = "registers"
    PADDED = "padded"
    HOST = "CPU"


IMAGES = (Memory.FRONT, Memory.BACK)


@dataclass(frozen=True)
class Factor:
    """A number with a name: a symbol, a lower and an upper index."""

    value: complex
    symbol: str
    below: int
    above: int | None = None


def root(k: int, n: int) -> Factor | None:
    """Return w_n^k = e^{2 pi i k / n}, named by the arguments of `root` in the shaders, or None for the free 1."""
    return Factor(np.exp(2j * np.pi * k / n), "w", n, k) if k else None


@dataclass(frozen=True)
class Node:
    """A butterfly: y[writes[r]] = after[r] sum_q e^{2 pi i q r / len(reads)} before[q] x[reads[q]]."""

    reads: tuple[int, ...]
    writes: tuple[int, ...]
    thread: int | None  # invocation along the line; None: several invocations
    before: tuple[Factor | None, ...] = ()
    after: tuple[Factor | None, ...] = ()
    backwards: bool = False  # the transform has e^{-i}

    def turn(self, q: int, r: int) -> int:
        """Return the power of w_R of input q in output r, where R is the number of inputs."""
        return (-1 if self.backwards else 1) * q * r % len(self.reads)

    @property
    def matrix(self) -> Operator:
        turns = [[self.turn(q, r) for q in range(len(self.reads))] for r in range(len(self.writes))]
        core = np.exp(2j * np.pi * np.array(turns) / len(self.reads))
        return values(self.after, len(self.writes))[:, None] * core * values(self.before, len(self.reads))


def values(factors: tuple[Factor | None, ...], count: int) -> Operator:
    return np.array([factor.value if factor else 1.0 for factor in factors or (None,) * count], np.complex128)


@dataclass(frozen=True)
class NetworkStep:
    """All nodes between two states of the line."""

    name: str
    nodes: tuple[Node, ...]
    into: Memory
    dispatch: int = 0  # dispatches that begin here, each after the one before
    waits: bool = False  # begins after a barrier of the work group


@dataclass(frozen=True)
class Network:
    """The steps that transform one line of the front image."""

    size: int
    steps: tuple[NetworkStep, ...]

    @property
    def memories(self) -> tuple[Memory, ...]:
        return (Memory.FRONT, *(step.into for step in self.steps))

    @property
    def dispatches(self) -> int:
        return sum(step.dispatch for step in self.steps)

    @property
    def barriers(self) -> int:
        return sum(step.waits for step in self.steps)

    @property
    def transfers(self) -> int:
        """The number of times that the whole line is read from or written to an image."""
        return sum((source in IMAGES) + (target in IMAGES) for source, target in pairwise(self.memories))

    def states(self) -> list[Operator]:
        """Return the matrix from the input to the values at all places, before the first step and after each step."""
        states: list[Operator] = [np.eye(self.size, dtype=np.complex128)]
        for step in self.steps:
            state = np.zeros((1 + max(place for node in step.nodes for place in node.writes), self.size), np.complex128)
            for node in step.nodes:
                state[list(node.writes)] += node.matrix @ states[-1][list(node.reads)]
            states.append(state)
        return states


def moves(pairs: Iterable[tuple[int, int, int | None]]) -> tuple[Node, ...]:
    """Return nodes that move elements, from (source, target, thread)."""
    return tuple(Node((source,), (target,), thread) for source, target, thread in pairs)
