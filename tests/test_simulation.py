"""The sea on the GPU against its twin in float64, and how it changes."""

import numpy as np
import pytest

from ocean import fft
from ocean.foam import FINEST_SIDE, FOAM_LEVELS, FoamMap
from ocean.settings import load_settings, with_values
from ocean.simulation import Sea
from ocean.spectrum import make_spectrum
from ocean.waves import statistics, twin
from ocean.waves.dispersion import angular_frequency, clock_ticks

SMALL = ("fft.size=64", "foam.resolution=64")
DAY = 86_400.0


@pytest.fixture
def make_sea(ctx):
    seas = []

    def make(*overrides):
        seas.append(Sea(ctx, load_settings(overrides=[*SMALL, *overrides])))
        return seas[-1]

    yield make
    for sea in seas:
        sea.release()


def relative_error(result, expected):
    return np.linalg.norm(result - expected) / np.linalg.norm(expected)


def twin_fields(settings, time):
    """The eight fields of every cascade in float64, from the amplitudes that the GPU is given."""
    per_cascade = []
    for cascade in make_spectrum(settings).cascades:
        key = cascade.key
        h0 = cascade.draw.astype("c16") * np.sqrt(cascade.variance.astype("f8"))
        ticks = clock_ticks(time, key.period)
        per_cascade.append((key.tile, twin.fields(h0, key.tile, cascade.steps, ticks, key.depth, key.dispersion)))
    return per_cascade


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


@pytest.mark.parametrize("speed", [6.0, 12.0])
def test_wave_height_is_the_spectrums(make_sea, speed):
    """4 std(h) of the displayed sea is Hs, within 3 standard deviations of one draw."""
    sea = make_sea("fft.size=128", f"sea.wind.speed={speed}", "sea.seed=11")
    sea.update(100.0)
    height = sea.fields()["height"].astype("f8")
    measured = statistics.significant_wave_height((height**2).mean((1, 2)).sum())
    expected = statistics.predicted_height(sea.settings.sea.systems)
    spread = statistics.sampling_deviation([cascade.variance for cascade in make_spectrum(sea.settings).cascades]) / 2
    assert abs(measured / expected - 1) < 3 * spread + 0.005


def test_larger_maps_keep_the_waves_they_have(make_sea):
    seas = [make_sea(f"fft.size={size}") for size in (64, 128)]
    small, large = (make_spectrum(sea.settings).cascades for sea in seas)
    inner = np.r_[0:32, -31:0]
    for a, b in zip(small, large, strict=True):
        in_band = a.variance[np.ix_(inner, inner)] > 0
        np.testing.assert_array_equal(a.draw[np.ix_(inner, inner)][in_band], b.draw[np.ix_(inner, inner)][in_band])


def test_the_sea_repeats_bit_for_bit_after_a_loop_period(make_sea):
    sea = make_sea("sea.loop_period=300")
    sea.update(17.0)
    before = sea.fields()
    sea.update(317.0)
    after = sea.fields()
    for name in twin.FIELDS:
        np.testing.assert_array_equal(before[name], after[name])


def test_flat_water_without_wind(make_sea):
    sea = make_sea("sea.wind.speed=0")
    sea.update(5.0)
    assert all(not field.any() for field in sea.fields().values())
    assert not np.frombuffer(sea.foam.texture.read(), "f4").any()


# -- Foam ------------------------------------------------------------------------------------------------------------


def read_foam(sea):
    size = sea.settings.foam.resolution
    return np.frombuffer(sea.foam.texture.read(), "f4").reshape(FOAM_LEVELS, size, size)


def foam_positions(sea, level, focus):
    """World x and z of the texels of a level, in the order of the texture."""
    size = sea.settings.foam.resolution
    texel = FINEST_SIDE / size * 2.0**level
    index = np.arange(size)
    first = np.floor(np.asarray(focus) / texel).astype(int) - size // 2
    world = [f + (index - f) % size for f in first]
    return np.meshgrid((world[0] + 0.5) * texel, (world[1] + 0.5) * texel)


@pytest.mark.parametrize("focus", [(0.0, 0.0), (-1234.5, 7e5)])
def test_foam_agrees_with_the_twin_at_world_points(make_sea, focus):
    """Born where the Jacobian of all cascades together is low, and aged by the time since."""
    sea = make_sea("sea.wind.speed=18", "foam.decay=3")
    settings = sea.settings
    expected = [np.zeros((64, 64)) for _ in range(FOAM_LEVELS)]
    for i, time in enumerate((0.0, 0.5, 2.0)):
        sea.update(time, focus)
        cascades = twin_fields(settings, time)
        for level in range(FOAM_LEVELS):
            x, z = foam_positions(sea, level, focus)
            at = twin.sea_at(cascades, x, z)
            J = twin.jacobian(at["dxx"], at["dzz"], at["dxz"], settings.sea.choppiness)
            dt = (0.0, 0.5, 1.5)[i]
            expected[level] = twin.foam_step(expected[level], J, sea.foam_threshold, FoamMap.BIRTH_WIDTH, dt, 3.0)
    foam = read_foam(sea)
    assert foam.any()
    for level in range(FOAM_LEVELS):
        # Texture units interpolate with 8 bits of fraction, and judge breaking on mip levels where maps are fine.
        assert np.mean(np.abs(foam[level] - expected[level]) < 0.1) > 0.97


def test_foam_decays_alike_at_any_frame_rate(make_sea):
    remains = []
    for steps in (1, 8):
        sea = make_sea("sea.wind.speed=18", "foam.decay=2")
        sea.update(0.0)
        sea.apply(with_values(sea.settings, {"foam.amount": 0.0}))  # no more is born
        for i in range(steps):
            sea.update(3.0 * (i + 1) / steps)
        remains.append(read_foam(sea))
    assert remains[0].any()
    np.testing.assert_allclose(remains[0], remains[1], atol=1e-5)


def test_foam_stays_where_it_was_born_while_the_map_moves(make_sea):
    sea = make_sea("sea.wind.speed=18", "foam.decay=60")
    sea.update(0.0)
    sea.apply(with_values(sea.settings, {"foam.amount": 0.0}))
    still = read_foam(sea)
    sea.update(0.001, (30.0, -20.0))
    moved = read_foam(sea)
    texel = FINEST_SIDE / 64
    for level in range(FOAM_LEVELS):
        size = texel * 2**level
        gone = [int(np.floor(30.0 / size)), int(np.floor(-20.0 / size))]
        index = np.arange(64)
        inside_x = (index - (gone[0] - 32)) % 64 < 64 - abs(gone[0])
        inside_z = (index - (0 - 32)) % 64 < 64 - abs(gone[1])
        keep = np.ix_(inside_z, inside_x)
        np.testing.assert_allclose(moved[level][keep], np.exp(-0.001 / 60) * still[level][keep], atol=1e-6)


@pytest.mark.parametrize("speed", [10.0, 18.0])
def test_foam_covers_about_what_observation_says(make_sea, speed):
    """Over half a minute at 20 frames a second; the Gaussian tail is good to a factor of 2."""
    sea = make_sea("fft.size=128", f"sea.wind.speed={speed}")
    coverage = []
    for i in range(500):
        sea.update(i / 20)
        if i > 250 and i % 25 == 0:
            coverage.append(read_foam(sea).mean())
    assert 0.5 < np.mean(coverage) / statistics.whitecap_coverage(speed) < 2


def test_going_back_in_time_resets_the_foam(make_sea):
    sea = make_sea("sea.wind.speed=18", "foam.decay=60")
    for time in (0.0, 4.0, 8.0, 2.0):
        sea.update(time)
    again = read_foam(sea)
    fresh = make_sea("sea.wind.speed=18", "foam.decay=60")
    fresh.update(2.0)
    np.testing.assert_array_equal(again, read_foam(fresh))


# -- Change ----------------------------------------------------------------------------------------------------------


def test_a_changed_wind_blends_in_without_a_jump(make_sea):
    sea = make_sea("sea.wind.speed=9")
    sea.update(0.0)
    before = sea.fields()["height"]
    sea.apply(with_values(sea.settings, {"sea.wind.speed": 9.5}), blend=1.0)
    assert sea.is_blending
    sea.update(0.0)
    np.testing.assert_array_equal(sea.fields()["height"], before)
    heights = []
    for time in np.linspace(0.0, 1.25, 26):
        sea.update(float(time))
        heights.append((sea.fields()["height"].astype("f8") ** 2).sum())
    assert not sea.is_blending
    fresh = make_sea("sea.wind.speed=9.5")
    fresh.update(1.25)
    np.testing.assert_allclose(sea.fields()["height"], fresh.fields()["height"], atol=1e-6)


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


def test_a_change_within_a_change_starts_from_where_the_sea_is(make_sea):
    sea = make_sea("sea.wind.speed=9")
    sea.update(0.0)
    for speed in (9.4, 16.0, 9.2, 20.0, 9.6):
        sea.apply(with_values(sea.settings, {"sea.wind.speed": speed}), blend=1.0)
        sea.update(0.0)
        before = (sea.fields()["height"].astype("f8") ** 2).sum()
        sea.begin(0.0, elapsed=0.3)
        sea.update(0.0)
        assert len(sea.tiles) <= 8
        assert (sea.fields()["height"].astype("f8") ** 2).sum() == pytest.approx(before, rel=3.0)
    sea.update(5.0)
    sea.update(10.0)
    fresh = make_sea("sea.wind.speed=9.6")
    fresh.update(10.0)
    np.testing.assert_allclose(sea.fields()["height"], fresh.fields()["height"], atol=1e-6)


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
    assert sea.layers.size == 128


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
        assert sea.layers.size == 64
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
