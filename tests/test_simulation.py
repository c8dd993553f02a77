"""The sea on the GPU against its twin in float64, and how it changes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean import fft
from ocean.settings import USUAL_SIZES, load_settings, with_values
from ocean.simulation import Sea
from ocean.spectrum import BETWEEN, SHARES, CascadeKey, make_spectrum, places
from ocean.waves import statistics, twin
from ocean.waves.dispersion import angular_frequency
from ocean.waves.tiles import make_tiles

from .seas import mip_levels, relative_error, twin_fields

DAY = 86_400.0


def check_fields(sea, time, tolerance):
    sea.update(time)
    fields = sea.fields()
    for index, (_, expected) in enumerate(twin_fields(sea.settings, time)):
        for name in twin.FIELDS:
            assert fields[name].dtype == np.float32
            assert relative_error(fields[name][index], expected[name]) < tolerance, (name, index, time)


@pytest.mark.parametrize("time", [0.0, 12.3, DAY])
def test_the_eight_fields_agree_with_the_twin(make_sea, time):
    check_fields(make_sea("fft.size=256"), time, 1e-5)


def test_shallow_water_and_swell_agree_with_the_twin(make_sea):
    check_fields(make_sea("sea.depth=12", "sea.swell.height=1.5", "sea.wind.direction=300"), 7.0, 1e-5)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "tolerance"), [(512, 1e-5), (1024, 1.5e-5), (2048, 2e-5)])
def test_large_fields_agree_with_the_twin(make_sea, size, tolerance):
    check_fields(make_sea(f"fft.size={size}"), DAY, tolerance)


@pytest.mark.parametrize(
    ("size", "backend"),
    [
        *((size, "stockham-registers") for size in (96, 240, 360, 480)),
        pytest.param(1000, "stockham-registers", marks=pytest.mark.slow),
        (90, "stockham-global"),
        (94, "bluestein"),  # twice a prime
        (22, "dft"),
        (16, "numpy"),
    ],
)
def test_sizes_that_are_no_powers_of_two_agree_with_the_twin(make_sea, size, backend):
    sea = make_sea(f"fft.size={size}", f"fft.backend={backend}")
    check_fields(sea, DAY, 1e-5)
    assert all(field.any() for name in twin.FIELDS for field in sea.fields()[name])


@pytest.mark.parametrize("backend", list(fft.BACKENDS))
def test_every_backend_makes_the_same_sea(make_sea, backend):
    check_fields(make_sea(f"fft.backend={backend}"), 3.0, 1e-5)


@pytest.mark.parametrize("time", [0.0, DAY])
def test_waves_run_down_wind_at_their_phase_speed(make_sea, time):
    """The phase of each strong wave between two frames, after a day as at the start: h(k, t) ~ h0(k) e^{-iwt} where the
    waves against the wind are weak."""
    sea = make_sea("sea.wind.spreading=cos-2s", "sea.wind.spreading.s=80")
    step = 0.25
    transforms = []
    for t in (time, time + step):
        sea.update(t)
        transforms.append(np.fft.fft2(sea.fields()["height"][0].astype("f8")))
    cascade = make_spectrum(sea.settings).cascades[0]
    kx, kz = np.broadcast_arrays(*_wave_vectors(cascade))
    variance = cascade.variance.astype("f8")
    against = statistics.mirrored(variance)
    strong = (variance > 1e-3 * variance.max()) & (against < 1e-9 * variance)
    assert strong.sum() > 20
    turned = -np.angle(transforms[1] / transforms[0])[strong]
    w = angular_frequency(np.hypot(kx, kz)[strong], sea.settings.sea.depth)
    measured = w + (turned - w * step + np.pi) % (2 * np.pi) / step - np.pi / step
    assert np.median(np.abs(measured / w - 1)) < 0.01
    assert (np.abs(measured / w - 1) < 0.01).mean() > 0.95


def _wave_vectors(cascade):
    from ocean.waves.amplitudes import wave_vectors

    return wave_vectors(cascade.key.tile, cascade.key.size)


@pytest.mark.parametrize("size", [94, 96, 128, 240, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("speed", [6.0, 12.0])
def test_wave_height_is_the_spectrums(make_sea, speed, size):
    """4 std(h) of the displayed sea is Hs but for the gaps of small sizes, within 3 standard deviations of one draw."""
    sea = make_sea(f"fft.size={size}", "fft.backend=bluestein", f"sea.wind.speed={speed}", "sea.seed=11")
    sea.update(100.0)
    height = sea.fields()["height"].astype("f8")
    measured = statistics.significant_wave_height((height**2).mean((1, 2)).sum())
    systems = sea.settings.sea.systems
    carried = 1 - statistics.gap_share(sea.tiles, size, systems)
    expected = statistics.predicted_height(systems) * np.sqrt(carried)
    pairs = [statistics.paired(cascade.variance) for cascade in make_spectrum(sea.settings).cascades]
    spread = statistics.sampling_deviation(pairs) / 2
    assert abs(measured / expected - 1) < 3 * spread + 0.005


@pytest.mark.parametrize(("smaller", "larger"), [(64, 128), (240, 480), (96, 512), (94, 360)])
def test_larger_maps_keep_the_waves_they_have(smaller, larger):
    """Bit by bit: draw, variance and motion of each wave vector that the smaller size carries."""
    small, large = (make_spectrum(load_settings(overrides=[f"fft.size={size}"])) for size in (smaller, larger))
    n = np.arange(1 - smaller // 2, smaller // 2)
    inner = np.ix_(n, n)
    for a, b in zip(small.cascades, large.cascades, strict=True):
        in_band = a.variance[inner] > 0
        assert in_band.any()
        for name in ("draw", "variance", "steps"):
            np.testing.assert_array_equal(getattr(a, name)[inner][in_band], getattr(b, name)[inner][in_band])


@given(st.integers(8, 2048).map(lambda half: 2 * half))
def test_breaking_is_judged_on_a_level_that_exists(size):
    for index, tile in enumerate(make_tiles(4, 0.0)):
        assert size >> CascadeKey(tile, index, 1, size, 200.0, "finite-depth", 600.0).foam_lod > 0


@pytest.mark.parametrize("size", [16, 94, *USUAL_SIZES[:-4]])
def test_foam_knows_the_waves_of_its_mip_level(size):
    """The power of Dxx + Dzz on the level on which breaking is judged, between texels, is what the spectrum says: by
    place for the last cascade, and of the others the mean. The draw scatters; where a side is odd on the way to that
    level, a texel's mean takes a little of its neighbours too."""
    settings = load_settings(overrides=[f"fft.size={size}"])
    spectrum = make_spectrum(settings)
    measured, scatter = np.zeros((3, 3)), []
    for cascade, (_, fields) in zip(spectrum.cascades, twin_fields(settings, 3.0), strict=True):
        key = cascade.key
        side = size >> key.foam_lod
        level = mip_levels((fields["dxx"] + fields["dzz"])[None])[key.foam_lod][0]
        ahead = np.exp(2j * np.pi * np.fft.fftfreq(side))
        kept = np.abs(1 - BETWEEN[:, None] * (1 - ahead)) ** 2
        if cascade is not spectrum.cascades[-1]:
            kept = SHARES @ kept + np.zeros((3, 1))
        measured += kept @ statistics.field_power(level) @ kept.T
        scatter.append(statistics.jacobian_power(key.tile, cascade.variance, key.depth, key.dispersion))
    expected = np.array([place.variance for place in places(spectrum.jacobian_moments)]).reshape(3, 3)
    deviation = statistics.sampling_deviation(list(map(statistics.paired, scatter)))
    is_odd = any(size % 2**cascade.key.foam_lod for cascade in spectrum.cascades)
    assert np.all(np.abs(measured / expected - 1) < 3 * deviation + 0.05 * is_odd)
    # The draw scatters alike at all places; neighbours make them a little more alike.
    assert np.corrcoef(measured.ravel(), expected.ravel())[0, 1] > (0.9 if is_odd else 0.98)


def test_flat_water_without_wind(make_sea):
    sea = make_sea("sea.wind.speed=0")
    sea.update(5.0)
    assert all(not field.any() for field in sea.fields().values())
    assert not np.frombuffer(sea.foam.texture.read(), "f4").any()


# -- Change ----------------------------------------------------------------------------------------------------------


def root_variance(sea):
    """Standard deviation [m] of the height of all living cascades together."""
    return np.sqrt((sea.fields()["height"].astype("f8") ** 2).mean((1, 2)).sum())


def largest_step(sea, changes, frames=60, step=1 / 20, **options):
    """The largest change of the height's standard deviation between two frames, as a share of its own range, while
    settings change at given frames; and the sea at the end."""
    deviations, time = [root_variance(sea)], sea._time
    for i in range(frames):
        if i in changes:
            sea.apply(with_values(sea.settings, changes[i]), **options)
        time += step
        sea.update(time)
        deviations.append(root_variance(sea))
    while sea.is_busy or sea.is_blending:
        time += step
        sea.update(time)
        deviations.append(root_variance(sea))
    return np.abs(np.diff(deviations)).max() / max(np.ptp(deviations), 0.05 * deviations[0]), time


def same_as_fresh(sea, time):
    fresh = Sea(sea.ctx, sea.settings)
    fresh.update(time)
    np.testing.assert_allclose(sea.fields()["height"], fresh.fields()["height"], atol=1e-6)
    fresh.release()


def test_a_changed_wind_blends_in_without_a_jump(make_sea):
    sea = make_sea("sea.wind.speed=9")
    sea.update(0.0)
    before = sea.fields()["height"]
    sea.apply(with_values(sea.settings, {"sea.wind.speed": 9.9}), blend=1.0)
    assert sea.is_blending
    sea.update(0.0)
    np.testing.assert_array_equal(sea.fields()["height"], before)
    share, time = largest_step(sea, {}, frames=30)
    assert (
        share < 0.15
    )  # 20 frames a blend; variance moves evenly, so the deviation moves at most twice as fast as that
    same_as_fresh(sea, time)


@pytest.mark.parametrize(
    "changes",
    [
        {5 * i: {"sea.wind.speed": 10.0 + 2 * i} for i in range(10)},
        {0: {"sea.seed": 2}, 7: {"sea.seed": 3}, 9: {"sea.seed": 4}},
        {0: {"sea.depth": 150.0}, 5: {"sea.depth": 100.0}, 10: {"sea.depth": 50.0}},
        {0: {"sea.wind.speed": 15.0}, 8: {"fft.size": 128}},
        {3: {"fft.size": 128, "sea.wind.speed": 5.0}},
        {0: {"sea.beaufort": 0}, 30: {"sea.beaufort": 9}},
        {0: {"sea.state": 8}, 8: {"sea.beaufort": 3}},
    ],
    ids=["wind", "seed", "depth", "size within a blend", "size and wind at once", "flat water", "sea state"],
)
@pytest.mark.parametrize("background", [False, True])
def test_no_change_jumps_however_many_come_at_once(make_sea, changes, background):
    sea = make_sea("sea.wind.speed=10")
    sea.update(0.0)
    share, time = largest_step(sea, changes, blend=1.0, background=background)
    assert share < 0.25
    assert len(sea.tiles) == 3
    same_as_fresh(sea, time)


def test_a_size_alone_is_switched_at_once(make_sea):
    sea = make_sea()
    sea.update(0.0)
    sea.apply(with_values(sea.settings, {"fft.size": 128}), blend=1.0)
    assert sea.layers.width == 128
    assert not sea.is_blending


@pytest.mark.parametrize("change", [{"sea.wind.speed": 16.0}, {"sea.seed": 5}, {"sea.depth": 20.0}])
def test_another_lattice_cross_fades(make_sea, change):
    """A wind that needs larger tiles, another draw, other dispersion: both seas are alive until one has faded."""
    sea = make_sea("sea.wind.speed=9")
    sea.update(0.0)
    before = sea.fields()["height"]
    sea.apply(with_values(sea.settings, change), blend=1.0)
    sea.update(0.0)
    assert len(sea.tiles) == 6
    np.testing.assert_allclose(sea.fields()["height"][:3], before, atol=1e-6)
    assert not sea.fields()["height"][3:].any()
    sea.update(0.5)
    half_way = sea.fields()["height"].astype("f8")
    assert half_way[:3].any()
    assert half_way[3:].any()
    # The two seas are independent, so half way their heights add as variances, not as amplitudes.
    together = (half_way**2).mean((1, 2)).sum()
    apart = (
        (before.astype("f8") ** 2).mean((1, 2)).sum(),
        statistics.predicted_height(sea.settings.sea.systems) ** 2 / 16,
    )
    largest = half_way[0] + half_way[3] if sea.tiles[0] == sea.tiles[3] else None
    if largest is not None:
        assert (largest**2).mean() == pytest.approx(together, rel=0.35)
    assert 0.4 * min(apart) < together < 1.5 * max(apart)
    sea.update(1.5)
    assert len(sea.tiles) == 3
    fresh = Sea(sea.ctx, sea.settings)
    fresh.update(1.5)
    np.testing.assert_allclose(sea.fields()["height"], fresh.fields()["height"], atol=1e-6)
    fresh.release()


def test_amplitudes_come_from_a_thread_while_the_old_sea_runs_on(make_sea):
    sea = make_sea()
    sea.update(0.0)
    old = sea.fields()["height"]
    sea.apply(with_values(sea.settings, {"fft.size": 128}), background=True)
    assert sea.is_busy
    sea.apply(with_values(sea.settings, {"sea.seed": 3}), background=True)
    assert old.shape[1] == 64
    time = 0.0
    while sea.is_busy:
        time += 0.01
        sea.update(time)
    check_fields(sea, time, 1e-5)
    assert sea.layers.width == 128


def test_a_size_that_is_given_up_while_it_is_made_is_dropped(make_sea):
    """128, and back to 64 with a backend that could not run 128, before the waves for 128 are there."""
    sea = make_sea()
    sea.update(0.0)
    sea.apply(with_values(sea.settings, {"fft.size": 128}), background=True)
    sea.apply(with_values(sea.settings, {"fft.size": 64, "fft.backend": "stockham-radix4"}), background=True)
    time = 0.0
    while sea.is_busy:
        time += 0.01
        sea.update(time)
        assert sea.layers.width == 64
    check_fields(sea, time, 1e-5)


def test_a_switch_of_backend_or_size_keeps_the_sea(make_sea):
    sea = make_sea()
    sea.update(4.0)
    before = sea.fields()
    for backend in fft.BACKENDS:
        sea.apply(with_values(sea.settings, {"fft.backend": backend}))
        sea.update(4.0)
        for name, field in sea.fields().items():
            assert relative_error(field, before[name]) < 1e-5
    sea.apply(with_values(sea.settings, {"fft.size": 128}))
    check_fields(sea, 4.0, 1e-5)


def test_a_size_that_the_backend_cannot_run_is_refused_and_those_that_can_are_named(make_sea):
    with pytest.raises(fft.FFTError) as refused:
        make_sea("fft.backend=stockham-shared", "fft.size=94")
    message, _, able = str(refused.value).partition("; 94 runs with ")
    assert message == "stockham-shared: needs a power of two from 16 up, not 94"
    assert {"dft", "bluestein", "numpy"} <= set(able.split(", "))
    sea = make_sea("fft.backend=stockham-shared")
    sea.update(1.0)
    before = sea.fields()["height"]
    with pytest.raises(fft.FFTError) as refused:
        sea.apply(with_values(sea.settings, {"fft.size": 94}))
    assert str(refused.value).partition("; ")[0] == message
    sea.update(1.0)
    np.testing.assert_array_equal(sea.fields()["height"], before)
    for backend in able.split(", "):
        sea.apply(with_values(sea.settings, {"fft.size": 94, "fft.backend": backend}))
        check_fields(sea, 1.0, 1e-5)


def test_a_backend_that_cannot_run_is_refused_and_nothing_changes(make_sea, monkeypatch):
    sea = make_sea()
    sea.update(1.0)
    before = sea.fields()["height"]
    monkeypatch.setattr(fft.BACKENDS["stockham-radix4"], "obstacle", classmethod(lambda *_: "too small a GPU"))
    with pytest.raises(ValueError, match="stockham-radix4: too small a GPU"):
        sea.apply(with_values(sea.settings, {"fft.backend": "stockham-radix4"}))
    sea.update(1.0)
    np.testing.assert_array_equal(sea.fields()["height"], before)
    assert sea.settings.fft.backend == fft.DEFAULT_BACKEND
