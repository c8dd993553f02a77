"""Progress and tables that headless commands print."""

import sys
import time
from collections.abc import Iterable
from typing import Any, Self

PAUSE, LONG = 10.0, 90.0
"""Silence [s] after which the next step prints a line, and remaining time [s] from which lines state it."""


class Progress:
    """Progress of tasks: a bar on a terminal; elsewhere a line for every tenth, and one after `PAUSE` s of silence."""

    def __init__(self) -> None:
        self._what, self._total, self._done = "", 0, 0
        self._began = self._said = time.monotonic()
        self._steps = 0
        self._bar: Any = None

    def __enter__(self) -> Self:
        if sys.stdout.isatty():
            from rich import progress

            columns = (progress.TextColumn("{task.description}"), progress.BarColumn(), progress.MofNCompleteColumn())
            self._bar = progress.Progress(*columns, progress.TimeRemainingColumn(), auto_refresh=False)
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def start(self, what: str, total: int, done: int = 0) -> None:
        """Begin a task of `total` steps. The first `done` steps are finished."""
        self._what, self._total, self._done = what, total, done
        self._began = self._said = time.monotonic()
        self._steps = 0
        if self._bar is not None:
            self._bar.add_task(what, total=total, completed=done)

    def follow(self, what: str, shares: Iterable[float]) -> None:
        """Show a task that yields its completed fraction, 0 to 1, between its parts; show nothing if it yields none."""
        is_begun = False
        for share in shares:
            if not is_begun:
                self.start(f"{what}, percent", 100)
                is_begun = True
            self.reach(int(100 * share))
        if is_begun:
            self.reach(100)

    def reach(self, done: int) -> None:
        while self._done < done:
            self.advance()

    def advance(self) -> None:
        self._done += 1
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[-1], completed=self._done, refresh=self._passes(100))
            return
        self._steps += 1
        now = time.monotonic()
        if self._passes(10) or now - self._said > PAUSE:
            left = (now - self._began) / self._steps * (self._total - self._done)
            rest = f", about {left / 60:.0f} min left" if left > LONG else ""
            print(f"{self._what} {self._done} of {self._total}{rest}", flush=True)
            self._said = now

    def _passes(self, parts: int) -> bool:
        """Return whether this step completed another one of `parts` equal parts."""
        return self._done * parts // self._total != (self._done - 1) * parts // self._total


def print_table(table: Any, width: int = 140) -> None:
    """Print a table: as wide as the terminal, or `width` characters elsewhere."""
    from rich.console import Console

    Console(width=None if sys.stdout.isatty() else width).print(table)


def terminal_width() -> int | None:
    """Return the width of the terminal in characters, or None without a terminal."""
    from rich.console import Console

    return Console().width if sys.stdout.isatty() else None
