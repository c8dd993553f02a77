"""Spectra from files: read through wavespectra, with directions turned into ours, and errors that name the wrong
part."""

import math
from codecs import BOM_UTF8

import numpy as np
import pytest

from ocean.common.resources import folder
from ocean.settings import Settings, SettingsError, load_settings, with_values
from ocean.waves import spectrum_files
from ocean.waves.amplitudes import variance
from ocean.waves.dispersion import angular_frequency
from ocean.waves.slopes import cumulative, unresolved
from ocean.waves.spectrum_files import read_spectrum
from ocean.waves.spectrum_raw import spread_of_coefficients
from ocean.waves.spreading import Cos2s, measured_slopes
from ocean.waves.statistics import predicted_height, predicted_peak_period
from ocean.waves.systems import swell, unit
from ocean.waves.tiles import make_tiles, peak_wavelength
from tests.messages import naming, unnamed

from . import foreign_files
from .foreign_files import buoy, buoy_netcdf, datawell, obscape, spotter_json, swan, ww3, ww3_station, ww3_zarr
from .spectrum_files import FREQUENCY, energy, file_sea, file_spectrum, ndbc, netcdf

wavespectra = pytest.importorskip("wavespectra", reason="the extra `spectra` is not installed")
xarray = pytest.importorskip("xarray")


def grid_variance(sea):
    tiles = make_tiles(3, peak_wavelength(sea))
    return sum(float(variance(tile, 256, [sea]).sum(dtype=float)) for tile in tiles)


# -- The example, without directions -----------------------------------------------------------------------------------


def test_the_example_buoy_drives_the_sea():
    settings = with_values(Settings(), {"sea.wind.spectrum": file_spectrum("example-buoy.data_spec")})
    record = read_spectrum([folder("assets") / "example-buoy.data_spec"], "auto", -1, 0)
    assert record.towards is None
    (sea,) = settings.sea.systems
    m0 = np.trapezoid(record.density[:, 0], record.frequency)
    last = record.frequency[-1] * record.density[-1, 0] / 4  # part of the tail, which falls as f^-5
    # 0.5 %: the package integrates over ln k on a grid without the frequencies of the file.
    assert predicted_height([sea]) == pytest.approx(4 * math.sqrt(m0 + last), rel=5e-3)
    assert predicted_peak_period([sea]) == pytest.approx(13.0, abs=0.4)
    assert settings.sea.longest_peak == peak_wavelength(sea) > 240
    assert sea.direction == 75
    assert grid_variance(sea) == pytest.approx((predicted_height([sea]) / 4) ** 2, rel=0.02)


def test_height_agrees_with_the_library(tmp_path):
    path = netcdf(tmp_path / "sea.nc", 200)
    with xarray.open_dataset(path) as dataset:
        theirs = float(dataset.spec.hs())
    # The library sums bins, our package integrates a line through their values.
    assert predicted_height([file_sea(path)]) == pytest.approx(theirs, rel=0.02)


def test_densities_are_interpolated_and_continued_by_a_tail(tmp_path):
    path = ndbc(tmp_path / "x.data_spec", [("2024 01 15 12 00", energy())])
    shape = file_spectrum(path).shape(0, 0)
    w, values = 2 * math.pi * FREQUENCY, np.round(energy(), 3) / (2 * math.pi)
    assert shape.density(w) == pytest.approx(values, rel=1e-4, abs=1e-8)  # float32 frequencies
    assert shape.density((w[4] + w[5]) / 2) == pytest.approx((values[4] + values[5]) / 2, rel=1e-4)
    assert shape.density(0.9 * w[0]) == 0
    assert shape.density(2 * w[-1]) == pytest.approx(values[-1] / 32, rel=1e-4)
    assert file_spectrum(path, tail=False).shape(0, 0).density(2 * w[-1]) == 0
    # Zeros in a file mean no waves.
    few = ndbc(tmp_path / "y.data_spec", [("2024 01 15 12 00", np.where(FREQUENCY < 0.3, energy(), 0.0))])
    shape = file_spectrum(few).shape(0, 0)
    assert not shape.density(np.append(w[FREQUENCY >= 0.3], [2 * w[-1], 5 * w[-1]])).any()
    # Measured waves include the effect of depth: no depth reduces them again.
    assert shape.frequency_density(w, 3.0, "finite-depth") == pytest.approx(shape.density(w))
    k = np.array([0.1, 0.3])
    at_k = shape.density(angular_frequency(k, 3.0))
    assert np.all(shape.wave_number_density(k, 3.0, "finite-depth") > 0.9 * at_k * 0.5 * math.sqrt(9.81 / k[1]))


def test_a_file_may_be_the_swell(tmp_path):
    path = ndbc(tmp_path / "x.data_spec", [("2024 01 15 12 00", energy())])
    sea = swell(0.0, 12.0, 200.0, 40.0, spectrum=file_spectrum(path), spreading=Cos2s(s=40))
    assert sea.direction == 200
    assert predicted_height([sea]) == pytest.approx(predicted_height([file_sea(path)]))


def test_energy_in_one_bin_before_zeros_gets_no_tail(tmp_path, monkeypatch):
    """A coarse file of an Obscape buoy looks like this."""
    density = np.where(np.arange(len(FREQUENCY)) == 26, 0.005, 0.0)
    monkeypatch.setattr(foreign_files, "energy", lambda: density)
    sea = file_sea(obscape(tmp_path))
    assert predicted_height([sea]) == pytest.approx(4 * math.sqrt(np.trapezoid(density, FREQUENCY)), rel=1e-3)


# -- Directions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("coming_from", [0, 75, 190])
def test_waves_run_away_from_where_they_come_from(tmp_path, coming_from):
    sea = file_sea(netcdf(tmp_path / "sea.nc", coming_from), direction=10.0)
    k = 0.05
    x, z = unit(coming_from)
    towards, against, aside = sea.wave_vector_density(k * np.array([-x, x, -z]), k * np.array([-z, z, x]))
    assert towards > 3 * aside > against
    # The moment over the grid points in this direction, by the fast evaluation too.
    tile = make_tiles(3, peak_wavelength(sea))[0]
    power = variance(tile, 64, [sea]).astype(float)
    n = np.fft.fftfreq(64)
    east, south = (power * n).sum(), (power * n[:, None]).sum()
    assert math.degrees(math.atan2(east, -south)) % 360 == pytest.approx((coming_from + 180) % 360, abs=4)


@pytest.mark.parametrize("degrees", [None, [350, 10, 60, 110, 170, 220, 300], np.arange(200.0, 320.0, 10.0)])
def test_all_directions_together_are_the_spectrum(tmp_path, degrees):
    """The steps between directions are even or uneven, or cover only a sector."""
    sea = file_sea(netcdf(tmp_path / "sea.nc", 255, degrees))
    angle = np.linspace(0, 2 * math.pi, 7200, endpoint=False)
    for k in (0.02, 0.04, 0.3, 2.0):
        density = sea.wave_vector_density(k * np.sin(angle), -k * np.cos(angle))
        assert np.all(density >= 0)
        assert density.mean() * 2 * math.pi * k == pytest.approx(float(sea.wave_number_density(k)), rel=1e-5)
    if degrees is not None and len(degrees) == 12:  # no waves outside of the sector towards 20 to 130 degrees
        outside = np.radians([180.0, 250.0, 340.0])
        assert not sea.wave_vector_density(0.1 * np.sin(outside), -0.1 * np.cos(outside)).any()


def coefficients(where=True, hundredths=False):
    """Return the four coefficients of waves from the west; unknown values are 999, as in files."""
    values = (270.0, 270.0, *((80.0, 50.0) if hundredths else (0.8, 0.5)))
    return [np.where(where, value, 999.0) * np.ones(len(FREQUENCY)) for value in values]


@pytest.mark.parametrize("yearly", [False, True])
def test_marks_of_missing_waves_do_not_matter(tmp_path, yearly):
    """Real-time files hold r1 and r2 as fractions, yearly files as hundredths."""
    has_waves = (FREQUENCY > 0.06) & (FREQUENCY < 0.4)
    density = np.where(has_waves, energy(), 0.0)
    path = buoy(tmp_path, density, coefficients(has_waves, hundredths=yearly), yearly)
    sea = file_sea(path)
    east, west, aside = sea.wave_vector_density(np.array([0.05, -0.05, 0]), np.array([0, 0, 0.05]))
    assert 0 <= west < aside < east / 5
    assert sea.shape.remark == ""
    alone = file_sea(path.split(",")[0])
    assert predicted_height([sea]) == pytest.approx(predicted_height([alone]), rel=1e-3)


@pytest.mark.parametrize(
    ("alpha1", "alpha2", "r1", "r2"),
    [(205, 205, 0.95, 0.81), (20, 20, 0.9, 0.67), (300, 303, 0.7, 0.3), (90, 45, 0.3, 0.6), (90, 90, 0.3, 0.05)],
)
def test_directions_have_the_coefficients_of_the_buoy(tmp_path, alpha1, alpha2, r1, r2):
    """Spreads of 18 to 68 degrees, of one sea or two; none of one system is split in two."""
    one = np.ones(len(FREQUENCY))
    record = file_spectrum(buoy(tmp_path, energy(), [one * alpha1, one * alpha2, one * r1, one * r2])).read_content()
    spread, turns = record.density[9] / record.density[9].sum(), np.exp(1j * np.radians(record.towards + 180))
    assert abs(spread @ turns - r1 * np.exp(1j * np.radians(alpha1))) < 0.005
    assert abs(spread @ turns**2 - r2 * np.exp(2j * np.radians(alpha2))) < 0.005
    peaks = (spread > np.roll(spread, 1)) & (spread >= np.roll(spread, -1))
    assert peaks.sum() == (2 if alpha2 == 45 else 1)


@pytest.mark.parametrize("wrong", [5.0, 1e300, math.inf, math.nan])
def test_coefficients_that_no_spread_has_are_missing(wrong):
    for first, second in (wrong, 0.1), (0.5, wrong):
        found = spread_of_coefficients(np.array([first, 0.5]), np.array([second, 0.1]))
        assert np.isnan(found[0]).all()
        assert found[1].sum() == pytest.approx(0.1)


def test_a_frequency_without_directions_takes_those_of_its_neighbours(tmp_path):
    path = buoy(tmp_path, energy(), coefficients(FREQUENCY < 0.2))
    sea = file_sea(path)
    k = 9.0  # beyond the last frequency with directions
    east, west = sea.wave_vector_density(np.array([k, -k]), 0.0)
    assert east > 5 * west >= 0
    first = FREQUENCY[FREQUENCY >= 0.2][0]
    assert unnamed(sea.shape.remark, f"directions {first:.4g}") == []


@pytest.mark.parametrize("where", [False, FREQUENCY > 0.2])
def test_a_buoy_without_directions_runs_with_the_wind(tmp_path, where):
    """The file lacks directions everywhere, or at the frequencies with most of the energy."""
    path = buoy(tmp_path, energy(), coefficients(where))
    sea = file_sea(path, spreading=Cos2s(), direction=75.0)
    assert (sea.spreading, sea.direction) == (Cos2s(), 75)
    for directional in (True, False):
        spectrum = file_spectrum(path, directional=directional)
        settings = with_values(Settings(), {"sea.wind.spectrum": spectrum})
        assert ("no directions" in settings.sea.remark) == directional


def test_coefficients_that_contradict_each_other_keep_the_first_pair(tmp_path):
    rng = np.random.default_rng(3)
    n = len(FREQUENCY)
    wild = [rng.uniform(0, 360, n), rng.uniform(0, 360, n), rng.uniform(0.8, 1, n), rng.uniform(0.8, 1, n)]
    path = buoy(tmp_path, energy(), wild)
    record = file_spectrum(path).read_content()
    assert record.density.min() >= 0
    assert record.over_frequency() == pytest.approx(energy(), abs=1e-3)
    found = 10 * record.density @ np.exp(1j * np.radians(record.towards + 180))
    wanted = record.over_frequency() * np.minimum(wild[2], 0.99) * np.exp(1j * np.radians(wild[0]))
    assert np.abs(found - wanted).max() < 0.01 * energy().max()


@pytest.mark.parametrize(("share", "is_known"), [(1.01, True), (-0.9, False), (160.0, False)])
def test_a_share_far_from_0_to_1_counts_as_missing(tmp_path, share, is_known):
    """A value slightly above 1 does not make the file one of hundredths."""
    alpha1, alpha2, r1, r2 = coefficients(hundredths=share > 2)
    usual = file_sea(buoy(tmp_path, energy(), [alpha1, alpha2, r1, r2]))
    sea = file_sea(buoy(tmp_path, energy(), [alpha1, alpha2, np.where(FREQUENCY > 0.2, share, r1), r2]))
    assert (sea.shape.remark == "") == is_known
    first = FREQUENCY[FREQUENCY > 0.2][0]
    assert is_known or unnamed(sea.shape.remark, f"directions {first:.4g} Hz") == []
    k = np.array([0.05, -0.05]), np.array([0.02, 0.05])
    assert sea.wave_vector_density(*k) == pytest.approx(usual.wave_vector_density(*k))


def test_directions_and_density_have_the_same_time(tmp_path):
    """A file of directions may lack times that the file of densities has."""
    moments = ("2024 01 15 13 00", "2024 01 15 12 00", "2024 01 15 11 00")
    path = buoy(tmp_path, energy(), coefficients(), moments=moments)
    ndbc(tmp_path / "41010.swdir", [(moments[0], [90.0] * len(FREQUENCY)), (moments[2], [270.0] * len(FREQUENCY))])
    remarks = [file_sea(path, time=time).shape.remark for time in range(3)]
    assert [remark == "" for remark in remarks] == [True, False, True]


def test_a_buoy_has_one_file_or_five(tmp_path):
    path = buoy(tmp_path, energy(), coefficients())
    with pytest.raises(ValueError, match=naming("one five density alpha1")):
        file_sea(",".join(path.split(",")[:3]))
    (tmp_path / "41010.spec").write_text("#YY  MM DD hh mm WVHT  SwH  SwP\n#yr  mo dy hr mn    m    m  sec\n")
    with pytest.raises(ValueError, match=naming("no spectra .data_spec")):
        file_sea(tmp_path / "41010.spec")


def test_records_of_netcdf_without_directions_are_read_without_them(tmp_path):
    """One record has all directions, one lacks some where there are no waves, and one has none."""
    rng = np.random.default_rng(5)
    density = energy() * rng.uniform(0.5, 1.5, (3, 1))
    each = np.stack([np.where(value == 999.0, np.nan, value) for value in coefficients(hundredths=True)])
    found = np.repeat(each[:, None], 3, axis=1)
    density[1, -4:], found[:, 1, -4:], found[:, 2] = 0.0, np.nan, np.nan
    path = buoy_netcdf(tmp_path / "42098.nc", density, found)
    for time, directional in enumerate((True, True, False)):
        sea = file_sea(path, time=time)
        assert (sea.shape.directions is not None) == directional == (sea.shape.remark == "")
        plain = file_sea(path, time=time, directional=False)
        assert (plain.shape.directions, plain.shape.remark) == (None, "")
        assert predicted_height([sea]) == pytest.approx(predicted_height([plain]), rel=1e-3)
    east, west = file_sea(path, time=1).wave_vector_density(np.array([0.05, -0.05]), 0.0)
    assert east > 5 * west >= 0


# -- Times, stations and formats ---------------------------------------------------------------------------------------


def test_time_and_station_are_chosen(tmp_path):
    rows = [("2024 01 15 13 00", 4 * energy()), ("2024 01 15 12 00", energy())]  # latest first, as in files of NDBC
    path = ndbc(tmp_path / "x.data_spec", rows)
    first, last, default = (predicted_height([file_sea(path, time=time)]) for time in (0, 1, -1))
    assert last == default == pytest.approx(2 * first, rel=1e-3)
    with pytest.raises(ValueError, match=naming("spectrum.time 2 2024-01-15T12:00 2024-01-15T13:00")):
        file_sea(path, time=2)

    with xarray.open_dataset(netcdf(tmp_path / "one.nc", 200)) as one:
        both = xarray.concat([one, 4 * one], "site").assign_coords(site=[0, 1])
    both.to_netcdf(tmp_path / "two.nc")
    near, far = (predicted_height([file_sea(tmp_path / "two.nc", station=station)]) for station in (0, 1))
    assert far == pytest.approx(2 * near)
    with pytest.raises(ValueError, match=naming("spectrum.station 2")):
        file_sea(tmp_path / "two.nc", station=2)


# -- Damaged and unknown files -----------------------------------------------------------------------------------------


def test_a_folder_that_is_not_of_zarr_is_refused(tmp_path):
    with pytest.raises(ValueError, match=naming("folder zarr")):
        file_sea(tmp_path)
    path = ww3_zarr(tmp_path)
    assert predicted_height([file_sea(path)]) == predicted_height([file_sea(path, format="ww3")])
    with pytest.raises(ValueError, match=naming("swan folder")):
        file_sea(path, format="swan")


@pytest.mark.parametrize(
    ("name", "text", "format", "named"),
    [
        ("a.json", '{"spectra": []}', "auto", "table frequency density"),
        ("a.json", '{"data": {}, "frequencyData": 1}', "auto", "spotter frequencyData"),
        ("a.json", "[" * 100_000, "json", "json"),
        ("a.spt", "1\n" * 12 + "0.1,1.0,270.0,25.0,0.0,3.0\n", "auto", "datawell time"),
        ("a.csv", "time,height\n1,2\n", "auto", "table time height frequency density"),
    ],
)
def test_a_file_of_a_format_that_lacks_its_parts_is_refused_by_name(tmp_path, name, text, format, named):
    (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match=naming(named)):
        file_sea(tmp_path / name, format=format)


def test_the_chosen_format_refuses_files_of_other_formats(tmp_path):
    """xarray would read SWAN's text through an engine of wavespectra, and NetCDF with other units without
    conversion."""
    text, own, model = swan(tmp_path).rename(tmp_path / "sea.swn"), netcdf(tmp_path / "own.nc", 270), ww3(tmp_path)
    for path, format, found in (
        (text, "ww3", "swan"),
        (text, "octopus", "swan"),
        (own, "ww3", "wavespectra"),
        (own, "swan", "netcdf"),
        (model, "ncswan", "ww3"),
    ):
        with pytest.raises(ValueError, match=naming(format, found)):
            file_sea(path, format=format)
    xarray.Dataset({"height": ("time", [1.0])}).to_netcdf(tmp_path / "heights.nc")
    with pytest.raises(ValueError, match=naming("height time format")):
        file_sea(tmp_path / "heights.nc")


@pytest.mark.parametrize(
    "write", [ww3_station, spotter_json, obscape, lambda folder: ndbc(folder / "x", [("2024 01 15 12 00", energy())])]
)
def test_a_byte_order_mark_does_not_matter(tmp_path, write):
    path = write(tmp_path)
    before = predicted_height([file_sea(path)])
    path.write_bytes(BOM_UTF8 + path.read_bytes())
    assert predicted_height([file_sea(path)]) == before


def test_missing_values_are_named(tmp_path):
    gaps = energy()
    gaps[[3, 20]] = 999.0
    path = ndbc(tmp_path / "x.data_spec", [("2024 01 15 12 00", gaps), ("2024 01 15 11 00", energy())])
    with pytest.raises(ValueError, match=naming(f"2024-01-15T12:00 {FREQUENCY[3]:.4g} {FREQUENCY[20]:.4g} Hz")):
        file_sea(path)
    assert predicted_height([file_sea(path, time=0)]) > 0

    with xarray.open_dataset(netcdf(tmp_path / "sea.nc", 200)) as dataset:
        dataset = dataset.load()
    dataset["efth"][5, 2] = np.nan
    dataset.to_netcdf(tmp_path / "gap.nc")
    with pytest.raises(ValueError, match=naming(f"lacks {FREQUENCY[5]:.4g} Hz 30 degrees")):
        file_sea(tmp_path / "gap.nc")
    dataset["efth"][5, 2] = -1.0
    dataset.to_netcdf(tmp_path / "negative.nc")
    with pytest.raises(ValueError, match=naming(f"negative {FREQUENCY[5]:.4g} Hz 30 degrees")):
        file_sea(tmp_path / "negative.nc")


def test_an_unreadable_file_is_refused_in_one_sentence(tmp_path):
    (tmp_path / "letter.txt").write_text("Dear Sir,\n")
    (tmp_path / "broken.nc").write_text("Dear Sir,\n")
    (tmp_path / "broken.gz").write_text("Dear Sir,\n")
    for path, format, said in (
        ("absent.nc", "auto", "absent.nc no file"),
        ("", "auto", "no file"),
        ("~nobody-of-this-name", "auto", "no file ~nobody-of-this-name"),
        ("x" * 300, "auto", "no file"),
        (tmp_path / "broken.gz", "auto", "broken.gz"),
        (tmp_path / "letter.txt", "auto", "letter.txt spectrum.format awac"),
        (tmp_path / "letter.txt", "netcdf", "letter.txt netcdf"),
        (tmp_path / "broken.nc", "auto", "broken.nc netcdf"),
    ):
        with pytest.raises(ValueError, match=naming("spectrum.path", said)) as error:
            file_spectrum(path, format=format)
        assert "\n" not in str(error.value)
    with pytest.raises(SettingsError, match=naming("sea.wind.spectrum.path example-buoy.data_spec")):
        load_settings(overrides=["sea.wind.spectrum=file"])


def test_a_missing_library_is_named_with_the_way_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setattr(spectrum_files, "find_spec", lambda name: None)
    for path, package in (datawell(tmp_path), "wavespectra"), (netcdf(tmp_path / "sea.nc", 270), "xarray"):
        with pytest.raises(ValueError, match=naming(f"{package} pip install wavespectra netCDF4")):
            read_spectrum([path], "auto", -1, 0)


@pytest.mark.parametrize("direction", [0.0, 75.0, 200.0])
def test_a_measured_sea_lacks_ripples_of_its_wind(tmp_path, direction):
    """The file has compass directions. Shading adds the slopes along and across the wind that the file's waves lack of
    Cox and Munk's."""
    sea = [file_sea(netcdf(tmp_path / "sea.nc", 30.0, spread=1), direction=direction)]
    (x, z), own, found = unit(direction), cumulative(sea)[-1, :3], unresolved(sea, 0.0)[:3]
    for axis, measured in zip(((x, z), (-z, x)), measured_slopes(9.0), strict=True):
        weight = np.array([axis[0] ** 2, axis[1] ** 2, 2 * axis[0] * axis[1]])
        assert weight @ own < measured
        assert weight @ found == pytest.approx(measured, rel=1e-9)
