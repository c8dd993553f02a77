"""Nonlinear waves of a running sea, on the GPU and on the processor, against the solver in float64."""

from functools import partial
from itertools import count

import numpy as np
import pytest

from ocean import fft, load_settings
from ocean import make_sea as sea_of
from ocean.bench import live
from ocean.fft import BACKENDS, FFTError, FFTPlan, obstacle
from ocean.gpu.passes import run_passes
from ocean.gpu.timing import Stopwatch
from ocean.sea.blend import make_spectrum
from ocean.sea.nonlinear import RUNGE_KUTTA_STAGES, NonlinearWaves
from ocean.settings import with_values
from ocean.validation.gauge import WaveGauge, measure
from ocean.waves import nonlinear
from ocean.waves.nonlinear import LEAD_RAMP, Checkpoints, Extent, Losses, RunningWaves, course
from tests.marks import slow
from tests.messages import unnamed
from tests.objects import gl_objects

from ..seas import relative_error

GALE = (
    "fft.size=16",
    "foam.resolution=64",
    "foam.amount=0",
    "sea.wind.speed=15",
    "sea.wind.fetch=100000",
    "cascades.count=1",
    "sea.dynamics=nonlinear",
)
TWO = (*GALE, "cascades.count=2")
SECOND = (*GALE, "sea.order=2")
SWELL = (*GALE, "sea.wind.speed=0", "sea.swell.height=4", "sea.swell.period=12")


@pytest.fixture(autouse=True)
def few_steps(monkeypatch):
    """Halve the time steps in a period for GPU and processor; shorten the leap from 20 to 3 periods, and the lead from
    4 to 3."""
    monkeypatch.setattr(nonlinear, "STEPS_A_PERIOD", 14)
    monkeypatch.setattr(nonlinear, "LEAP", 3)
    monkeypatch.setattr(nonlinear, "LEAD", 3)


def host_sea(*overrides):
    return sea_of(load_settings(overrides=overrides))


def test_order_1_is_the_linear_sea(make_sea):
    overrides = [name for name in TWO if "dynamics" not in name]
    linear, first = make_sea(*overrides), make_sea(*TWO, "sea.order=1")
    for sea in (linear, first):
        sea.update(12.3)
    for name, field in linear.fields().items():
        assert np.array_equal(field, first.fields()[name])


@pytest.mark.parametrize(("order", "periods"), [(3, 3), slow(2, 5), slow(3, 20), slow(5, 2)])
def test_waves_agree_with_the_reference(ctx, releasing, order, periods):
    """The CPU solver has its own grid and float64. The tolerance is 2e-5 of the significant height; wrong weights cause
    an error of 5e-5."""
    settings = load_settings(overrides=[*GALE, f"sea.order={order}"])
    cascade = make_spectrum(settings).cascades[0]
    waves, reference = releasing(NonlinearWaves(ctx, cascade, settings.fft)), RunningWaves(cascade.waves, order)
    time = periods * waves.extent.period
    waves.advance(0.0)
    waves.advance(time)
    reference.at(0.0, waves.points)
    expected, _ = reference.at(time, waves.points)
    found = waves.spectrum(time)
    error, height = (2 * np.sqrt(np.sum(np.abs(a) ** 2)) for a in (found - expected, expected))
    assert error < 2e-5 * height
    linear = np.sqrt(2 * np.sum(np.abs(cascade.waves.h0) ** 2))
    assert abs(height / (np.sqrt(2) * linear) - 1) < 0.05


def test_breaking_waves_agree_with_the_reference(ctx, releasing, monkeypatch):
    """Crests break at low thresholds here, on a small grid. A loss before the last Runge-Kutta stage, not after it,
    causes an error of 2e-4."""
    for name in ("BREAKING", "STEEPEST"):
        monkeypatch.setattr(nonlinear, name, (0.2, 0.3))
    steep = "sea.wind.speed=30", "sea.wind.fetch=10000", "fft.size=64", "cascades.count=1", "sea.dynamics=nonlinear"
    settings = load_settings(overrides=steep)
    cascade = make_spectrum(settings).cascades[0]
    waves = releasing(NonlinearWaves(ctx, cascade, settings.fft))
    reference = RunningWaves(cascade.waves, 3, points=waves.points)
    buffer = releasing(ctx.buffer(reserve=waves.energy_bytes))
    time = waves.extent.period
    for each in (waves.advance, partial(reference.at, size=waves.points)):
        each(0.0)
        each(time)
    expected, _ = reference.at(time, waves.points)
    assert relative_error(waves.spectrum(time), expected) < 5e-5
    waves.copy_energy(buffer)
    energies = waves.energies(np.frombuffer(buffer.read(), np.float32))
    assert energies.broken > 0.02 * energies.start
    assert energies.now + energies.broken + energies.filtered == pytest.approx(energies.start, rel=0.02)


def test_waves_without_a_plan_leave_nothing_behind(ctx, monkeypatch):
    """The fixture `ctx` counts the objects that are left."""
    settings = load_settings(overrides=SECOND)
    cascade = make_spectrum(settings).cascades[0]

    def fails(*_, **__):
        raise FFTError("no room")

    monkeypatch.setattr(fft, "plan", fails)
    with pytest.raises(FFTError, match="no room"):
        NonlinearWaves(ctx, cascade, settings.fft)


@pytest.mark.parametrize("overrides", [("fft.half_derivatives=true",), ("fft.fused=false", "sea.choppiness=0.6")])
def test_maps_and_answers_agree_with_the_processor(make_sea, overrides):
    sea, host = make_sea(*TWO, *overrides), host_sea(*TWO, "fft.backend=numpy")
    if "sea.choppiness=0.6" in overrides:
        host = host_sea(*TWO, "fft.backend=numpy", "sea.choppiness=0.6")
    x, z = np.random.default_rng(4).uniform(-500, 500, (2, 30))
    for time in (0.0, 3.3, 3.1):
        sea.update(time)
        host.update(time)
        for name, field in host.fields().items():
            assert relative_error(sea.fields()[name], field) < 2e-4
        found, expected = sea.query(x, z).result(), host.query(x, z).result()
        assert np.abs(found.height - expected.height).max() < 1e-3
        assert np.abs(found.velocity - expected.velocity).max() < 1e-3


def test_the_surface_agrees_with_the_solution_at_any_choppiness(make_sea):
    """Displacement moves water along the surface."""
    found = []
    x, z = np.random.default_rng(5).uniform(-300, 300, (2, 50))
    for choppiness in (0.0, 1.0):
        sea = make_sea(*SWELL, f"sea.choppiness={choppiness}", "fft.size=32")
        sea.update(2.0)
        found.append(sea.query(x, z, velocity=False).result().height)
    deviation = found[0].std()
    assert np.sqrt(np.mean((found[1] - found[0]) ** 2)) < 0.02 * deviation


def test_a_paused_sea_computes_no_next_step(make_sea):
    sea = make_sea(*TWO, "fft.size=32")
    for time, runs in ((2.0, True), (2.1, True), (2.1, False), (2.1, False), (2.2, True)):
        sea.begin(time)
        assert bool(sea.last_passes) is runs
        sea.update(time)


def test_the_potential_agrees_with_the_solution(make_sea):
    """The potential of linear waves moves the surface by its vertical velocity."""
    sea, host, time, dt = make_sea(*TWO), host_sea(*TWO, "fft.backend=numpy"), 3.3, 0.01
    heights = []
    for now in (time - dt, time + dt, time):
        host.update(now)
        heights.append(host.fields()["height"][1].astype("f8"))
    sea.update(time)
    solved, linear = (np.fft.rfft2(each.astype("f8"), norm="forward")[:8, :8] for each in host.potential())
    waves = host.spectrum.cascades[0].waves
    extent = Extent.of(waves)
    start = extent.start(time)
    state = course(waves, 3, start, Losses(extent.mean_wave_number), LEAD_RAMP).at(time - start)
    assert relative_error(solved, state.potential[:8, :8]) < 1e-4
    n = np.arange(8)
    k = host.tiles[1].dk * np.hypot(n, n[:, None])
    rate = np.fft.rfft2((heights[1] - heights[0]) / (2 * dt), norm="forward")[:8, :8]
    assert relative_error(k * np.tanh(k * host.settings.sea.depth) * linear, rate) < 1e-2
    assert relative_error(sea.potential(), host.potential()) < 1e-4


def test_the_moved_surface_keeps_its_volume():
    """The mean level is 0, even for waves of two texels."""
    sea = host_sea(*SECOND, "fft.size=32", "fft.backend=numpy")
    sea.update(1.0)
    height, dxx, dzz, dxz = (sea.fields()[name][0] for name in ("height", "dxx", "dzz", "dxz"))
    assert abs(np.mean(height * ((1 + dxx) * (1 + dzz) - dxz**2))) < 2e-3 * height.std()


@pytest.mark.parametrize("blends", [False, True])
def test_water_stays_at_the_surface(make_sea, blends):
    """At a fixed place the surface rises by `W - u . grad eta`. In a slow blend the velocities of both seas add up;
    with the slopes of one of them for both, the error is 0.018."""
    sea, time, dt = make_sea(*SWELL, "fft.size=32"), 5.0, 0.02
    if blends:
        sea.update(time - 0.5)
        sea.apply(with_values(sea.settings, {"sea.seed": 5}), blend=1000.0)
        sea.begin(time - dt, elapsed=500.0)
    x, z = np.random.default_rng(6).uniform(-300, 300, (2, 200))
    heights = []
    for now in (time - dt, time + dt, time):
        sea.update(now)
        heights.append(sea.height(x, z))
    sample = sea.query(x, z).result()
    rise = (heights[1] - heights[0]) / (2 * dt)
    slope = -sample.normal[:, ::2] / sample.normal[:, 1:2]
    found = sample.velocity[:, 1] - np.sum(sample.velocity[:, ::2] * slope, axis=1)
    assert np.std(found - rise) < 0.015 * rise.std()


def test_waves_continue_from_a_checkpoint(ctx, releasing, tmp_path, monkeypatch):
    """Waves are equal bit for bit, forward and backward in time, and take at most four periods to compute."""
    settings, between = load_settings(overrides=SECOND), 4 * nonlinear.STEPS_A_PERIOD
    monkeypatch.setattr(nonlinear, "CHECKPOINT_STEPS", between)
    cascade = make_spectrum(settings).cascades[0]

    def started(*checkpoints):
        return releasing(NonlinearWaves(ctx, cascade, settings.fft, 0.0, *checkpoints))

    whole, kept, later = started(), started(Checkpoints(tmp_path)), started(Checkpoints(tmp_path))
    kept.advance(6.3 * whole.extent.period)
    for time in (6.3 * whole.extent.period, 1.5 * whole.extent.period):
        whole.advance(time)
        assert later.advance(time, most=RUNGE_KUTTA_STAGES * between) == 1
        assert np.array_equal(later.spectrum(time), whole.spectrum(time))


def test_a_start_determines_waves_of_all_later_times(make_sea):
    """Waves without a given start restart after a leap of more than `LEAP` periods."""
    film, frame = make_sea(*SECOND), make_sea(*SECOND)
    last = (nonlinear.LEAP + 1) * film.solved.waves[0].extent.period
    for sea, times in ((film, (0.0, 0.6 * last, last)), (frame, (last,))):
        sea.start_waves(0.0)
        for time in times:
            sea.update(time)
    assert np.array_equal(film.fields()["height"], frame.fields()["height"])
    alone = make_sea(*SECOND)
    alone.update(last)
    assert not np.array_equal(alone.fields()["height"], frame.fields()["height"])


def test_a_sea_may_change_its_dynamics_while_it_runs(make_sea):
    """No frame of the blend moves much more than usual, because the waves of one draw are similar."""
    linear = [name for name in TWO if "dynamics" not in name]
    sea = make_sea(*linear)
    times = 1.0 + np.arange(50) / 15
    heights = []
    for i, time in enumerate(times):
        if i == 5:
            sea.apply(load_settings(overrides=TWO), blend=1.0)
        if i == 30:
            sea.apply(load_settings(overrides=[*TWO, "sea.wind.speed=16"]), blend=1.0)
        sea.update(float(time))
        x = np.linspace(-400, 400, 20)
        heights.append(sea.query(*np.meshgrid(x, x), velocity=False).result().height)
    moved = np.sqrt(np.mean(np.diff(heights, axis=0) ** 2, axis=(1, 2)))
    assert not sea.is_blending
    assert moved.max() < 1.5 * np.median(moved)


def test_waves_are_ready_in_time_however_slow_the_frames_are(make_sea):
    """New waves keep up even if time advances by more than a few Runge-Kutta stages in a frame."""
    sea = make_sea(*GALE, "sea.dynamics=linear")
    sea.update(0.0)
    sea.apply(with_values(sea.settings, {"sea.dynamics": "nonlinear"}), blend=1.0, background=True)
    time, frames = count(1.0), 0
    while sea.is_busy:
        sea.update(next(time))
        frames += sea.solved.share_prepared > 0
        assert frames < 100
    assert sea.solved.waves


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"sea.dynamics": "linear"}, {"sea.dynamics": "nonlinear"}),
        ({"sea.dynamics": "nonlinear"}, {"sea.dynamics": "linear"}),
        ({"sea.dynamics": "nonlinear"}, {"sea.seed": 5}),
    ],
)
def test_the_sea_keeps_its_height_half_way_in_a_blend(make_sea, before, after):
    """Linear and nonlinear waves of one draw add up in phase, those of different draws do not. One draw scatters by 15
    %."""
    sea = make_sea(*GALE, "cascades.blended=0", *(f"{name}={value}" for name, value in before.items()))
    sea.update(0.0)
    deviations = [sea.fields()["height"].astype("f8").std()]
    sea.apply(with_values(sea.settings, after), blend=2.0)
    duration = sea.blend.duration
    for time in (0.5 * duration, duration):
        sea.update(time)
        heights = sea.fields()["height"].astype("f8")
        same_tile = len({tile.side for tile in sea.tiles}) == 1
        deviations.append((heights.sum(0) if same_tile else heights).std())
    first, half_way, last = deviations
    assert 0.85 * min(first, last) < half_way < 1.15 * max(first, last)


def test_waves_continue_with_another_backend_or_auto(make_sea, monkeypatch):
    """The solver takes `auto` where a plan fails without an obstacle that announces it: accepted settings must work."""
    sea, other = make_sea(*GALE), make_sea(*GALE)
    for each in (sea, other):
        each.update(3.0)
    sea.apply(load_settings(overrides=[*GALE, "fft.backend=stockham-radix4"]))

    def refuse(*_):
        raise FFTError("no room")

    sea.update(3.2)
    monkeypatch.setattr(BACKENDS["dft"], "make", refuse)
    sea.solved.waves[0].take(with_values(sea.settings, {"fft.backend": "dft"}).fft)
    for each in (sea, other):
        each.update(4.0)
    assert relative_error(sea.fields()["height"], other.fields()["height"]) < 1e-5


def test_a_cancelled_sea_releases_its_waves(make_sea, ctx):
    sea = make_sea(*GALE, "fft.size=16", "sea.dynamics=linear")
    sea.update(0.0)
    before = gl_objects(ctx)
    sea.apply(with_values(sea.settings, {"sea.dynamics": "nonlinear"}), blend=1.0, background=True)
    while not sea.solved.share_prepared:
        sea.update(0.0)
    assert gl_objects(ctx) > before
    sea.apply(with_values(sea.settings, {"sea.dynamics": "linear"}))
    sea.update(0.0)
    assert gl_objects(ctx) == before


@pytest.mark.parametrize("device", ["cpu", "gpu"])
def test_an_impossible_nonlinear_sea_stays_linear_with_a_message(ctx, releasing, device):
    """The waves are 25 m long and 15 m high: no solution is finite."""
    steep = [*GALE, "sea.wind.speed=0", "sea.swell.height=15", "sea.swell.period=4", "sea.order=5"]
    settings = load_settings(overrides=steep)
    assert unnamed(settings.sea.warning, "Too steep linear") == []
    sea = releasing(sea_of(settings, ctx if device == "gpu" else None))
    for time in (0.0, 5.0):
        sea.update(time)
        assert all(np.isfinite(field).all() for field in sea.fields().values())


def test_sea_truth_predicts_nonlinear_waves(make_sea, ctx, releasing):
    """Skewness and mean level agree with second-order theory, the energy with the linear sea."""
    sea = make_sea(*SECOND, "fft.size=32", "sea.choppiness=0.5")
    sea.update(0.0)
    survey = measure(ctx, sea, 0.0, 0.5)
    rows = {row.name: row for row in survey.quantities}
    skewness = rows["skewness of the height"]
    assert 0.08 < skewness.expected < 0.25
    assert skewness.agrees
    assert rows["mean level"].agrees
    gauge = releasing(WaveGauge(ctx, sea, refresh=0.0))
    sea.begin(2.0)
    run_passes(ctx, (*sea.passes, *gauge.passes))
    gauge.wait()
    energies = gauge.energies
    variance = float(sum(cascade.variance.sum() for cascade in sea.spectrum.cascades))
    h0 = sea.spectrum.cascades[0].waves.h0
    assert energies.start == pytest.approx(9.81 * 2 * np.sum(np.abs(h0) ** 2), rel=0.01)
    assert energies.start == pytest.approx(9.81 * variance, rel=0.4)  # one draw
    assert energies.now + energies.filtered + energies.broken == pytest.approx(energies.start, rel=0.01)
    assert 0 <= energies.filtered < 1e-2 * energies.start


def test_a_step_is_timed_through_each_backend(make_sea, ctx, releasing, monkeypatch):
    """The test takes a few backends, one of them without kernels."""
    monkeypatch.setattr(live, "BACKENDS", {name: BACKENDS[name] for name in ("auto", "dft", "numpy", "bluestein")})
    monkeypatch.setattr(live, "ENOUGH_MS", 1.0)
    sea = make_sea(*GALE, "sea.order=2")
    sea.update(0.0)
    stopwatch = releasing(Stopwatch(ctx))
    times = dict(live.step_times(stopwatch, sea, {}))
    assert set(times) == {name for name in live.BACKENDS if obstacle(ctx, name, 32) is None}
    assert min(times.values()) > 0
    sea.update(0.1)  # the waves of the sea itself go on
    linear = make_sea(*[name for name in GALE if "dynamics" not in name])
    assert dict(live.step_times(stopwatch, linear, {})) == {}


def test_frames_share_a_stage(ctx, releasing, monkeypatch):
    """At 60 frames a second a Runge-Kutta stage takes several frames. Each frame runs about as many transforms, all at
    its end, because at its start the GPU would wait for them."""
    cascade = make_spectrum(load_settings(overrides=GALE)).cascades[0]
    waves, counts = releasing(NonlinearWaves(ctx, cascade, load_settings(overrides=GALE).fft)), []
    waves.advance(0.0)
    for name, run in (("forward", FFTPlan.forward), ("inverse", FFTPlan.inverse)):
        monkeypatch.setattr(FFTPlan, name, lambda plan, run=run: (run(plan), counts.append(1)))
    frames, end = 0, 2 * waves.step
    while frames < 60 * end:
        before = len(counts)
        waves.advance(frames / 60)
        assert len(counts) == before
        frames += 1
        waves.go_on(frames / 60)
        assert len(counts) - before <= 2
    assert len(counts) == pytest.approx(2 * RUNGE_KUTTA_STAGES * 2 * waves.key.order, abs=4)
