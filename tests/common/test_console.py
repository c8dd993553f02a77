"""Lines of progress where there is no terminal."""

import pytest

from ocean.common.console import Progress


@pytest.mark.parametrize(
    ("seconds", "lines"),
    [
        (0.1, ["frame 4 of 40", "frame 8 of 40", "frame 12 of 40"]),
        (12.0, [f"frame {i} of 40, about {(40 - i) / 5:.0f} min left" for i in range(1, 13)]),
    ],
)
def test_slow_steps_print_their_duration(monkeypatch, capsys, seconds, lines):
    """A step of 12 s on a software renderer is printed at once, with the time of all steps."""
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    with Progress() as progress:
        progress.start("frame", 40)
        for _ in range(12):
            now[0] += seconds
            progress.advance()
    assert capsys.readouterr().out.splitlines() == lines
