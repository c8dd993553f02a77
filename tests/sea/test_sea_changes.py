"""Changes of a running sea into another one: no jumps, and newer requests replace older ones."""

import shutil

import numpy as np
import pytest

from ocean import fft
from ocean.common.resources import config, folder
from ocean.gpu.context import AllocationError
from ocean.sea import blend
from ocean.sea import sea as sea_module
from ocean.sea.blend import spectrum_inputs
from ocean.sea.maps import LAYOUT, CascadeBlock
from ocean.sea.sea import ChangeError, Sea
from ocean.settings import load_settings, with_values
from ocean.settings.files import resolve
from ocean.waves.amplitudes import wave_vectors
from ocean.waves.dispersion import orbit_ratio
from tests.messages import unnamed

from ..conftest import SMALL
from ..marks import slow
from ..seas import check_fields, relative_error


def root_variance(sea):
    """Return the standard deviation [m] of the height of all living cascades together."""
    return np.sqrt((sea.fields()["height"].astype("f8") ** 2).mean((1, 2)).sum())


def largest_step(sea, changes, start=0.0, frames=40, step=1 / 20, **options):
    """Change settings at given frames. Return the largest change of the height's standard deviation between two frames,
    as a fraction of its range, and the time at the end."""
    deviations, time = [root_variance(sea)], start
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


@pytest.mark.parametrize(
    ("before", "change"),
    [
        ({"sea.wind.speed": 10.0}, {"sea.wind.speed": 10.5}),  # changes the sizes of the tiles
        ({"sea.choppiness": 1.0}, {"sea.choppiness": 0.2, "sea.wind.speed": 11.0}),
        ({"sea.wind.speed": 0.0, "sea.swell.height": 2.0, "sea.swell.period": 25.0}, {"sea.seed": 5}),
    ],
)
def test_no_frame_of_a_blend_moves_much_more_than_usual(make_sea, before, change):
    """Compare the first, middle and last two frames of a 2 s blend at 60 frames a second. Long waves blend longer."""
    x, z = np.random.default_rng(1).uniform(-500, 500, (2, 4096))
    frame, time, height = 1 / 60, 0.0, np.zeros(1)
    sea = make_sea("foam.amount=0", "sea.choppiness=0", *(f"{name}={value}" for name, value in before.items()))

    def moved(elapsed=frame):
        """Return the rms distance [m] by which the surface rises or sinks in the elapsed time."""
        nonlocal time, height
        old, time = height, time + elapsed
        sea.update(time)
        height = sea.height(x, z)
        return float(np.sqrt(np.mean((height - old) ** 2)))

    moved()
    usual, found = [moved()], []
    sea.apply(with_values(sea.settings, change), blend=2.0)
    duration = sea.blend.duration
    found += [moved(), moved()]
    for moment in (0.5 * duration, duration - 3 * frame):
        moved(moment - sea.blend.elapsed)
        found += [moved(), moved()]
    found.append(moved())
    assert not sea.is_blending
    usual.append(moved())
    # The scatter of 4096 points on few waves, and between moments of the sea, is a tenth.
    assert max(found) < 1.1 * 1.5 * max(usual)


def positions(sea):
    """Return displacements of the water (x, up, z) [m] over each living tile, without second-order crests."""
    fields, c = sea.fields(), sea.blend.choppiness
    moved = np.stack([c * fields["dx"], fields["height"], c * fields["dz"]], 1)
    return dict(zip(sea.textures.keys, moved, strict=True))


def usual_speed(spectrum):
    """Return the rms speed [m/s] of the water in a sea that does not change."""
    square = 0.0
    for cascade in spectrum.cascades:
        key = cascade.key
        k = np.hypot(*wave_vectors(key.tile, key.size))
        orbit = spectrum.settings.sea.choppiness * orbit_ratio(np.maximum(k, key.tile.dk), key.depth, key.dispersion)
        rate = cascade.steps * (2 * np.pi / key.period) * np.abs(cascade.waves.h0)
        square += 2 * np.sum(rate**2 * (1 + orbit**2))
    return np.sqrt(square)


def living(sea):
    return sea.blend.after, *(old for _, old in sea.blend.before)


SEAS = "breeze", "calm", "crossing-seas", "gale", "shallow-bay", "storm", "swell", "hurricane"


def random_change(settings, rng):
    """Draw a preset, or other values of a few settings."""
    size = {"fft.size": int(rng.choice([24, 32]))}
    if rng.random() < 0.5:
        preset = load_settings(config(str(rng.choice(SEAS))))
        return with_values(settings.model_copy(update={"sea": preset.sea, "cascades": preset.cascades}), size)
    values = {
        "sea.choppiness": rng.uniform(0, 1.5),
        "sea.wind.speed": rng.uniform(3, 20),
        "sea.wind.direction": rng.uniform(0, 360),
        "sea.seed": int(rng.integers(1, 9)),
        "sea.depth": rng.choice([10.0, 50.0, 5000.0]),
        "cascades.count": int(rng.integers(2, 5)),
    }
    chosen = rng.choice(list(values), 2, replace=False)
    return with_values(settings, {name: values[name] for name in chosen} | (size if rng.random() < 0.5 else {}))


def test_no_frame_moves_much_more_than_usual_whatever_changes(make_sea, rng):
    """Changes are random, and many come during the previous blend. Look at frames at 60 a second, among them the first
    after each change. A new size is set between blends."""
    sea, frame, time = make_sea("fft.size=32", "foam.amount=0"), 1 / 60, 0.0
    sea.update(time)
    for _ in range(8):
        wanted = random_change(sea.settings, rng)
        for leap in (0.0, *rng.uniform(0, 1.5, 3)):
            if leap:
                time += leap
                sea.update(time)
            before, size, seas = positions(sea), sea.size, living(sea)
            sea.apply(wanted, blend=2.0)
            time += frame
            sea.update(time)
            if sea.size != size:
                assert not sea.is_blending
                continue
            now, seas = positions(sea), seas + living(sea)
            moved = sum(3 * np.mean((now.get(key, 0) - before.get(key, 0)) ** 2) for key in now.keys() | before.keys())
            # One draw of few waves scatters by a tenth from moment to moment, as an unchanged sea shows.
            assert np.sqrt(moved) < 1.1 * 1.5 * max(map(usual_speed, seas)) * frame


@pytest.mark.parametrize(
    "changes",
    [
        {5 * i: {"sea.wind.speed": 10.0 + 4 * i} for i in range(5)},
        slow({0: {"sea.seed": 2}, 7: {"sea.seed": 3}, 9: {"sea.seed": 4}}),
        slow({0: {"sea.depth": 150.0}, 5: {"sea.depth": 100.0}, 10: {"sea.depth": 50.0}}),
        slow({0: {"sea.wind.speed": 15.0}, 8: {"fft.size": 128}}),
        {3: {"fft.size": 32, "sea.wind.speed": 5.0}},
        {0: {"sea.beaufort": 0}, 30: {"sea.beaufort": 9}},
        slow({0: {"sea.state": 8}, 8: {"sea.beaufort": 3}}),
    ],
    ids=["wind", "seed", "depth", "size within a blend", "size and wind at once", "flat water", "sea state"],
)
@pytest.mark.parametrize("background", [slow(False), True])
def test_no_change_jumps_however_many_come_at_once(make_sea, changes, background):
    sea = make_sea("sea.wind.speed=10", "foam.amount=0")
    sea.update(0.0)
    share, time = largest_step(sea, changes, blend=1.0, background=background)
    assert share < 0.25
    assert len(sea.tiles) == 3
    same_as_fresh(sea, time)


def test_no_cascade_ends_the_list_before_one_with_longer_waves(make_sea):
    """Readers go through the cascades up to the first that is blurred, also during a blend of two seas."""
    sea = make_sea("sea.wind.speed=9")
    sea.apply(with_values(sea.settings, {"sea.wind.speed": 25.0}), blend=1.0)
    sea.update(0.0)
    assert len(sea.tiles) == 6
    block = CascadeBlock(sea.ctx)
    block.update(sea.textures.keys, 0.0, (0.0, 0.0), sea.blend)
    ends = np.frombuffer(block.buffer.read(), LAYOUT)["cascades"]["blurred"][0, :6]
    block.release()
    assert (ends[:-1] >= ends[1:]).all()
    assert all(end >= np.float32(tile.blurred) for end, tile in zip(ends, sea.tiles, strict=True))
    assert ends[-1] == np.float32(sea.tiles[-1].blurred)


def test_a_size_that_is_cancelled_during_its_making_is_dropped(make_sea):
    """The size becomes 128. Before its waves are ready, it returns to 64, with a backend that can't run 128."""
    sea = make_sea()
    sea.update(0.0)
    sea.apply(with_values(sea.settings, {"fft.size": 128}), background=True)
    sea.apply(with_values(sea.settings, {"fft.size": 64, "fft.backend": "stockham-radix4"}), background=True)
    time = 0.0
    while sea.is_busy:
        time += 0.01
        sea.update(time)
        assert sea.size == 64
    check_fields(sea, time, 1e-5)


def test_a_switch_of_backend_or_size_keeps_the_sea(make_sea):
    sea = make_sea()
    sea.update(4.0)
    before = sea.fields()
    for backend in ("dft", "four-step", "numpy"):
        sea.apply(with_values(sea.settings, {"fft.backend": backend}))
        sea.update(4.0)
        for name, field in sea.fields().items():
            assert relative_error(field, before[name]) < 1e-5
    sea.apply(with_values(sea.settings, {"fft.size": 128}))
    check_fields(sea, 4.0, 1e-5)


def test_a_size_that_the_backend_cannot_run_names_backends_that_can(make_sea):
    with pytest.raises(fft.FFTError) as refused:
        make_sea("fft.backend=stockham-shared", "fft.size=46")
    message, _, able = str(refused.value).partition("; take ")
    assert unnamed(message, "fft.backend stockham-shared fft.size 46") == []
    assert {"dft", "bluestein", "numpy"} <= set(able.split(", "))
    sea = make_sea("fft.backend=stockham-shared")
    sea.update(1.0)
    before = sea.fields()["height"]
    with pytest.raises(fft.FFTError) as refused:
        sea.apply(with_values(sea.settings, {"fft.size": 46}))
    assert str(refused.value).partition("; ")[0] == message
    sea.update(1.0)
    np.testing.assert_array_equal(sea.fields()["height"], before)
    for backend in able.split(", ")[-1:]:
        sea.apply(with_values(sea.settings, {"fft.size": 46, "fft.backend": backend}))
        check_fields(sea, 1.0, 1e-5)


@pytest.mark.parametrize("background", [slow(False), True])
def test_a_backend_for_the_next_size_need_not_run_the_size_of_the_blend(make_sea, background):
    """The blend runs at size 48, which no power-of-two backend transforms. It ends after both settings have changed."""
    sea = make_sea("fft.size=48", "foam.amount=0")
    sea.update(0.0)
    sea.apply(with_values(sea.settings, {"sea.wind.speed": 20.0}), blend=1.0, background=background)
    while not sea.is_blending:
        sea.update(0.0)
    sea.apply(with_values(sea.settings, {"fft.size": 64}), blend=1.0, background=background)
    sea.apply(with_values(sea.settings, {"fft.backend": "cooley-tukey"}), blend=1.0, background=background)
    time = 0.0
    while sea.is_busy or sea.is_blending:
        time += 0.25
        sea.update(time)
        sea.surface(0.0, 0.0)  # velocities have their own transform
    assert sea.size == 64
    assert sea.fft == sea.settings.fft
    check_fields(sea, time, 1e-5)


def settle(sea):
    while sea.is_busy:
        sea.update(0.0)


def runs_on(sea, time):
    """Check that the sea runs as its settings say."""
    sea.update(time)
    assert (sea.settings.fft, sea.settings.foam.resolution) == (sea.fft, sea.foam.resolution)
    assert spectrum_inputs(sea.settings) == spectrum_inputs(sea.spectrum.settings)
    same_as_fresh(sea, time)


PARTS = {
    "the plan": (fft.BACKENDS["stockham-radix4"], "make", fft.FFTError),
    "the foam": (sea_module, "FoamMap", MemoryError),
    "the textures": (sea_module, "SpectrumTextures", AllocationError),
}


@pytest.mark.parametrize("part", PARTS)
def test_a_sea_that_cannot_be_built_changes_nothing_and_can_be_tried_again(make_sea, monkeypatch, part):
    sea = make_sea("fft.size=32", "fft.fused=false")
    sea.update(1.0)
    before, settings = sea.fields()["height"], sea.settings
    changes = {"fft.size": 64, "fft.backend": "stockham-radix4", "foam.resolution": 256, "sea.wind.speed": 12.0}
    wanted = with_values(settings, changes)
    *place, error = PARTS[part]

    def refuse(*_):
        raise error("no room")

    with monkeypatch.context() as patch:
        patch.setattr(*place, refuse)
        with pytest.raises(error, match="no room"):
            sea.apply(wanted)
        with pytest.raises(error, match="no room"):
            Sea(sea.ctx, wanted)  # which leaves no object behind, as the fixture `ctx` checks
    assert sea.settings == settings
    runs_on(sea, 1.0)
    np.testing.assert_array_equal(sea.fields()["height"], before)
    sea.apply(wanted)
    assert sea.settings == wanted
    runs_on(sea, 1.0)


def test_a_sea_needs_its_file_only_once(make_sea, tmp_path):
    """Undo restores settings that were read when their file existed."""
    file = shutil.copy(folder("assets") / "example-buoy.data_spec", tmp_path / "sea.data_spec")
    values = {"sea.wind.spectrum.kind": "file", "sea.wind.spectrum.path": str(file)}
    wanted = resolve(with_values(load_settings(overrides=SMALL), values))
    file.unlink()
    sea = make_sea()
    sea.apply(wanted, background=True)
    settle(sea)
    assert sea.settings == wanted
    assert wanted.sea.warning == ""
    sea.apply(with_values(wanted, {"sea.choppiness": 0.5, "sea.depth": 50.0}))
    runs_on(sea, 0.0)


def test_a_newer_change_outlives_one_that_fails_in_the_background(make_sea, monkeypatch):
    make = blend.make_sea_change

    def make_sea_change(settings, *others):
        if settings.sea.seed == 2:
            raise MemoryError("no room")
        return make(settings, *others)

    monkeypatch.setattr(blend, "make_sea_change", make_sea_change)
    sea = make_sea()
    sea.update(0.0)
    sea.apply(with_values(sea.settings, {"sea.seed": 2}), background=True)
    newer = with_values(sea.settings, {"sea.seed": 3})
    sea.apply(newer, background=True)
    with pytest.raises(ChangeError, match="no room"):
        settle(sea)
    settle(sea)
    assert sea.settings == newer
    runs_on(sea, 0.0)


def test_a_blend_that_cannot_end_goes_on_and_ends_later(make_sea, monkeypatch):
    sea = make_sea("sea.wind.speed=9")
    sea.update(0.0)
    sea.apply(with_values(sea.settings, {"sea.wind.speed": 25.0}), blend=1.0)

    def refuse(*_):
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(sea_module, "SpectrumTextures", refuse)
        with pytest.raises(ChangeError, match="MemoryError"):
            sea.update(100.0)
        sea.update(100.0)
    assert sea.is_blending
    sea.update(200.0)
    assert len(sea.tiles) == 3
    runs_on(sea, 200.0)


def test_a_frame_that_repeats_the_last_one_has_no_passes(make_sea):
    sea = make_sea()
    focus = (5.0, 0.0)
    sea.update(1.0, focus)
    before = sea.fields()["height"]
    sea.begin(1.0, focus)
    assert sea.passes == sea.last_passes == ()
    changes = [
        lambda: sea.begin(2.0, focus),
        lambda: sea.apply(with_values(sea.settings, {"foam.amount": 0.5})),
        lambda: sea.apply(with_values(sea.settings, {"sea.seed": 5})),
        lambda: sea.apply(with_values(sea.settings, {"fft.fused": False})),
        lambda: sea.start_waves(0.0),
    ]
    for change in changes:
        change()
        sea.begin(2.0, (6.0, 0.0))
        assert len(sea.passes) > 2
        sea.begin(2.0, (6.0, 0.0))
        assert len(sea.passes) > 2  # since no passes have run
        sea.update(2.0, (6.0, 0.0))
    sea.apply(with_values(sea.settings, {"sea.seed": 1}))
    sea.update(1.0, focus)
    np.testing.assert_allclose(sea.fields()["height"], before, atol=1e-4)


def test_other_waves_of_equal_shape_keep_maps_and_transform(make_sea):
    sea = make_sea()
    sea.update(1.0)
    storage, plan = sea.storage, sea.plan
    sea.apply(with_values(sea.settings, {"sea.wind.speed": 20.0}))
    assert (sea.storage, sea.plan) == (storage, plan)
    runs_on(sea, 2.0)
    sea.apply(with_values(sea.settings, {"cascades.count": 2}))
    assert sea.plan != plan
    runs_on(sea, 2.0)
