"""A transform as a network that can be drawn, printed and evaluated: what a line of N elements goes through in steps.

A step is made of nodes. A node reads a few places, multiplies what it finds by roots of unity, transforms, multiplies
again and writes; with one output it is a sum, with one input a move, with no input a zero. Values are those of the
inverse, e^{+i}; the forward transform has their conjugates.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.complex128]


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
    """A number with its name: a symbol, an index below and one above."""

    value: complex
    symbol: str
    below: int
    above: int | None = None


def root(k: int, n: int) -> Factor | None:
    """w_n^k = e^{2 pi i k / n}, named by the arguments that shaders give to `root`; None for 1, which is free."""
    return Factor(np.exp(2j * np.pi * k / n), "w", n, k) if k else None


@dataclass(frozen=True)
class Node:
    """y[writes[r]] = after[r] sum_q e^{2 pi i q r / len(reads)} before[q] x[reads[q]]."""

    reads: tuple[int, ...]
    writes: tuple[int, ...]
    thread: int | None  # along the line; None where it is not one invocation's work
    before: tuple[Factor | None, ...] = ()
    after: tuple[Factor | None, ...] = ()
    backwards: bool = False  # the transform has e^{-i}

    def turn(self, q: int, r: int) -> int:
        """The power of w_R that input q has in output r, R being the number of inputs."""
        return (-1 if self.backwards else 1) * q * r % len(self.reads)

    @property
    def matrix(self) -> Matrix:
        """What the node does, of shape (outputs, inputs)."""
        turns = [[self.turn(q, r) for q in range(len(self.reads))] for r in range(len(self.writes))]
        core = np.exp(2j * np.pi * np.array(turns) / len(self.reads))
        return values(self.after, len(self.writes))[:, None] * core * values(self.before, len(self.reads))


def values(factors: tuple[Factor | None, ...], count: int) -> Matrix:
    return np.array([factor.value if factor else 1.0 for factor in factors or (None,) * count], np.complex128)


@dataclass(frozen=True)
class Step:
    """All nodes between two states of the line."""

    name: str
    nodes: tuple[Node, ...]
    into: Memory
    dispatch: int = 0  # how many dispatches it begins with, each of which waits for the one before
    waits: bool = False  # begins behind a barrier of the work group


@dataclass(frozen=True)
class Network:
    """One axis: a line that lies in the front image, and the steps that transform it."""

    size: int
    steps: tuple[Step, ...]

    @property
    def memories(self) -> tuple[Memory, ...]:
        return (Memory.FRONT, *(step.into for step in self.steps))

    @property
    def dispatches(self) -> int:
        return sum(step.dispatch for step in self.steps)

    @property
    def barriers(self) -> int:
        """Barriers within a work group."""
        return sum(step.waits for step in self.steps)

    @property
    def transfers(self) -> int:
        """How often the whole line is read from an image or written to one."""
        return sum((source in IMAGES) + (target in IMAGES) for source, target in pairwise(self.memories))

    def states(self) -> list[Matrix]:
        """Before the first and after each step, the matrix that takes the input to the values at all places."""
        states: list[Matrix] = [np.eye(self.size, dtype=np.complex128)]
        for step in self.steps:
            state = np.zeros((1 + max(place for node in step.nodes for place in node.writes), self.size), np.complex128)
            for node in step.nodes:
                state[list(node.writes)] += node.matrix @ states[-1][list(node.reads)]
            states.append(state)
        return states


def moves(pairs: Iterable[tuple[int, int, int | None]]) -> tuple[Node, ...]:
    """Nodes that carry elements: (from, to, thread)."""
    return tuple(Node((source,), (target,), thread) for source, target, thread in pairs)
