"""Pictures that are drawn in steps, with an artificial clock."""

from ocean.gpu.passes import Progress
from ocean.window.pictures import Drawing
from tests.messages import unnamed


def test_a_slow_step_is_announced_before_it_begins(ctx, monkeypatch):
    now, drawing = [0.0], Drawing(ctx)
    monkeypatch.setattr("ocean.window.pictures.clock.perf_counter", lambda: now[0])

    def notices():
        def steps():
            for number, (name, seconds) in enumerate((("foam", 0.1), ("shading", 2.0), ("sky", 0.1)), start=1):
                yield Progress(name, number, 3)
                now[0] += seconds

        drawing.begin(steps(), 0.0, "programs")
        said = []
        while not drawing.go_on():
            said.append(drawing.notice)
        return said

    (compiling,) = notices()
    assert unnamed(compiling, "compiling sky 3 of 3") == []
    assert notices() == [""]  # as far as known, compiling took the time
    drawing_shading, last = notices()
    assert unnamed(drawing_shading, "drawing shading 2 of 3") == []
    assert last == ""
