"""Progress and tables that headless commands print."""

import sys
import time
from collections.abc import Iterable, Sequence
from typing import Any, Self

from ocean.common.errors import plain

PAUSE, LONG = 10.0, 90.0
"""Silence [s] after which the next step prints a line; remaining time [s] that lines state if it is longer."""


class Progress:
    """Progress of tasks: a bar on a terminal; elsewhere a line for every tenth, and one after `PAUSE` s of silence."""

    def __init__(self) -> None:
        self._what, self._total, self._done, self._first = "", 0, 0, 0
        self._began = self._said = time.monotonic()
        self._bar: Any = None

    def __enter__(self) -> Self:
        if sys.stdout.isatty():
            from rich import progress

            columns = (
                progress.TextColumn("{task.description}", markup=False),
                progress.BarColumn(),
                progress.MofNCompleteColumn(),
            )
            self._bar = progress.Progress(*columns, progress.TimeRemainingColumn(), auto_refresh=False)
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def start(self, what: str, total: int, done: int = 0) -> None:
        """Begin a task of `total` steps. The first `done` steps are finished."""
        self._what, self._total, self._done, self._first = what, total, done, done
        self._began = self._said = time.monotonic()
        if self._bar is not None:
            self._bar.add_task(plain(what), total=total, completed=done)

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

    @property
    def seconds(self) -> float:
        """Time since the task's start [s]."""
        return time.monotonic() - self._began

    def reach(self, done: int) -> None:
        while self._done < done:
            self.advance()

    def advance(self) -> None:
        self._done += 1
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[-1], completed=self._done, refresh=self._passes(100))
            return
        now = time.monotonic()
        if self._passes(10) or now - self._said > PAUSE:
            left = (now - self._began) / (self._done - self._first) * (self._total - self._done)
            rest = f", about {left / 60:.0f} min left" if left > LONG else ""
            say(f"{self._what} {self._done} of {self._total}{rest}")
            self._said = now

    def _passes(self, parts: int) -> bool:
        """Return whether this step completed another one of `parts` equal parts."""
        return self._done * parts // self._total != (self._done - 1) * parts // self._total


def say(text: object) -> None:
    """Print a line that may contain names from files; see `plain`."""
    print(plain(str(text)), flush=True)


def print_table(
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    title: str = "",
    texts: int = 1,
    bold: Sequence[bool] = (),
    fits: bool = False,
    width: int = 140,
) -> None:
    """Print a table that may contain names from files, as wide as the terminal, or `width` characters elsewhere. The
    first `texts` columns and those without heading are aligned left; with `fits`, only the first column wraps."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, title=Text(plain(title)) if title else None, title_justify="left")
    for place, heading in enumerate(headings):
        is_number = place >= texts and bool(heading)
        table.add_column(Text(heading), justify="right" if is_number else "left", no_wrap=fits and place > 0)
    if fits:
        table.columns[0].overflow = "fold"
    for place, cells in enumerate(rows):
        is_bold = place < len(bold) and bold[place]
        table.add_row(*(Text(plain(cell)) for cell in cells), style="bold" if is_bold else None)
    Console(width=None if sys.stdout.isatty() else width).print(table)


def print_bold(text: str) -> None:
    from rich.console import Console

    Console(markup=False, emoji=False, highlight=False, soft_wrap=True).print(plain(text), style="bold")


def terminal_width() -> int | None:
    """Return the width of the terminal in characters, or None without a terminal."""
    from rich.console import Console

    return Console().width if sys.stdout.isatty() else None
