"""`ocean image`: spectra against numpy and against sines with known peaks, round trips, and refusals."""

import io
import json
from contextlib import redirect_stdout, suppress
from datetime import datetime, timedelta

import numpy as np
import pytest
from PIL import Image

from ocean.cli.image import FILES, image, read_picture
from ocean.common.errors import InputError
from ocean.fft.options import FFTError
from ocean.settings import load_settings
from tests.messages import assert_refused, naming, unnamed

SETTINGS = load_settings(overrides=["fft.backend=auto"]).fft


@pytest.fixture(autouse=True)
def session_context_again(context, monkeypatch):
    """Restore the context of the session, because the command's own context stays current after its release. No test
    depends on the times of the command."""
    yield
    context.__enter__()


def noise(*shape, levels=255):
    kind = np.uint8 if levels == 255 else np.uint16
    return np.random.default_rng().integers(0, levels, shape, endpoint=True).astype(kind)


def saved(path, values, mode=None):
    picture = Image.fromarray(values)
    (picture.convert(mode) if mode else picture).save(path)
    return path


def pixels(path):
    return np.asarray(Image.open(path)).astype(float)


def run(path, out, channels="luminance", settings=SETTINGS):
    with redirect_stdout(io.StringIO()) as said:
        image(path, out, settings, channels)
    return json.loads((out / "report.json").read_text()), said.getvalue()


def expected_spectrum(planes):
    """Return the centred magnitude in shades of grey, from 120 dB below its largest value to that value. In single
    precision the darkest shades change by a tenth."""
    magnitude = np.abs(np.fft.fft2(planes))
    magnitude = np.roll(magnitude, (planes.shape[-2] // 2, planes.shape[-1] // 2), (-2, -1)) / magnitude.max()
    return 255 * np.clip(1 + np.log10(np.maximum(magnitude, 1e-30)) / 6, 0, 1)


def test_two_waves_have_two_pairs_of_peaks(ocean_here, tmp_path):
    """The picture has cosines of (12, 5) and (-20, 31) periods; one of its sides is a prime number."""
    height, width = 97, 96
    y, x = np.mgrid[:height, :width]
    waves = 60 * np.cos(2 * np.pi * (12 * x / width + 5 * y / height)) + 40 * np.cos(
        2 * np.pi * (-20 * x / width + 31 * y / height)
    )
    path, out = saved(tmp_path / "waves.png", np.rint(127 + waves).astype(np.uint8)), tmp_path / "out"
    result = ocean_here("image", path, "--out", out)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    assert {file.name for file in out.iterdir()} == set(FILES)
    spectrum = pixels(out / "spectrum.png")
    assert spectrum.shape == (height, width)
    peaks = {(int(row), int(column)) for row, column in zip(*np.nonzero(spectrum > 200), strict=True)}
    middle = np.array([height // 2, width // 2])
    cycles = [(0, 0), (5, 12), (-5, -12), (31, -20), (-31, 20)]
    assert peaks == {tuple((middle + cycle).tolist()) for cycle in cycles}
    for (row, column), amplitude in (((5, 12), 60), ((31, -20), 40)):  # half of it in each peak, relative to the mean
        wanted = 255 * (1 + np.log10(amplitude / 2 / 127) / 6)
        assert spectrum[middle[0] + row, middle[1] + column] == pytest.approx(wanted, abs=1)
    report = json.loads((out / "report.json").read_text())
    assert (report["picture"]["width"], report["picture"]["height"]) == (width, height)
    assert report["backend"]["columns"] == "bluestein"
    assert f"GPU: {report['gl']['renderer']}, driver {report['gl']['version']}\n" in result.stdout
    assert f"program: ocean {report['program']['version']}" in result.stdout
    assert datetime.fromisoformat(report["created"]).utcoffset() == timedelta(0)
    for words in ("96 × 97", "not linear light", "columns by bluestein", "120 dB below", "times as large"):
        assert words in result.stdout


@pytest.mark.parametrize("shape", [(64, 64), (31, 29), (1, 31), (45, 1), (30, 42)])
def test_a_picture_of_any_size_has_a_spectrum_and_a_round_trip(tmp_path, shape):
    values = noise(*shape)
    report, _ = run(saved(tmp_path / "x.png", values), tmp_path / "out")
    np.testing.assert_allclose(pixels(tmp_path / "out/spectrum.png"), expected_spectrum(values), atol=0.6)
    assert np.array_equal(pixels(tmp_path / "out/roundtrip.png"), values)
    assert report["spectrum"]["relative_l2_error"] < 2e-6
    assert 0 < report["roundtrip"]["relative_l2_error"] < 4e-6
    assert report["roundtrip"]["values_that_changed"] == 0
    assert report["spectrum"]["largest_magnitude"] == pytest.approx(values.sum() / 255)
    difference = pixels(tmp_path / "out/difference.png")
    shown = report["roundtrip"]["largest_error"] * report["difference"]["factor"]
    assert 0.1 < shown <= 1
    assert difference.max() == pytest.approx(255 * shown, abs=0.51)
    times = [time for direction in report["times_ms"].values() for time in direction.values()]
    assert len(times) == 6
    assert min(times) > 0


def test_each_channel_is_transformed(tmp_path):
    values = noise(24, 30, 3)
    path = saved(tmp_path / "x.png", values)
    run(path, tmp_path / "rgb", "rgb")
    planes = np.moveaxis(values, -1, 0)
    spectra = np.moveaxis(pixels(tmp_path / "rgb/spectrum.png"), -1, 0)
    np.testing.assert_allclose(spectra, expected_spectrum(planes), atol=0.6)
    assert np.array_equal(pixels(tmp_path / "rgb/roundtrip.png"), values)
    run(path, tmp_path / "green", "green")
    np.testing.assert_allclose(pixels(tmp_path / "green/spectrum.png"), expected_spectrum(planes[1]), atol=0.6)
    assert np.array_equal(pixels(tmp_path / "green/roundtrip.png"), planes[1])
    run(path, tmp_path / "grey")
    luminance = values @ (0.2126, 0.7152, 0.0722)
    np.testing.assert_allclose(pixels(tmp_path / "grey/spectrum.png"), expected_spectrum(luminance), atol=0.6)
    np.testing.assert_allclose(pixels(tmp_path / "grey/roundtrip.png"), luminance, atol=0.51)


def test_sixteen_bit_pictures_are_restored(tmp_path):
    values = noise(20, 33, levels=65535)
    report, _ = run(saved(tmp_path / "x.png", values), tmp_path / "out")
    assert report["picture"]["largest_value"] == 65535
    assert np.abs(pixels(tmp_path / "out/roundtrip.png") - values).max() <= 1
    assert report["roundtrip"]["values_that_changed"] <= values.size // 10


def test_transparent_parts_become_black_with_a_warning(tmp_path):
    values = noise(18, 22, 4)
    values[:9, :, 3], values[9:, :, 3] = 0, 255
    report, said = run(saved(tmp_path / "x.png", values), tmp_path / "out", "rgb")
    result = pixels(tmp_path / "out/roundtrip.png")
    assert not result[:9].any()
    assert np.array_equal(result[9:], values[9:, :, :3])
    (note,) = report["picture"]["notes"]
    assert unnamed(note, "black transparent") == []
    assert note in said


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I", "F"])
def test_every_kind_of_picture_is_read(tmp_path, mode):
    path = tmp_path / ("x.tif" if mode in ("CMYK", "I", "F") else "x.png")
    saved(path, noise(12, 10, 3), mode)
    for channels, planes in (("luminance", 1), ("rgb", 3)):
        picture = read_picture(path, channels)
        assert picture.planes.shape == (planes, 12, 10)
        assert 0 <= picture.planes.min() < picture.planes.max() <= 1


def test_a_black_picture_has_a_black_spectrum(tmp_path):
    report, _ = run(saved(tmp_path / "x.png", np.zeros((16, 16), np.uint8)), tmp_path / "out")
    assert not pixels(tmp_path / "out/spectrum.png").any()
    assert report["roundtrip"]["largest_error"] == 0
    assert report["difference"]["factor"] == 1


def test_slow_pictures_have_an_estimate_and_progress_and_are_measured_once(ocean_here, tmp_path, monkeypatch):
    monkeypatch.setattr("ocean.cli.image.SLOW", 0.0)
    path = saved(tmp_path / "x.png", noise(20, 30))
    lines = ocean_here("image", path, "--out", tmp_path / "out").stdout.splitlines()
    assert unnamed(lines[0], "30 20 pixels 1 0 s") == []
    assert "transform 2 of 14" in lines
    assert any(line.startswith("picture: 30 × 20") for line in lines)
    for module in ("ocean.cli.image", "ocean.fft.comparison"):
        monkeypatch.setattr(f"{module}.LONG_MS", 0.0)
    lines = ocean_here("image", path, "--out", tmp_path / "long").stdout.splitlines()
    assert lines[1:4] == [f"transform {number} of 4" for number in (1, 2, 3)]
    report = json.loads((tmp_path / "long/report.json").read_text())
    assert all("one warm run" in said for said in report["times_are"].values())
    for direction in report["times_ms"].values():
        assert 0 < direction["kernels"] < direction["with_transfers"]


def test_a_backend_that_cannot_run_is_refused(tmp_path):
    settings = load_settings(overrides=["fft.backend=stockham-shared"]).fft
    with pytest.raises(FFTError, match=naming("stockham-shared 16 10")):
        run(saved(tmp_path / "x.png", noise(16, 10)), tmp_path / "out", settings=settings)
    assert not (tmp_path / "out").exists()


def broken(tmp_path):
    path = saved(tmp_path / "broken.png", noise(64, 64))
    path.write_bytes(path.read_bytes()[:500])
    return path


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (broken, "broken.png"),
        (lambda folder: folder / "none.png", "none.png no such file"),
        (lambda folder: folder, "is a directory"),
        (lambda folder: saved(folder / "x.png", noise(1, 1)), "single pixel"),
        (lambda folder: saved(folder / "x.tif", np.full((4, 4), np.nan, np.float32)), "not finite"),
    ],
)
def test_files_that_are_no_pictures_are_refused(tmp_path, make, named):
    with pytest.raises(InputError, match=naming(named)):
        read_picture(make(tmp_path), "luminance")


def test_pictures_beyond_pillows_limit_are_refused(tmp_path, monkeypatch):
    path = saved(tmp_path / "x.png", noise(20, 20))
    for limit in (300, 100):  # sizes at which Pillow warns and refuses
        monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", limit)
        with pytest.raises(InputError, match=naming(limit, "pixels")):
            read_picture(path, "rgb")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["README.md"], "README.md picture PNG JPEG TIFF WEBP"),
        (["docs/pictures/ocean.jpg", "--channels", "cmyk"], "--channels cmyk luminance rgb red green blue"),
        (["docs/pictures/ocean.jpg", "--backend", "four-stp"], "four-step"),
    ],
)
def test_bad_input_is_one_sentence_and_status_2(ocean_here, tmp_path, arguments, named):
    result = ocean_here("image", *arguments, "--out", tmp_path / "out")
    assert_refused(result, named)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("kind", "suffix"), [("EPS", "png"), ("EPS", "eps"), ("GIF", "png"), ("DDS", "png")])
def test_a_picture_of_a_format_that_was_not_asked_for_is_refused(tmp_path, kind, suffix):
    """EPS would start Ghostscript."""
    Image.new("RGB", (16, 16), "navy").save(tmp_path / f"x.{suffix}", kind)
    with pytest.raises(InputError, match=naming("PNG JPEG TIFF WEBP")):
        read_picture(tmp_path / f"x.{suffix}", "luminance")


def test_damaged_pictures_are_refused_in_one_sentence(tmp_path, rng):
    """The test sets random bytes, mostly in the header and the tables, which hold sizes and offsets."""
    path, picture = tmp_path / "x", Image.fromarray(rng.integers(0, 256, (24, 24, 3), np.uint8))
    for kind in ("PNG", "JPEG", "TIFF", "WEBP"):
        picture.save(path, kind)
        data = np.frombuffer(path.read_bytes(), np.uint8)
        for _ in range(40):
            changed = data.copy()
            ends = rng.choice([64, 512, len(data)])
            changed[rng.integers(0, min(ends, len(data)), 4)] = rng.integers(0, 256, 4)
            changed[-rng.integers(1, 300)] = 255
            path.write_bytes(changed.tobytes())
            with suppress(InputError):
                read_picture(path, "luminance")
