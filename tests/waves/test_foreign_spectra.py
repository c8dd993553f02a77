"""Files as people have them: the sea that they hold, with the axes, units, marks and orders that programs differ in.

The files of `inputs` have invented values, each in the layout of a file that somebody had. Unless a test says
otherwise, their sea has Hs = 1.056 m and Tp = 10 s, and its waves travel to the east. Heights agree to 0.3 %, because
files round their values.
"""

import gzip
import json
import math
import re
import time
from pathlib import Path

import numpy as np
import pytest

from ocean.settings import load_settings
from tests.messages import naming, unnamed

from .foreign_files import awac, datawell, funwave, funwave_new, octopus, spotter_csv, triaxys, wwm
from .spectrum_files import file_spectrum

xarray = pytest.importorskip("xarray")

INPUTS = Path(__file__).parent / "inputs"
HEIGHT, PERIOD, EAST = 1.056, 10.0, 90.0
FREQUENCY = np.round(np.arange(0.05, 0.405, 0.01), 2)
DEGREES = np.arange(0.0, 360.0, 10.0)


def sums(path, **options):
    """Return Hs [m], Tp [s] and the mean direction of travel [degrees; nan without directions] by sums of our own."""
    record = file_spectrum(path, **options).read_content()
    total = record.over_frequency()
    direction = math.nan
    if record.towards is not None:
        weights = np.trapezoid(record.density, record.frequency, axis=0) * np.exp(1j * np.radians(record.towards))
        direction = math.degrees(np.angle(weights.sum())) % 360
    return 4 * math.sqrt(np.trapezoid(total, record.frequency)), 1 / record.frequency[total.argmax()], direction


def of_record(path, **options):
    return file_spectrum(path, **options).read_content()


def density():
    """Return the density (frequency, direction from) [m²/Hz/degree] of a sea from the west with Hs = 1.056 m."""
    with xarray.open_dataset(INPUTS / "own-per-radian.nc") as found:
        return found["efth"].values[0] * np.pi / 180


def netcdf(path, values, directions=DEGREES, dims=("freq", "dir"), name="efth", attrs=None, axis=None, **whole):
    axes = {dims[0]: FREQUENCY, dims[1]: np.asarray(directions, np.float64)}
    found = xarray.Dataset({name: (dims, values, attrs or {})}, axes, whole)
    found[dims[1]].attrs.update(axis or {})
    found.to_netcdf(path)
    return path


@pytest.mark.parametrize(
    ("name", "height", "direction"),
    [
        ("era5-directions-1-to-12.nc", 1.058, EAST),
        ("era5-directions-reversed.nc", 1.058, EAST),
        ("own-per-radian.nc", HEIGHT, EAST),
        ("ww3-log10.nc", HEIGHT, EAST),
        ("swan-1d.spec", HEIGHT, EAST),
        ("awac-48-bins.nmea", HEIGHT, EAST),
        ("ndbc-realtime-MM.data_spec", HEIGHT, math.nan),
        ("ndbc-realtime.data_spec.gz", HEIGHT, math.nan),
        ("spotter-blank-last-row.csv", HEIGHT, EAST),
        ("spotter-newest-first.json", 2 * HEIGHT, EAST),
    ],
)
def test_a_file_of_another_program_is_the_sea_that_it_holds(name, height, direction):
    found = sums(INPUTS / name)
    assert found[0] == pytest.approx(height, rel=3e-3)
    assert found[1] == pytest.approx(PERIOD, rel=0.02)
    assert found[2] == pytest.approx(direction, abs=1.0, nan_ok=True)


@pytest.mark.parametrize(("name", "stations"), [("swan-grid-x-fastest.spec", 4), ("ww3-two-points.spec", 2)])
def test_stations_have_the_order_of_the_file(name, stations):
    for station in range(stations):
        assert sums(INPUTS / name, station=station)[0] == pytest.approx((station + 1) * HEIGHT, rel=3e-3)
    with pytest.raises(ValueError, match="counted from 0"):
        file_spectrum(INPUTS / name, station=stations)


@pytest.mark.parametrize(
    ("name", "named"),
    [("awac-no-hs.nmea", "height missing 1.06 0.0106"), ("ndbc-density-99.txt", "lacks values 0.05 0.06 0.07 Hz")],
)
def test_a_file_that_marks_what_it_lacks_is_refused(name, named):
    with pytest.raises(ValueError, match=naming(named)):
        file_spectrum(INPUTS / name)


def test_joined_files_of_wavewatch_are_read(tmp_path):
    text = (INPUTS / "ww3-two-points.spec").read_text()
    later = text.replace("20240115 120000", "20240115 150000").replace("'P1  ", "'P3  ")
    (tmp_path / "sea.spec").write_text(later + text)
    assert of_record(tmp_path / "sea.spec").times == ("2024-01-15T12:00:00", "2024-01-15T15:00:00")
    assert of_record(tmp_path / "sea.spec", time=1).stations == ("P3", "P2")
    assert sums(tmp_path / "sea.spec", time=0, station=1) == sums(INPUTS / "ww3-two-points.spec", station=1)


def test_marks_at_the_peak_of_an_awac_are_named(tmp_path):
    text = (INPUTS / "awac-48-bins.nmea").read_text()
    (tmp_path / "buoy.nmea").write_text(text.replace(",1.0028,0.9254,", ",-9.0000,-9.0000,"))
    with pytest.raises(ValueError, match=naming("lacks values 0.1 0.11 Hz")):
        file_spectrum(tmp_path / "buoy.nmea")


def test_stations_are_chosen_by_name(tmp_path):
    """A name may be a number beyond those of the stations; a name of two stations chooses none."""
    path, text = tmp_path / "sea.spec", (INPUTS / "ww3-two-points.spec").read_text()
    path.write_text(text.replace("'P1   ", "'O'Nei").replace("'P2   ", "'46042"))
    for station, factor in ("46042", 2), ("O'Nei", 1), ("1", 2):
        overrides = [f"sea.wind.spectrum.{one}" for one in ("kind=file", f"path={path}", f"station={station}")]
        chosen = load_settings(overrides=overrides).sea.wind.spectrum
        assert sums(path, station=chosen.station)[0] == pytest.approx(factor * HEIGHT, rel=3e-3)
    path.write_text(text.replace("'P1", "'1 ").replace("'P2", "'2 "))
    for station, factor in ("1", 1), ("2", 2), (0, 1):
        assert sums(path, station=station)[0] == pytest.approx(factor * HEIGHT, rel=3e-3)
    path.write_text(text.replace("'P2", "'P1"))
    for station in "P1", "P3", "-1", 2, 0.5:
        with pytest.raises(ValueError, match=naming(f"spectrum.station {station} P1")):
            file_spectrum(path, station=station)


# -- What attributes say -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("units", "factor"),
    [
        ("m2 s degree-1", 1.0),
        ("m^2/Hz/deg", 1.0),
        ("m**2 s radian**-1", 180 / math.pi),
        ("m2/(Hz rad)", 180 / math.pi),
        ("m²·s/°", 1.0),
        ("m2/Hz deg", 1.0),
        ("", 1.0),
    ],
)
@pytest.mark.parametrize("logarithmic", [False, True])
def test_units_say_what_densities_are_per(tmp_path, units, factor, logarithmic):
    values = factor * density()
    if logarithmic:
        values, units = np.log10(values + 1e-12), f"log10({units} +1E-12)"
    found = sums(netcdf(tmp_path / "sea.nc", values, attrs={"units": units}))
    assert found[::2] == pytest.approx((HEIGHT, EAST), rel=3e-3)


def test_words_say_what_densities_are_per(tmp_path):
    attrs = {"long_name": "Variance density per Hz per radian"}
    path = netcdf(tmp_path / "sea.nc", density() * 180 / math.pi, attrs=attrs)
    with xarray.open_dataset(path) as found:
        found.assign_coords(time=np.datetime64("2024-01-15T12:00", "ns")).to_netcdf(tmp_path / "one.nc")
    assert sums(tmp_path / "one.nc") == pytest.approx((HEIGHT, PERIOD, EAST), rel=3e-3)
    assert of_record(tmp_path / "one.nc").source == "2024-01-15T12:00"


def test_scaled_shorts_are_unpacked(tmp_path):
    with xarray.open_dataset(netcdf(tmp_path / "sea.nc", density())) as found:
        found.load()
    scale = float(found["efth"].max()) / 30000
    packed = {"dtype": "i2", "scale_factor": scale}
    for more in {"_FillValue": -1}, {"_FillValue": -32767, "add_offset": 0.01}:  # an offset makes small negatives
        found.to_netcdf(tmp_path / "short.nc", encoding={"efth": packed | more})
        assert sums(tmp_path / "short.nc")[0] == pytest.approx(HEIGHT, rel=3e-3)


@pytest.mark.parametrize(
    ("turn", "axis", "whole"),
    [
        (lambda comes: comes, {"standard_name": "sea_surface_wave_from_direction"}, {}),
        (lambda comes: comes + 180, {"standard_name": "sea_surface_wave_to_direction", "units": "degree"}, {}),
        (lambda comes: np.radians(comes), {"units": "radian"}, {}),
        (lambda comes: np.radians(comes), {"units": "radians clockwise"}, {}),
        (lambda comes: comes, {"units": "list of directions", "long_name": "clockwise from north"}, {}),
        (lambda comes: comes + 180, {"long_name": "direction towards which waves go, from north"}, {}),
        (lambda comes: comes, {"long_name": "from 0 to 360"}, {}),
        (lambda comes: comes, {"standard_name": "wave_from_direction", "comment": "towards east positive"}, {}),
        (lambda comes: 270 - comes, {}, {"directional_convention": "cartesian"}),
        (lambda comes: comes, {}, {"Directional_convention": "nautical"}),
        (lambda comes: 90 - (comes + 180), {"units": "degrees"}, {"Directional_convention": "cartesian"}),
        *(
            (lambda comes: 270 - comes, {"long_name": f"direction {text}"}, {})
            for text in ("counter-clockwise from east", "ccw from east", "to, 0 = east, 90 = north", "math convention")
        ),
        (lambda comes: comes + 180, {"comment": "direction of propagation, clockwise from north"}, {}),
        (lambda comes: comes, {"comment": "the direction from which waves propagate"}, {}),
        (lambda comes: comes, {"long_name": "direction waves propagate from, clockwise"}, {}),
        (lambda comes: comes + 180, {"long_name": "direction waves are traveling to"}, {}),
        (lambda comes: np.radians(270 - comes), {"units": "rad", "Directional_convention": "Cartesian"}, {}),
        (lambda comes: comes - 10, {"units": "degreeM", "magnetic_declination": 10.0}, {}),
        (lambda comes: comes, {"units": "degrees_true", "comment": "magnetic, corrected to true north"}, {}),
        (lambda comes: comes, {"units": "°", "long_name": "angle from north, relative to true north"}, {}),
        *(
            (lambda comes: comes + 180, {"long_name": text}, {})
            for text in (
                *("direction to", "mean direction (to)", "0 = to north, 90 = to east", "waves go to", "outgoing"),
                *("direction of wave travel", "direction of energy flux", "where waves are moving"),
                *("0 = waves to north", "0 = northward, 90 = eastward", "flow convention", "wave vector direction"),
                *("where waves are headed", "downwave direction", "Ausbreitungsrichtung", "wohin die Wellen laufen"),
            )
        ),
        (lambda comes: comes + 180, {"long_name": "dir_to, clockwise from north"}, {}),
        (lambda comes: comes + 180, {"units": "degrees (going to)"}, {}),
        (lambda comes: comes, {"units": "degrees_clockwise_from_north"}, {}),
        (lambda comes: comes + 180, {"convention": "to"}, {}),
        (lambda comes: comes + 180, {}, {"Directional_convention": "to"}),
        (lambda comes: comes + 180, {}, {"direction_convention": "oceanographic"}),
        (lambda comes: comes, {}, {"Directional_convention": "Nautical (coming from)"}),
    ],
)
@pytest.mark.parametrize("order", [1, -1])
def test_attributes_say_what_directions_mean(tmp_path, turn, axis, whole, order):
    """Cartesian angles run counter-clockwise from the east, and say where waves go."""
    degrees = DEGREES[::order]
    values = density()[:, ::order]
    found = sums(
        netcdf(
            tmp_path / "sea.nc",
            values,
            np.mod(turn(degrees), 360 if "rad" not in str(axis) else 2 * math.pi),
            attrs={"units": "m2 s degree-1"},
            axis=axis,
            **whole,
        )
    )
    assert found[::2] == pytest.approx((HEIGHT, EAST), rel=3e-3)


@pytest.mark.parametrize(
    ("axis", "whole"),
    [
        *(
            ({"long_name": text}, {})
            for text in ("wave direction (from)", "direction from", "direction [from]", "from", "0 = from north")
        ),
        *(({"comment": text}, {}) for text in ("incoming waves", "waves approach from", "direction, degrees_from")),
        ({"convention": "nautical"}, {}),
        ({"comment": "nautical convention"}, {}),
        ({}, {"direction_convention": "from"}),
        ({}, {"wave_direction_convention": "from"}),
        ({}, {"Directional_convention": "from"}),
    ],
)
def test_plain_words_turn_a_format_whose_directions_say_where_waves_go(tmp_path, axis, whole):
    axes = {"dims": ("frequency", "direction"), "attrs": {"units": "m2 s degree-1"}}
    assert sums(netcdf(tmp_path / "model.nc", density(), **axes, axis=axis, **whole))[2] == pytest.approx(EAST, abs=1.0)


@pytest.mark.parametrize(
    ("attrs", "axis", "named"),
    [
        *(({"units": units}, {}, f"efth units {units}") for units in ("m2", "m", "m2/s", "m2 hz", "m2 s rad")),
        ({"units": "cm2 s degree-1"}, {}, "efth units cm"),
        ({"units": "J m-2 s"}, {}, "efth units j"),
        ({}, {"units": "gon"}, "dir units gon"),
        ({}, {"units": "degree_magnetic"}, "dir degree_magnetic magnetic_declination"),
        ({}, {"long_name": "direction from magnetic north"}, "dir magnetic magnetic_declination"),
        ({}, {"Directional_convention": "polar"}, "Directional_convention polar nautical cartesian"),
        ({}, {"long_name": "direction to", "comment": "nautical convention"}, "dir from to nautical"),
    ],
)
def test_attributes_of_unknown_meaning_are_refused_by_name(tmp_path, attrs, axis, named):
    path = netcdf(tmp_path / "sea.nc", density(), attrs=attrs, axis=axis)
    with pytest.raises(ValueError, match=naming(named)):
        file_spectrum(path)


@pytest.mark.parametrize(("way", "convention"), [("from", "Cartesian"), ("to", "nautical")])
def test_names_against_the_convention_are_refused(tmp_path, way, convention):
    axis = {"standard_name": f"sea_surface_wave_{way}_direction"}
    path = netcdf(tmp_path / "sea.nc", density(), axis=axis, Directional_convention=convention)
    with pytest.raises(ValueError, match=naming(f"dir {way} Directional_convention {convention.lower()}")):
        file_spectrum(path)


def test_the_convention_may_stand_beside_the_densities(tmp_path):
    attrs = {"units": "m2 s degree-1", "Directional_convention": "cartesian"}
    path = netcdf(tmp_path / "sea.nc", density(), 270 - DEGREES, attrs=attrs)
    assert sums(path)[2] == pytest.approx(EAST, abs=1.0)


def test_axes_that_contradict_the_densities_are_refused(tmp_path):
    def refuses(found, named):
        found.to_netcdf(tmp_path / "odd.nc")
        with pytest.raises(ValueError, match=naming(named)):
            file_spectrum(tmp_path / "odd.nc")

    with xarray.open_dataset(netcdf(tmp_path / "sea.nc", density())) as sea:
        sea.load()
    refuses(sea.isel(dir=[27]), "single direction 270")
    refuses(sea.drop_vars("dir"), "dir no values")
    total = sea.sum("dir") * 10
    total["efth"].attrs["units"] = "m2 s rad-1"  # as left behind by the sum
    refuses(total, "efth m2 s rad-1 freq Hz")
    total["efth"].attrs["units"] = "m2 s degree-1"
    refuses(total, "efth m2 s degree-1")


def test_densities_per_an_angle_that_nothing_tells_are_refused(tmp_path):
    path = netcdf(tmp_path / "sea.nc", density(), np.radians(DEGREES), axis={"units": "radian"})
    with pytest.raises(ValueError, match=naming("dir radians efth units")):
        file_spectrum(path)


def test_mean_directions_as_if_in_radians_are_refused(tmp_path):
    means = np.full(len(FREQUENCY), math.radians(270))
    sea = {"waveEnergyDensity": ("waveFrequency", density_1d()), "waveMeanDirection": ("waveFrequency", means)}
    sea["waveSpread"] = "waveFrequency", np.full(len(FREQUENCY), 25.0)
    xarray.Dataset(sea, {"waveFrequency": FREQUENCY}).to_netcdf(tmp_path / "cdip.nc")
    with pytest.raises(ValueError, match=naming("waveMeanDirection radians units")):
        file_spectrum(tmp_path / "cdip.nc")


@pytest.mark.parametrize("first", [0, 1])
def test_numbers_of_directions_are_no_degrees(tmp_path, first):
    path = netcdf(tmp_path / "sea.nc", density()[:, ::3], first + np.arange(12), axis={"units": "degree"})
    with pytest.raises(ValueError, match=naming(f"{first} {first + 11} indices")):
        file_spectrum(path)


@pytest.mark.parametrize("dims", [("freq", "direction"), ("frequency", "dir"), ("freq", "theta")])
def test_directions_may_have_the_name_of_another_format(tmp_path, dims):
    path = netcdf(tmp_path / "sea.nc", density(), dims=dims, attrs={"units": "m2/Hz/deg"}, axis={"units": "degree"})
    assert unnamed(of_record(path).remark, dims[1], "come from go to") == []
    path = netcdf(path, density(), dims=dims, attrs={"units": "m2/Hz/deg"}, axis={"standard_name": "from_direction"})
    assert sums(path) == pytest.approx((HEIGHT, PERIOD, EAST), rel=3e-3)


def test_an_axis_without_values_is_refused(tmp_path):
    with xarray.open_dataset(netcdf(tmp_path / "sea.nc", density())) as found:
        found.drop_vars("freq").to_netcdf(tmp_path / "bare.nc")
        rows = found.rename_dims(freq="bin").assign(freq=(("row", "bin"), FREQUENCY[None]))
        rows.to_netcdf(tmp_path / "rows.nc")
    for name in "bare", "rows":
        with pytest.raises(ValueError, match=naming("freq values")):
            file_spectrum(tmp_path / f"{name}.nc")


def test_frequencies_that_may_be_angular_need_a_unit(tmp_path):
    """A mean of 0.9 is that of a sea in rad/s, and of waves of 1.1 s in Hz."""
    angular = density() / (2 * math.pi)
    with xarray.open_dataset(netcdf(tmp_path / "hertz.nc", angular)) as found:
        found.assign_coords(freq=2 * math.pi * FREQUENCY).to_netcdf(tmp_path / "sea.nc")
    (tmp_path / "sea.csv").write_text(other("f,S", 2 * math.pi, 1 / (2 * math.pi)))
    (tmp_path / "sea.json").write_text(json.dumps([(2 * math.pi * f, s / (2 * math.pi)) for f, s in pairs()]))
    for ending in "nc", "csv", "json":
        with pytest.raises(ValueError, match=naming("Hz rad/s")):
            file_spectrum(tmp_path / f"sea.{ending}")
    for head in "f (Hz),S (m2/Hz)", "# frequency in Hz\nf,S", "# Hz, m2/Hz", "f (1/s),S", "f (cycles/s),S":
        (tmp_path / "sea.csv").write_text(other(head, 2 * math.pi, 0.001))
        assert sums(tmp_path / "sea.csv")[1] == pytest.approx(PERIOD / (2 * math.pi), rel=3e-3)
    with xarray.open_dataset(tmp_path / "sea.nc") as found:
        found["freq"].attrs["long_name"] = "frequency (Hz)"
        (0.001 * found).assign_coords(freq=found["freq"]).to_netcdf(tmp_path / "named.nc")
    assert sums(tmp_path / "named.nc")[1] == pytest.approx(PERIOD / (2 * math.pi), rel=3e-3)
    (tmp_path / "sea.csv").write_text(other("# sampled at 2 Hz\nf,S", 2 * math.pi, 0.001))
    with pytest.raises(ValueError, match=naming("Hz rad/s")):
        file_spectrum(tmp_path / "sea.csv")


def test_waves_steeper_than_water_allows_are_refused(tmp_path):
    """An index in the place of the frequencies, whatever its attributes say."""
    with xarray.open_dataset(netcdf(tmp_path / "hertz.nc", density())) as found:
        bins = ("freq", np.arange(1.0, 1 + len(FREQUENCY)), {"units": "Hz"})
        found.assign_coords(freq=bins).to_netcdf(tmp_path / "sea.nc")
    with pytest.raises(ValueError, match=naming("steepness 0.15")):
        file_spectrum(tmp_path / "sea.nc")


@pytest.mark.parametrize(
    "text",
    [
        *("clockwise from east", "degrees from south", "relative to the west", "azimuth from south"),
        *("relative to ship heading", "deviation from the mean", "angle to shore normal", "relative to grid north"),
    ],
)
def test_angles_counted_from_elsewhere_are_quoted(tmp_path, text):
    path = netcdf(tmp_path / "sea.nc", density(), axis={"long_name": f"wave direction, {text}"})
    assert text in of_record(path).remark


@pytest.mark.parametrize(
    ("place", "key", "text"),
    [
        ("densities", "comment", "cartesian convention"),
        ("densities", "comment", "oceanographic convention"),
        ("densities", "note", "to"),
        ("file", "comment", "counter-clockwise from east"),
        ("file", "direction_convention", "clockwise from south"),
        ("file", "direction_reference", "shore normal"),
    ],
)
def test_words_about_directions_that_turn_nothing_are_quoted(tmp_path, place, key, text):
    """They stand beside densities whose standard name says where waves come from, or in sentences about the file."""
    attrs = {"standard_name": "sea_surface_wave_directional_variance_spectral_density", "units": "m2 s degree-1"}
    own, whole = ({key: text}, {}) if place == "densities" else ({}, {key: text})
    path = netcdf(tmp_path / "sea.nc", density(), attrs=attrs | own, axis={"units": "degree"}, **whole)
    assert text in of_record(path).remark


@pytest.mark.parametrize(
    "text",
    [
        *("anticlockwise from north", "counterclockwise; 0 degrees is north", "from, ccw from true north"),
        "Rotated Pole Grid North",
    ],
)
def test_angles_counter_clockwise_from_north_are_refused(tmp_path, text):
    path = netcdf(tmp_path / "sea.nc", density(), axis={"long_name": f"wave direction, {text}"})
    with pytest.raises(ValueError, match=naming("dir north east")):
        file_spectrum(path)


def test_directions_that_are_explained_by_quarters_are_read(tmp_path):
    text = "waves come from; 0 from north, 90 degrees from east, 180 degrees from south, 270 degrees from west"
    path = netcdf(tmp_path / "sea.nc", density(), axis={"long_name": text})
    assert sums(path)[2] == pytest.approx(EAST, abs=0.1)


def test_two_directions_are_a_sector(tmp_path):
    lobe = density()[:, 26:28]
    found = sums(netcdf(tmp_path / "sea.nc", lobe, DEGREES[26:28]))
    assert found[0] == pytest.approx(4 * math.sqrt(np.trapezoid(lobe.sum(axis=1) * 10, FREQUENCY)), rel=3e-3)


def circle(degrees):
    """Return the share of the circle at each direction [degrees], by trapezoids."""
    gaps = np.diff(degrees, append=degrees[0] + 360)
    return (gaps + np.roll(gaps, 1)) / 2


def test_steps_between_directions_may_differ(tmp_path):
    degrees = np.concatenate([np.arange(0.0, 250.0, 5.0), np.arange(250.0, 360.0, 20.0)])
    values = np.array([np.interp(degrees, DEGREES, row, period=360) for row in density()])
    height = 4 * math.sqrt(np.trapezoid(values @ circle(degrees), FREQUENCY))
    found = file_spectrum(netcdf(tmp_path / "sea.nc", values, degrees))
    assert sums(tmp_path / "sea.nc")[0] == pytest.approx(height, rel=3e-3)
    assert found.read_content().towards.tolist() == sorted((degrees + 180) % 360)


def test_gaps_between_two_sectors_have_no_waves(tmp_path):
    kept = np.flatnonzero(((DEGREES >= 230) & (DEGREES <= 310)) | (DEGREES <= 60))
    values = np.ones((len(FREQUENCY), len(kept))) * 1e-3
    height = 4 * math.sqrt(1e-3 * 10 * len(kept) * np.ptp(FREQUENCY))
    assert sums(netcdf(tmp_path / "sea.nc", values, DEGREES[kept]))[0] == pytest.approx(height, rel=3e-3)


def test_a_circle_in_radians_may_be_closed(tmp_path):
    closed = np.column_stack([density(), density()[:, 0]])
    axis = np.radians(np.append(DEGREES, 360)).astype("f4")
    path = netcdf(tmp_path / "sea.nc", closed, axis, attrs={"units": "m2/Hz/deg"}, axis={"units": "radian"})
    assert sums(path) == pytest.approx((HEIGHT, PERIOD, EAST), rel=3e-3)


@pytest.mark.parametrize(
    "named",
    [
        (("station", "letters"), np.array([[*"BUOY1"], [*"BUOY2"]], "S1")),
        ("station", np.array(["BUOY1", "BUOY2"], object)),
    ],
)
def test_what_netcdf_states_of_a_station_is_compared(tmp_path, named):
    sea = xarray.Dataset(
        {
            "efth": (("station", "frequency", "direction"), np.stack([density(), 4 * density()]) * 180 / np.pi),
            "station_name": named,
            "latitude": ("station", [54.0, 55.0]),
            "longitude": ("station", [7.0, 8.0]),
            "hs": ("station", [1.06, 1.06]),
        },
        {"frequency": FREQUENCY, "direction": (DEGREES + 180) % 360},
    )
    sea.to_netcdf(tmp_path / "model.nc")
    assert unnamed(of_record(tmp_path / "model.nc").source, "BUOY1 54 7 Hs 1.06") == []
    record = of_record(tmp_path / "model.nc", station=1)
    assert record.stations == ("BUOY1", "BUOY2")
    with pytest.raises(ValueError, match=naming("spectrum.station 2 BUOY1 BUOY2")):
        file_spectrum(tmp_path / "model.nc", station=2)
    for chosen in 1, "1", "BUOY2":
        assert of_record(tmp_path / "model.nc", station=chosen) == record
    with pytest.raises(ValueError, match=naming("spectrum.station BUOY3 BUOY1 BUOY2")):
        file_spectrum(tmp_path / "model.nc", station="BUOY3")
    assert unnamed(record.source, "BUOY2 55 8") == []
    assert unnamed(record.remark, "1.06 2.11") == []


@pytest.mark.parametrize(
    ("name", "stated", "attrs", "differs"),
    [
        ("VMDR", 275.0, {}, False),
        ("mwd", 90.0, {"units": "degree_true"}, True),
        ("thm", 90.0, {"standard_name": "sea_surface_wave_to_direction"}, False),
        ("dir", math.radians(240), {"units": "radian"}, True),
        ("dm", 0.0, {}, True),
        ("dm", 360.0, {}, True),
        ("dm", 5.5, {}, True),
    ],
)
def test_a_mean_direction_of_netcdf_is_compared(tmp_path, name, stated, attrs, differs):
    """A mean direction, or that of the peak, within 20 degrees is no contradiction."""
    sea = {"efth": (("frequency", "direction"), density() * 180 / np.pi), name: ((), stated, attrs)}
    found = xarray.Dataset(sea, {"frequency": FREQUENCY, "direction": (DEGREES + 180) % 360})
    found["efth"].attrs["units"], found["direction"].attrs["long_name"] = "m2 s rad-1", "to"
    found.to_netcdf(tmp_path / "model.nc")
    record = of_record(tmp_path / "model.nc")
    assert "waves from" in record.source
    assert (record.remark != "") == differs == (unnamed(record.remark, "states from 270") == [])
    found[name].attrs["units"] = "1"  # a statement that is not understood keeps no sea from being read
    found.to_netcdf(tmp_path / "other.nc")
    assert "waves from" not in of_record(tmp_path / "other.nc").source


@pytest.mark.parametrize(
    ("name", "value", "attrs", "named"),
    [
        ("fp", 0.2, {"units": "Hz"}, "Tp 5 10"),
        ("height", 3.0, {"standard_name": "sea_surface_wave_significant_height"}, "Hs 3 1.06"),
        ("Significant_Wave_Height", 3.0, {}, "Hs 3 1.06"),
        ("HM0", 3.0, {}, "Hs 3 1.06"),
        ("TP", 5.0, {}, "Tp 5 10"),
        ("tp", 5.0, {"units": "seconds"}, "Tp 5 10"),
    ],
)
def test_names_and_standard_names_of_statements_are_known(tmp_path, name, value, attrs, named):
    path = netcdf(tmp_path / "sea.nc", density())
    with xarray.open_dataset(path) as found:
        found.load()
    found.assign({name: ((), value, attrs)}).to_netcdf(path)
    assert unnamed(of_record(path).remark, named) == []


@pytest.mark.parametrize("one_dimensional", [False, True])
@pytest.mark.parametrize("convention", ["nautical", "cartesian"])
def test_scales_and_spreads_of_swans_netcdf_are_applied(tmp_path, one_dimensional, convention):
    """SWAN writes shorts with a scale for each point and time, and one-dimensional spectra with means."""
    is_nautical = convention == "nautical"
    values = density_1d() if one_dimensional else density() * 180 / math.pi
    name, axes = ("energy_1d", ("frequency",)) if one_dimensional else ("density", ("frequency", "direction"))
    scale, units = np.array([values.max() / 32000, values.max() / 8000]), "m2 s" if one_dimensional else "m2 s rad-1"
    sea = {
        name: (("points", *axes), np.stack([np.rint(values / scale[0])] * 2).astype("i2"), {"units": units}),
        f"scale_{name}": ("points", scale),
        "theta_1d": (("points", "frequency"), np.full((2, len(FREQUENCY)), 270.0 if is_nautical else 0.0)),
        "spread_1d": (("points", "frequency"), np.full((2, len(FREQUENCY)), 20.0)),
    }
    turns = {} if one_dimensional else {"direction": np.radians(DEGREES if is_nautical else 270 - DEGREES)}
    means = () if one_dimensional else ("theta_1d", "spread_1d")
    found = xarray.Dataset(sea, {"frequency": FREQUENCY, **turns}, {"Directional_convention": convention})
    found[name].attrs["note"] = f"multiply with scale_{name}"
    found.drop_vars(means).to_netcdf(tmp_path / "swan.nc")
    assert of_record(tmp_path / "swan.nc").remark == ""
    assert sums(tmp_path / "swan.nc") == pytest.approx((HEIGHT, PERIOD, EAST), rel=3e-3)
    assert sums(tmp_path / "swan.nc", station=1)[0] == pytest.approx(2 * HEIGHT, rel=3e-3)


def swan_points(**attrs):
    """Return a dataset of SWAN's directions [radians], counter-clockwise from the east."""
    sea = {"density": (("frequency", "direction"), density() * 180 / math.pi, {"units": "m2 s rad-1"})}
    axis = ("direction", np.radians(270 - DEGREES), {"units": "radians", **attrs})
    return xarray.Dataset(sea, {"frequency": FREQUENCY, "direction": axis})


def test_directions_of_swan_that_lost_their_convention_are_cartesian(tmp_path):
    """SWAN calls Cartesian directions `to` and nautical ones `from`; programs that copy a file lose its attributes."""
    swan_points(standard_name="sea_surface_wave_to_direction").to_netcdf(tmp_path / "swan.nc")
    assert sums(tmp_path / "swan.nc") == pytest.approx((HEIGHT, PERIOD, EAST), rel=3e-3)
    assert unnamed(of_record(tmp_path / "swan.nc").remark, "direction counter-clockwise east") == []
    means = {
        name: ("frequency", np.full(len(FREQUENCY), one)) for name, one in (("theta_1d", 270.0), ("spread_1d", 20.0))
    }
    found = xarray.Dataset(
        {"energy_1d": ("frequency", density_1d(), {"units": "m2 s"}), **means}, {"frequency": FREQUENCY}
    )
    found["spread_1d"].attrs["long_name"] = "Longuet-Higgins short-crestedness parameter (s in cos(theta/2)^2s)"
    found.to_netcdf(tmp_path / "means.nc")
    assert sums(tmp_path / "means.nc")[2] == pytest.approx(EAST, abs=1.0)
    assert of_record(tmp_path / "means.nc").remark == (
        "theta_1d does not say whether waves come from it or go to it; 'from' is assumed."
    )
    found["theta_1d"] *= 0
    found["theta_1d"].attrs = {"standard_name": "sea_surface_wave_to_direction", "units": "degree", "swan_name": "CDIR"}
    found.to_netcdf(tmp_path / "means.nc")
    assert sums(tmp_path / "means.nc")[2] == pytest.approx(EAST, abs=1.0)
    assert unnamed(of_record(tmp_path / "means.nc").remark, "theta_1d counter-clockwise east") == []


def test_logarithms_of_swan_are_converted(tmp_path):
    found = swan_points(standard_name="sea_surface_wave_to_direction")
    found["density"] = np.log10(found["density"] + 1e-12).assign_attrs(units="log10(m2 s rad-1)")
    found.to_netcdf(tmp_path / "swan.nc")
    assert sums(tmp_path / "swan.nc") == pytest.approx((HEIGHT, PERIOD, EAST), rel=3e-3)


def test_a_scale_that_may_be_applied_already_is_refused(tmp_path):
    """Arithmetic in xarray leaves numbers without attributes beside the scale."""
    found = swan_points(standard_name="sea_surface_wave_to_direction")
    found["scale_density"] = (), 1e-4
    found.to_netcdf(tmp_path / "swan.nc")
    with pytest.raises(ValueError, match=naming("density scale_density")):
        file_spectrum(tmp_path / "swan.nc")


def standard_name(is_directional):
    return f"sea_surface_wave_{'directional_' * is_directional}variance_spectral_density"


@pytest.mark.parametrize("is_directional", [False, True])
def test_spectra_of_sofars_library_are_read(tmp_path, is_directional):
    """Its directions are where waves go, counter-clockwise from east; here waves go to the north-east."""
    attrs = {"standard_name": standard_name(is_directional), "units": "m^2/Hz/degree" if is_directional else "m^2/Hz"}
    axes = {"frequency": ("frequency", FREQUENCY, {"standard_name": "sea_surface_wave_frequency", "units": "Hz"})}
    comment = "Direction the waves are going to, measured anti-clockwise from East"
    axes |= (
        {"direction": ("direction", 315 - DEGREES, {"units": "degree", "comment": comment})} if is_directional else {}
    )
    moments = {"a1": 0.7, "b1": 0.7, "a2": 0.0, "b2": 0.9}
    sea = {
        key: ("frequency", np.full(len(FREQUENCY), value), {"long_name": "coefficient"})
        for key, value in moments.items()
    }
    sea["directional_variance_density" if is_directional else "variance_density"] = (
        (*axes,),
        density() if is_directional else density_1d(),
        attrs,
    )
    xarray.Dataset(sea, axes).to_netcdf(tmp_path / "sofar.nc")
    assert sums(tmp_path / "sofar.nc") == pytest.approx((HEIGHT, PERIOD, EAST - 45), rel=3e-3)


@pytest.mark.parametrize("is_directional", [False, True])
def test_standard_names_tell_densities_and_axes(tmp_path, is_directional):
    attrs = {"standard_name": standard_name(is_directional), "units": "m2 s degree-1" if is_directional else "m2 s"}
    axes = {"f": ("f", FREQUENCY, {"standard_name": "sea_surface_wave_frequency", "units": "s-1"})}
    towards = {"standard_name": "sea_surface_wave_to_direction", "units": "degree"}
    axes |= {"q": ("q", (DEGREES + 180) % 360, towards)} if is_directional else {}
    values = density() if is_directional else density_1d()
    xarray.Dataset({"S": ((*axes,), values, attrs), "a1": ("f", FREQUENCY)}, axes).to_netcdf(tmp_path / "sea.nc")
    found, direction = sums(tmp_path / "sea.nc"), EAST if is_directional else math.nan
    assert found == pytest.approx((HEIGHT, PERIOD, direction), rel=3e-3, nan_ok=True)
    assert unnamed(of_record(tmp_path / "sea.nc").remark, "variables a1 not used") == []
    attrs.pop("units")
    xarray.Dataset({"S": ((*axes,), values, attrs)}, axes).to_netcdf(tmp_path / "bare.nc")
    with pytest.raises(ValueError, match=naming("variables S format")):
        file_spectrum(tmp_path / "bare.nc")


@pytest.mark.parametrize(
    ("direction", "attrs"),
    [
        (270.0, {"units": "degreeT"}),
        (90.0, {"standard_name": "sea_surface_wave_to_direction"}),
        (math.radians(270), {"units": "radian"}),
        (260.0, {"units": "degreeM", "magnetic_declination": 10.0}),
    ],
)
def test_the_directions_of_cdip_are_read(tmp_path, direction, attrs):
    axes = ("waveTime", "waveFrequency")
    parts = {"waveEnergyDensity": density_1d(), "waveMeanDirection": direction, "waveSpread": 20.0}
    sea = {name: (axes, np.broadcast_to(values, (1, len(FREQUENCY)))) for name, values in parts.items()}
    time = np.array(["2024-01-15T12:00"], "datetime64[ns]")
    found = xarray.Dataset(sea, {"waveTime": time, "waveFrequency": FREQUENCY})
    found["waveMeanDirection"].attrs.update(attrs)
    found.to_netcdf(tmp_path / "cdip.nc")
    assert sums(tmp_path / "cdip.nc") == pytest.approx((HEIGHT, PERIOD, EAST), rel=3e-3)


@pytest.mark.parametrize("has_spread", [False, True])
def test_coefficients_of_cdip_replace_the_spread(tmp_path, has_spread):
    """Some files have coefficients and no spread; both describe the distribution's first moment, 0.94."""
    axes, n = ("waveTime", "waveFrequency"), len(FREQUENCY)
    parts = {"waveEnergyDensity": density_1d(), "waveMeanDirection": 270.0}
    parts |= {"waveSpread": 20.0} if has_spread else {"waveA1Value": 0.0, "waveB1Value": -0.94}
    parts |= {} if has_spread else {"waveA2Value": -0.78, "waveB2Value": 0.0}
    sea = {name: (axes, np.broadcast_to(values, (1, n))) for name, values in parts.items()}
    time = np.array(["2024-01-15T12:00"], "datetime64[ns]")
    xarray.Dataset(sea, {"waveTime": time, "waveFrequency": FREQUENCY}).to_netcdf(tmp_path / "cdip.nc")
    assert sums(tmp_path / "cdip.nc") == pytest.approx((HEIGHT, PERIOD, EAST), rel=3e-3)


def several(path, factors, axis, values, frequency="freq", **variables):
    """Write the sea at several places of an axis, each higher by a factor."""
    values = np.asarray(values)
    dims = axis, frequency, "dir"
    found = xarray.Dataset({"efth": (dims, np.square(factors)[:, None, None] * density())})
    found.assign_coords({axis: values, frequency: FREQUENCY, "dir": DEGREES}).assign(variables).to_netcdf(path)
    return path


@pytest.mark.parametrize("axis", ["t", "Time", "date"])
def test_an_axis_of_dates_is_time_whatever_its_name(tmp_path, axis):
    dates = np.array(["2024-01-15T13", "2024-01-15T12"], "M8[ns]")
    record = of_record(path := several(tmp_path / "sea.nc", [3.0, 1.0], axis, dates))
    assert record.times == ("2024-01-15T12:00", "2024-01-15T13:00")
    assert "2024-01-15T13:00" in record.source
    assert sums(path)[0] == pytest.approx(3 * HEIGHT, rel=3e-3)


def test_times_that_are_texts_are_in_order(tmp_path):
    """Order of texts would put the tenth before the ninth."""
    path = several(tmp_path / "sea.nc", [3.0, 1.0], "time", np.array([b"2024-1-10 13:00", b"2024-1-9_12:00:00"]))
    assert of_record(path).times == ("2024-01-09T12:00", "2024-01-10T13:00")
    assert sums(path)[0] == pytest.approx(3 * HEIGHT, rel=3e-3)
    several(path, [3.0, 1.0], "time", np.array(["10/1/2024", "9/1/2024"]))
    with pytest.raises(ValueError, match=naming("time 10/1/2024")):
        of_record(path)


@pytest.mark.parametrize("axis", ["part", "wave_system", "partition_number", "component"])
def test_partitions_are_parts_of_one_sea(tmp_path, axis):
    path = several(tmp_path / "sea.nc", [0.6, 0.8, np.nan], axis, [0, 1, 2])
    assert sums(path)[::2] == pytest.approx((HEIGHT, EAST), rel=3e-3)


def test_logarithms_of_partitions_are_refused(tmp_path):
    path = several(tmp_path / "sea.nc", [0.6, 0.8], "part", [0, 1])
    with xarray.open_dataset(path) as found:
        found.assign(efth=np.log10(found["efth"] + 1e-12).assign_attrs(units="log10(m2/Hz/deg)")).to_netcdf(
            tmp_path / "log.nc"
        )
    with pytest.raises(ValueError, match=naming("part logarithms")):
        file_spectrum(tmp_path / "log.nc")


@pytest.mark.parametrize("factors", [[1.0, 0.6], [0.3, 0.9]])
def test_a_part_that_may_be_the_total_is_refused(tmp_path, factors):
    """Parts of overlapping systems, such as the same shape twice, look like a total and one of its parts."""
    path = several(tmp_path / "sea.nc", factors, "part", [0, 1])
    with pytest.raises(ValueError, match=naming("part total")):
        file_spectrum(path)


def test_a_part_with_most_of_the_waves_is_no_total(tmp_path):
    """Watersheds give each bin to one part."""
    path = several(tmp_path / "sea.nc", [1.0, 1.0], "part", [0, 1])
    with xarray.open_dataset(path) as found:
        swell = found["freq"] < 0.08
        found["efth"].where(swell == (found["part"] == 1), 0.0).to_netcdf(tmp_path / "parts.nc")
    assert sums(tmp_path / "parts.nc")[::2] == pytest.approx((HEIGHT, EAST), rel=3e-3)


@pytest.mark.parametrize("factors", [[1.0, 0.6, 0.8], [1.0, 0.6, 0.8, np.nan], [0.6, 0.8, 1.0]])
def test_a_total_among_partitions_is_not_added_again(tmp_path, factors):
    path = several(tmp_path / "sea.nc", factors, "part", range(len(factors)))
    assert sums(path)[::2] == pytest.approx((HEIGHT, EAST), rel=3e-3)


def test_members_and_steps_of_forecasts_are_named(tmp_path):
    record = of_record(several(tmp_path / "a.nc", [1.0, 2.0], "number", [4, 9]), station="number=9")
    assert record.stations == ("number=4", "number=9")
    assert "number=9" in record.source
    with xarray.open_dataset(tmp_path / "a.nc") as found:
        found.drop_vars("number").to_netcdf(tmp_path / "c.nc")
    assert of_record(tmp_path / "c.nc").source == "number=0"
    steps = np.array([0, 3], "m8[h]").astype("m8[ns]")
    assert of_record(several(tmp_path / "b.nc", [1.0, 2.0], "step", steps)).stations[1] == "step=3"


def test_the_records_of_a_track_have_times_and_places(tmp_path):
    with xarray.open_dataset(several(tmp_path / "a.nc", [3.0, 1.0], "obs", [7, 8])) as found:
        dates = np.array(["2024-01-15T13", "2024-01-15T12"], "M8[ns]")
        axis = {"time": ("obs", dates), "lat": ("obs", [50.0, 51.0]), "lon": ("obs", [-3.0, -4.0])}
        found.assign_coords(axis).to_netcdf(tmp_path / "sea.nc")
        found.assign(axis).to_netcdf(tmp_path / "bare.nc")
    assert of_record(tmp_path / "bare.nc").times == ("2024-01-15T12:00", "2024-01-15T13:00")
    record = of_record(tmp_path / "sea.nc")
    assert record.times == ("2024-01-15T12:00", "2024-01-15T13:00")
    assert record.source.startswith("at 50, -3 degrees")
    assert sums(tmp_path / "sea.nc")[0] == pytest.approx(3 * HEIGHT, rel=3e-3)


def test_spectra_of_the_wam_of_norway_are_read(tmp_path):
    """Files of NORA3 hold densities per radian, directions where waves go, and places on axes y and x."""
    values = density()[None, None, None] * 180 / math.pi
    axes = {"freq": FREQUENCY, "direction": (DEGREES + 180) % 360}
    found = xarray.Dataset({"SPEC": (("time", "y", "x", "freq", "direction"), values)}, axes)
    found["hs"] = ("time", "y", "x"), np.full((1, 1, 1), HEIGHT)
    found.to_netcdf(tmp_path / "sea.nc")
    assert sums(tmp_path / "sea.nc") == pytest.approx((HEIGHT, PERIOD, EAST), rel=3e-3)
    assert "Hs = 1.06 m" in of_record(tmp_path / "sea.nc").source
    assert unnamed(of_record(tmp_path / "sea.nc").remark, "SPEC units Hz radian") == []
    found["SPEC"].attrs = {"units": "m**2 s  ", "standard_name": "2D_SPECTRUM"}  # as WAM writes them
    found.to_netcdf(tmp_path / "wam.nc")
    assert of_record(tmp_path / "wam.nc").remark == ""


@pytest.mark.parametrize(("name", "axes"), [("waveFlagPrimary", 1), ("waveEnergyDensity_QC", 2)])
@pytest.mark.parametrize("flag", [1, 4])
def test_records_that_are_flagged_as_bad_are_remarked(tmp_path, name, axes, flag):
    """Means of the whole record are no directions of each frequency."""
    dims, n = ("waveTime", "waveFrequency"), len(FREQUENCY)
    found = xarray.Dataset({"waveEnergyDensity": (dims, density().sum(axis=1)[None] * 10)}, {dims[1]: FREQUENCY})
    found["waveTime"] = np.array(["2024-01-15T12"], "M8[ns]")
    found[name] = dims[:axes], np.full((1, n)[:axes], flag)
    found["waveMeanDirection"], found["waveSpread"] = (dims[:1], [270.0]), (dims[:1], [20.0])
    found["VHM0"] = (dims[0], "DEPTH"), [[HEIGHT]]
    found.attrs["platform_code"] = "6200091"
    found.to_netcdf(tmp_path / "sea.nc")
    record = of_record(tmp_path / "sea.nc")
    assert record.towards is None
    assert record.source == "6200091, 2024-01-15T12:00; the file states Hs = 1.06 m"
    assert (f"{name} marks it as questionable or bad" in record.remark) == (flag == 4)


def test_directions_of_the_usace_come_before_their_sum(tmp_path):
    axes = {"waveFrequency": FREQUENCY, "waveDirectionBins": DEGREES}
    sea = {"directionalWaveEnergyDensity": ((*axes,), density(), {"units": "m^2/Hz/deg"})}
    sea["waveEnergyDensity"] = "waveFrequency", density_1d(), {"units": "m^2/Hz"}
    xarray.Dataset(sea, axes).to_netcdf(tmp_path / "frf.nc")
    assert sums(tmp_path / "frf.nc") == pytest.approx((HEIGHT, PERIOD, EAST), rel=3e-3)


@pytest.mark.parametrize("axis", ["frequency", "f"])
def test_spectra_over_frequency_of_wavewatch_are_read(tmp_path, axis):
    """Its points have the axis frequency, its grids f."""
    means = {name: (axis, np.full(len(FREQUENCY), value)) for name, value in (("th1m", 270.0), ("sth1m", 20.0))}
    sea = xarray.Dataset({"ef": (axis, density_1d(), {"units": "m2 s"}), **means}, {axis: FREQUENCY})
    sea.to_netcdf(tmp_path / "ww3.nc")
    assert sums(tmp_path / "ww3.nc", format="ww3") == pytest.approx((HEIGHT, PERIOD, EAST), rel=3e-3)


def test_directions_without_a_spread_are_said_to_be_unused(tmp_path):
    sea = {"ef": ("frequency", density_1d(), {"units": "m2 s"}), "th1m": ("frequency", np.full(len(FREQUENCY), 270.0))}
    xarray.Dataset(sea, {"frequency": FREQUENCY}).to_netcdf(tmp_path / "ww3.nc")
    assert unnamed(of_record(tmp_path / "ww3.nc").remark, "directions spread not used") == []
    lists = {"f": FREQUENCY.tolist(), "S": density_1d().tolist(), "direction": [270.0] * len(FREQUENCY)}
    (tmp_path / "sea.json").write_text(json.dumps(lists))
    assert unnamed(of_record(tmp_path / "sea.json").remark, "directions spread not used") == []


@pytest.mark.parametrize("directional", [False, True])
def test_spectra_of_copernicus_are_read(tmp_path, directional):
    axes = ("TIME", "DEPTH", "FREQUENCY")
    sea = {"VSPEC1D": (axes, density_1d()[None, None], {"units": "m2 Hz-1"}), "VHM0": (axes[:2], [[HEIGHT]])}
    shape = 1, 1, len(FREQUENCY)
    sea |= {"THETA1": (axes, np.full(shape, 270.0)), "STHETA1": (axes, np.full(shape, 20.0))} if directional else {}
    time = np.array(["2024-01-15T12:00"], "datetime64[ns]")
    found = xarray.Dataset(sea, {"TIME": time, "FREQUENCY": FREQUENCY}, {"station": "6200001"})
    found.to_netcdf(tmp_path / "buoy.nc")
    assert sums(tmp_path / "buoy.nc")[:2] == pytest.approx((HEIGHT, PERIOD), rel=3e-3)
    assert sums(tmp_path / "buoy.nc")[2] == pytest.approx(EAST if directional else math.nan, abs=1, nan_ok=True)
    assert unnamed(of_record(tmp_path / "buoy.nc").source, "6200001 2024-01-15T12:00 Hs 1.06") == []


def test_json_and_compressed_netcdf_keep_what_they_say(tmp_path):
    path = netcdf(tmp_path / "sea.nc", density() * 180 / math.pi, attrs={"units": "m2 s rad-1"})
    (tmp_path / "sea.nc.gz").write_bytes(gzip.compress(path.read_bytes()))
    with xarray.open_dataset(path) as found:
        (tmp_path / "sea.json").write_text(json.dumps(found.to_dict()))
    for name in ("sea.nc.gz", "sea.json"):
        assert sums(tmp_path / name) == pytest.approx((HEIGHT, PERIOD, EAST), rel=3e-3)


def frequencies(path, values, frequency, units):
    with xarray.open_dataset(netcdf(path, values)) as found:
        found.load()
    found["freq"] = ("freq", frequency, {"units": units})
    found.to_netcdf(path)
    return path


@pytest.mark.parametrize("units", ["Hz", "s-1", "1/s", "rad s-1", "rad/s"])
def test_units_of_frequencies_count(tmp_path, units):
    factor = 2 * math.pi if "rad" in units else 1.0
    found = sums(frequencies(tmp_path / "sea.nc", density() / factor, factor * FREQUENCY, units))
    assert found == pytest.approx((HEIGHT, PERIOD, EAST), rel=3e-3)


@pytest.mark.parametrize(
    ("units", "factor"),
    [
        ("m2 s rad-1", 0),
        ("m2 s degree-1", 0),
        ("m2 s rad-2", 0.5 / math.pi),
        ("m2 Hz-1 rad-1", 1),
        ("", 0.5 / math.pi),
    ],
)
def test_densities_over_angular_frequencies_must_say_what_they_are_per(tmp_path, units, factor):
    """A second alone may stand for 1/Hz or for s/rad."""
    per = 180 / math.pi if "rad" in units else 1.0
    path = frequencies(tmp_path / "sea.nc", (factor or 1) * per * density(), 2 * math.pi * FREQUENCY, "rad/s")
    with xarray.open_dataset(path) as found:
        found.load()
    found["efth"].attrs["units"] = units
    found.to_netcdf(path)
    if factor:
        assert sums(path) == pytest.approx((HEIGHT, PERIOD, EAST), rel=3e-3)
    else:
        with pytest.raises(ValueError, match=naming(f"efth {units} Hz rad/s")):
            file_spectrum(path)


def test_the_name_of_an_axis_tells_angular_frequencies(tmp_path):
    path = frequencies(tmp_path / "sea.nc", density() / (2 * math.pi), 2 * math.pi * FREQUENCY, "rad/s")
    with xarray.open_dataset(path) as found:
        found.load()
    found["freq"].attrs = {"standard_name": "wave_angular_frequency"}
    found.to_netcdf(path)
    assert sums(path) == pytest.approx((HEIGHT, PERIOD, EAST), rel=3e-3)


def test_periods_and_radians_without_units_are_refused(tmp_path):
    with pytest.raises(ValueError, match=naming("freq units s")):
        file_spectrum(frequencies(tmp_path / "sea.nc", density(), 1 / FREQUENCY, "s"))
    with pytest.raises(ValueError, match=naming("directions 6.11 radians units")):
        file_spectrum(netcdf(tmp_path / "sea.nc", density(), np.radians(DEGREES)))
    closed = np.append(DEGREES, 360.0)
    for start, last in (0, "6.28"), (5, "6.37"):
        with pytest.raises(ValueError, match=naming(f"directions {last} radians")):
            file_spectrum(netcdf(tmp_path / "sea.nc", density()[:, range(-36, 1)], np.radians(closed + start)))


def era5(path, values, **axes):
    sea = xarray.Dataset({"d2fd": (("time", "frequency", "direction"), values[None])}, {"time": [0], **axes})
    sea.to_netcdf(path)
    return path


def test_axes_of_era5_keep_what_they_say(tmp_path):
    frequency, comes = 0.03453 * 1.1 ** np.arange(30), 7.5 + 15 * np.arange(24)
    lobe = np.exp(-((frequency - 0.1) ** 2) / 2e-4)[:, None] * np.cos(np.radians(comes - 270) / 2) ** 8
    axis = "direction", comes, {"standard_name": "sea_surface_wave_from_direction", "units": "1"}
    path = era5(tmp_path / "era5.nc", np.log10(lobe + 1e-9), frequency=frequency, direction=axis)
    assert sums(path)[2] == pytest.approx(EAST, abs=1.0)


def test_era5_counts_from_1_and_has_logarithms(tmp_path):
    values = np.full((30, 24), -9.0)
    values[10, 6] = 1.0
    numbers = {"frequency": np.arange(1, 31), "direction": np.arange(1, 25)}
    path = tmp_path / "era5.nc"
    assert sums(era5(path, values)) == pytest.approx(sums(era5(path, values, **numbers)))
    for name, counts in numbers.items():
        with pytest.raises(ValueError, match=naming(f"{name} 0 1")):
            file_spectrum(era5(path, values, **numbers | {name: counts - 1}))
    with pytest.raises(ValueError, match=naming("d2fd logarithms")):
        file_spectrum(era5(path, 10**values, **numbers))
    for name, units in ("frequency", "rad/s"), ("direction", "radians"):
        with pytest.raises(ValueError, match=naming(f"{name} {units} numbers")):
            file_spectrum(era5(path, values, **numbers | {name: (name, numbers[name], {"units": units})}))


@pytest.mark.parametrize(
    "numbers",
    [
        *(np.arange(1, 25), np.arange(24, 0, -1), np.arange(1, 25, 2), np.arange(1, 13)),
        *(np.arange(1, 37), np.arange(36, 0, -1), np.arange(2, 37, 2)),
    ],
)
@pytest.mark.parametrize("named", [False, True])
def test_the_numbered_axes_of_era5_are_read_by_number(tmp_path, numbers, named):
    """Axes are reversed, thinned, or half a circle, and have numbers or values. ERA5 has 24 directions, and ECMWF's
    forecasts 36."""
    counts = np.arange(1, 31)
    frequency, towards = 0.03453 * 1.1 ** (counts - 1.0), (numbers - 0.5) * (15 if numbers.max() <= 24 else 10)
    lobe = np.cos(np.radians(np.clip(towards - 90, -90, 90))) ** 8
    shape = np.exp(-((frequency - 0.1) ** 2) / 2e-4)[:, None] * lobe  # m²/Hz/radian
    expected = 4 * math.sqrt(np.trapezoid(shape.sum(axis=1) * np.radians(abs(towards[1] - towards[0])), frequency))
    axes = {"frequency": frequency if named else counts, "direction": towards if named else numbers}
    values = np.log10(np.where(shape > 1e-9, shape, np.nan))
    found = sums(era5(tmp_path / "era5.nc", values, **axes))
    assert found[0] == pytest.approx(expected, rel=1e-3)
    assert found[2] == pytest.approx(EAST, abs=1.0)


def test_forecasts_of_cfgrib_have_the_time_that_they_are_valid_for(tmp_path):
    values = np.full((30, 24), -9.0)
    values[10:12, 6] = 1.0
    names = {"directionNumber": np.arange(1, 25), "frequencyNumber": np.arange(1, 31)}
    axes = {name: (name, numbers, {"long_name": re.sub("N", " n", name)}) for name, numbers in names.items()}
    start, hours = np.array(["2024-01-15", "2024-01-16"], "M8[ns]"), np.timedelta64(6, "h")
    axes |= {
        "time": ("time", start, {"standard_name": "forecast_reference_time"}),
        "valid_time": ("time", start + hours),
    }
    sea = xarray.Dataset({"d2fd": (("time", *names), np.stack([values.T] * 2))}, axes)
    sea.to_netcdf(tmp_path / "sea.nc")
    record = of_record(tmp_path / "sea.nc", time=0)
    assert record.source == "2024-01-15T06:00"
    assert "understood" not in record.remark


def test_numbers_of_other_axes_of_ecmwf_are_remarked(tmp_path):
    """ERA-40 has 25 frequencies from another one on, and 12 directions."""
    axes = {"frequency": np.arange(1, 26), "direction": np.arange(1, 13)}
    values = np.where(np.arange(12) == 5, -2.0, -9.0) + np.zeros((25, 1))
    assert (
        unnamed(of_record(era5(tmp_path / "sea.nc", values, **axes)).remark, "frequencies 25 30 directions 12 24") == []
    )


def test_other_numbers_of_directions_of_ecmwf_are_refused(tmp_path):
    axes = {"frequency": np.arange(1, 31), "direction": np.arange(1, 49)}
    with pytest.raises(ValueError, match=naming("direction 1 48 indices")):
        file_spectrum(era5(tmp_path / "sea.nc", np.full((30, 48), -3.0), **axes))


# -- Texts -------------------------------------------------------------------------------------------------------------


def swan(path, stamps, timing="TIME\n 1\n", names=("a b", ""), factors=(1.0, 4.0)):
    """Write a file of SWAN with two locations, the second with four times the energy in Cartesian directions."""
    head = f"SWAN 1\n$ comment\n{timing}LOCATIONS\n 2\n" + "".join(f" {x} 0 {name}\n" for x, name in enumerate(names))
    head += f"RFREQ\n {len(FREQUENCY)}\n" + "".join(f" {f}\n" for f in FREQUENCY)
    head += f"CDIR\n {len(DEGREES)}\n" + "".join(f" {270 - degrees}\n" for degrees in DEGREES)
    head += "QUANT\n 1\nEnDens\nJ/m2/Hz/degr\n -0.9900E+02\n"
    values = np.rint(density() * 1025 * 9.81 / 1e-3).astype(int)
    block = "\n".join(" ".join(map(str, row)) for row in values)
    text = head
    for number, stamp in enumerate(stamps):
        text += stamp
        for factor in factors:
            text += f"FACTOR\n {factor * (number + 1) ** 2 * 1e-3:.6E}\n{block}\n" if factor else "NODATA\n"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("timing", "stamps", "time"),
    [
        ("TIME\n 1\n", ["20240115.120000\n", "20240115.130000\n"], "2024-01-15T13:00"),
        ("TIME\n 2\n", ["15-Jan-2024 12:00:00\n", "15-Jan-2024 13:00:00\n"], "2024-01-15T13:00"),
        ("TIME\n 1\n", ["20240115.120000\n", "20240115.120020\n"], "2024-01-15T12:00:20"),
        ("ITER\n 1\n", ["ITER 9\n", "ITER 10\n"], "iteration 10"),
    ],
)
def test_times_and_iterations_of_swan(tmp_path, timing, stamps, time):
    path = swan(tmp_path / "sea.spec", stamps, timing)
    assert sums(path)[0] == pytest.approx(2 * HEIGHT, rel=3e-3)
    assert sums(path, time=0, station=1) == pytest.approx((2 * HEIGHT, PERIOD, EAST), rel=3e-3)
    assert "x=1,y=0" in of_record(path, station=1).source
    assert time in of_record(path).source
    assert "a b" in of_record(path).source


SWAN_COLUMNS = (("NDIR", "degr", 270, -999), ("DSPRDEGR", "degr", 20, -9))


def swan_1d(
    path, density=("VaDens", "m2/Hz", 1.0), others=SWAN_COLUMNS, bins="RFREQ relative frequencies in Hz", time=""
):
    """Write a file of SWAN without directions, or with their means; the density is the last column."""
    factor = 2 * math.pi if "rad" in bins else 1
    head = f"{bins}\n {len(FREQUENCY)}\n" + "".join(f" {factor * f}\n" for f in FREQUENCY)
    head += f"QUANT\n {len(others) + 1}\n" + "".join(
        f"{name} in {unit}\n{unit} unit\n {mark}\n" for name, unit, _, mark in others
    )
    values = density[2] * density_1d()
    rows = "".join(" ".join(str(value) for _, _, value, _ in others) + f" {s}\n" for s in values)
    code, _, stamp = time.partition("|")
    start = "SWAN 1\n" + (f"TIME\n {code}\n" if time else "") + f"LOCATIONS\n 1\n 0 0\n{head}"
    path.write_text(f"{start}{density[0]}\n{density[1]} unit\n -99\n{stamp}\nLOCATION 1\n{rows}")
    return path


def density_1d():
    return density().sum(axis=1) * 10


@pytest.mark.parametrize(
    ("quantity", "bins"),
    [
        (("VaDens", "m2/Hz", 1.0), "RFREQ"),
        (("VADENS", "m2s", 1.0), "AFREQ absolute frequencies in Hz"),
        (("VaDens", "m2/rad/s", 0.5 / math.pi), "RFREQ relative frequencies in Hz"),
        (("VaDens", "m2 s/rad", 0.5 / math.pi), "AFREQ absolute frequencies in rad/s"),
        (("EnDens", "J/m2/Hz", 1025 * 9.81), "RFREQ"),
    ],
)
@pytest.mark.parametrize(
    "others", [SWAN_COLUMNS, (), (("CDIR", "rad", 0.0, -999), ("DSPR", "rad", 0.35, -9)), (("Swind", "m2", 0.0, -99),)]
)
def test_units_of_swan_without_directions_count(tmp_path, quantity, bins, others):
    path = swan_1d(tmp_path / "sea.spec", quantity, others, bins)
    has_directions = len(others) > 1
    assert sums(path) == pytest.approx((HEIGHT, PERIOD, EAST if has_directions else math.nan), rel=3e-3, nan_ok=True)
    assert "understood" not in of_record(path).remark


@pytest.mark.parametrize(
    ("quantity", "named"),
    [
        (("Hsig", "m", 1.0), "Hsig VaDens"),
        (("VaDens", "cm2/Hz", 1.0), "VaDens cm2/hz"),
        (("VaDens", "m2/Hz/degr", 1.0), "degr"),
    ],
)
def test_other_quantities_and_units_of_swan_are_refused_by_name(tmp_path, quantity, named):
    with pytest.raises(ValueError, match=naming(named)):
        file_spectrum(swan_1d(tmp_path / "sea.spec", quantity))


@pytest.mark.parametrize(
    "time",
    [
        "1|19870530.153000 time",
        "2|'30-May-87 15:30:00'",
        "3|05/30/87.15:30:00",
        "5|87/05/30 15:30:00 x",
        "6|8705301530",
    ],
)
def test_all_codes_of_times_of_swan_are_read(tmp_path, time):
    assert "1987-05-30T15:30:00" in of_record(swan_1d(tmp_path / "sea.spec", time=time)).source


def test_widths_and_powers_of_swan_spread_the_waves(tmp_path):
    """A width of 30 degrees is about the power of 1.65. Rows with marks take the spread of their neighbours."""
    width, power = ("DSPRDEGR", "degr", 30, -9), ("DSPRP", "-", math.radians(30) ** -2 - 2, -9)
    spreads = []
    for column in width, power:
        path = swan_1d(tmp_path / "sea.spec", others=(("NDIR", "degr", 270, -999), column))
        path.write_text(re.sub(r"^270 \S+ (?=0\.0\d)", "-999 -9 ", path.read_text(), flags=re.MULTILINE))
        assert sums(path)[::2] == pytest.approx((HEIGHT, EAST), rel=3e-3)
        record = of_record(path)
        assert "lacks directions at" in record.remark
        at_peak = record.density[record.over_frequency().argmax()]
        spreads.append(abs(at_peak @ np.exp(1j * np.radians(record.towards))) / at_peak.sum())
    assert spreads == pytest.approx([1 - math.radians(30) ** 2 / 2] * 2, rel=0.01)


def test_mean_directions_beyond_two_circles_are_missing(tmp_path):
    path = swan_1d(tmp_path / "sea.spec")
    path.write_text(
        re.sub(r"(?m)^270 20 (.*)$", lambda row: f"{270 if float(row[1]) < 0.9 else 999} 20 {row[1]}", path.read_text())
    )
    assert unnamed(of_record(path).remark, "lacks directions") == []
    assert sums(path)[2] == pytest.approx(EAST, abs=1)


def test_long_rows_of_swan_take_several_lines(tmp_path):
    path = swan(tmp_path / "sea.spec", ["20240115.120000\n"])
    lines = [line.replace(" ", "\n") if line.count(" ") > 30 else line for line in path.read_text().splitlines()]
    path.write_text("\n".join(lines))
    assert sums(path, station=1) == pytest.approx((2 * HEIGHT, PERIOD, EAST), rel=3e-3)


def test_test_points_of_swan_have_a_table_for_each_quantity(tmp_path):
    """Their densities come with source terms, and are marked as missing by 0, which they are not."""
    path = swan(tmp_path / "sea.s2d", ["ITER 9\n"], "ITER\n 1\n")
    text = path.read_text().replace("QUANT\n 1\n", "QUANT\n 2\n")
    text = text.replace(" -0.9900E+02\n", " 0.000000\nSwind wind source term\nm2/degr unit\n -9.000000\n")
    path.write_text(re.sub(r"(FACTOR[\d\s.E+-]*\n)", r"\1ZERO\n", text))
    assert sums(path)[::2] == pytest.approx((HEIGHT, EAST), rel=3e-3)
    assert sums(path, station=1)[0] == pytest.approx(2 * HEIGHT, rel=3e-3)
    assert len(of_record(path).stations) == 2


def test_a_location_without_data_keeps_its_number(tmp_path):
    path = swan(tmp_path / "sea.spec", ["20240115.120000\n"], factors=(0, 4.0))
    assert sums(path, station=1)[0] == pytest.approx(2 * HEIGHT, rel=3e-3)
    with pytest.raises(ValueError, match=naming("station 0 lacks values")):
        file_spectrum(path, station=0)


def test_times_of_wavewatch_have_all_points(tmp_path):
    text = (INPUTS / "ww3-two-points.spec").read_text()
    start = text.index("20240115 120000")
    (tmp_path / "two.spec").write_text(text + text[start:].replace("20240115 120000", "20240115 130000"))
    assert sums(tmp_path / "two.spec", station=1)[0] == pytest.approx(2 * HEIGHT, rel=3e-3)
    assert "P2" in of_record(tmp_path / "two.spec", station=1).source
    (tmp_path / "cut.spec").write_text(text[:-2000])
    assert unnamed(of_record(tmp_path / "cut.spec").remark, "ends too early 1") == []
    with pytest.raises(ValueError, match=naming("spectrum.station 1 one")):
        file_spectrum(tmp_path / "cut.spec", station=1)


def test_metres_of_a_grid_of_wavewatch_are_no_degrees(tmp_path):
    text = (INPUTS / "ww3-two-points.spec").read_text()
    (tmp_path / "sea.spec").write_text(re.sub(r"('P\d *') *\S+ +\S+", r"\1    36.8E3   122.4E3", text))
    assert "degrees" not in of_record(tmp_path / "sea.spec").source
    assert sums(tmp_path / "sea.spec")[::2] == pytest.approx((HEIGHT, EAST), rel=3e-3)


def test_numbers_of_fortran_are_read(tmp_path):
    text = (INPUTS / "ww3-two-points.spec").read_text()
    text = re.sub(r"('P\d *') +\S+ +\S+", r"\1  44.64-124.50", text)
    (tmp_path / "sea.spec").write_text(re.sub(r"(?<=\d)E(?=[-+]\d)", "D", text))
    assert sums(tmp_path / "sea.spec", station=1)[0] == pytest.approx(2 * HEIGHT, rel=3e-3)
    assert "44.64, -124.5" in of_record(tmp_path / "sea.spec", station=1).source


def test_the_height_tells_the_unit_of_an_awac(tmp_path):
    """Some firmwares write cm²/Hz. A height that fits neither unit is refused."""
    text = (INPUTS / "awac-48-bins.nmea").read_text()
    _head, values = next(line for line in text.splitlines() if line.startswith("$PNORE")).split(",48,")
    in_cm = ",".join(f"{1e4 * float(value):.3f}" for value in values.split("*")[0].split(","))
    (tmp_path / "cm.nmea").write_text(text.replace(values, f"{in_cm}*00"))
    assert sums(tmp_path / "cm.nmea")[0] == pytest.approx(HEIGHT, rel=3e-3)
    (tmp_path / "odd.nmea").write_text(text.replace(",1.057,", ",3.000,"))
    with pytest.raises(ValueError, match=naming("height 3 1.06")):
        file_spectrum(tmp_path / "odd.nmea")
    day = re.search(r"\d{6}(?=,\d{6})", text)[0]
    (tmp_path / "two.nmea").write_text(text.replace(",1.057,", ",-9.00,") + text.replace(day, day[:4] + "30"))
    assert sums(tmp_path / "two.nmea")[0] == pytest.approx(HEIGHT, rel=3e-3)
    with pytest.raises(ValueError, match=naming("height missing")):
        file_spectrum(tmp_path / "two.nmea", time=0)


def test_loggers_write_a_time_before_the_sentences_of_nortek(tmp_path):
    lines = (INPUTS / "awac-48-bins.nmea").read_text().splitlines()
    (tmp_path / "log.txt").write_text("".join(f"2024-01-15 12:00:01 {line}\n" for line in lines))
    assert sums(tmp_path / "log.txt") == pytest.approx((HEIGHT, PERIOD, EAST), rel=3e-3)


def test_newer_instruments_of_nortek_write_directions_and_widths(tmp_path):
    text = (INPUTS / "awac-48-bins.nmea").read_text()
    moment = re.search(r"\d{6},\d{6}", text)[0]
    means = "".join(
        f"$PNORWD,{kind},{moment},4,0.02,0.01,48,{','.join([value] * 48)}*00\n"
        for kind, value in (("MD", "270.00"), ("DS", "20.00"))
    )
    kept = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("$PNORF"))
    (tmp_path / "signature.nmea").write_text(kept + means)
    assert sums(tmp_path / "signature.nmea")[::2] == pytest.approx((HEIGHT, EAST), rel=3e-3)


def ndbc_rows(values, moment="2024 01 15 12 00"):
    return f"{moment} " + " ".join(map(str, values)) + "\n"


def yearly(frequency, *rows, head="#YY  MM DD hh mm"):
    return f"{head} " + " ".join(f"{f:.4f}" for f in frequency) + "\n" + "".join(rows)


def test_old_and_joined_files_of_ndbc(tmp_path):
    """Old files have years of two digits and no minutes; joined ones have a second header, here with fewer bins."""
    total = density().sum(axis=1) * 10
    old = yearly(FREQUENCY, ndbc_rows(total, "98 01 15 12"), head="YY MM DD hh")
    new = yearly(FREQUENCY[::2], ndbc_rows(4 * total[::2], "2024 01 15 12 00"))
    (tmp_path / "wind2019.txt").write_text(old + new)
    assert sums(tmp_path / "wind2019.txt", time=0)[0] == pytest.approx(HEIGHT, rel=3e-3)
    assert "1998-01-15" in of_record(tmp_path / "wind2019.txt", time=0).source
    assert sums(tmp_path / "wind2019.txt")[0] == pytest.approx(2 * HEIGHT, rel=0.02)
    for name in "wind2019.txt.gz", "wind2019.txt.GZ":
        with gzip.open(tmp_path / name, "wt") as stream:
            stream.write(old)
        assert sums(tmp_path / name)[0] == pytest.approx(HEIGHT, rel=3e-3)


def test_words_in_the_names_of_a_buoys_files_are_no_stations(tmp_path):
    values = {"total": density_1d(), "first": 270.0, "second": 270.0, "three": 0.9, "other": 0.7}
    for name, value in values.items():
        row = ndbc_rows(np.broadcast_to(value, FREQUENCY.shape))
        (tmp_path / f"{name}.txt").write_text(yearly(FREQUENCY, row))
    path = ",".join(str(tmp_path / f"{name}.txt") for name in values)
    assert sums(path)[::2] == pytest.approx((HEIGHT, EAST), rel=3e-3)


@pytest.mark.parametrize("scale", [1, 100])
def test_the_median_tells_fractions_from_hundredths(tmp_path, scale):
    """One mark among fractions, and one small value among hundredths, do not decide."""
    parts = {"w": density().sum(axis=1) * 10, "d": 270.0, "i": 270.0, "j": 0.8 * scale, "k": 0.5 * scale}
    paths = []
    for letter, values in parts.items():
        values = np.broadcast_to(values, FREQUENCY.shape).copy()
        values[-1] = {"j": 99.0 if scale == 1 else 1.0}.get(letter, values[-1])
        paths.append(tmp_path / f"41010{letter}2019.txt")
        paths[-1].write_text(yearly(FREQUENCY, ndbc_rows(values)))
    record = of_record(",".join(map(str, paths)))
    row = record.density[10] / record.density[10].sum()
    assert row @ np.exp(1j * np.radians(record.towards - 90)) == pytest.approx(0.8, abs=2e-3)
    assert row @ np.exp(2j * np.radians(record.towards - 90)) == pytest.approx(0.5, abs=4e-3)


@pytest.mark.parametrize(
    ("name", "named"),
    [("41010.swdir", "41010.swdir alpha1 density"), ("41010j2020.txt", "r1 density"), ("a.txt", "alpha2 density")],
)
def test_a_buoys_coefficients_are_no_densities(tmp_path, name, named):
    """The name of a file tells what it holds, or else its header."""
    row = "2024 01 15 12 40 270.0 (0.040) 270.0 (0.050)\n"
    (tmp_path / name).write_text(f"# a comment\n#YY  MM DD hh mm alpha2_1 (freq_1) alpha2_2 (freq_2) ... >\n{row}")
    with pytest.raises(ValueError, match=naming(named)):
        file_spectrum(tmp_path / name)


@pytest.mark.parametrize("value", [80.0, 20.0])
def test_values_of_directions_are_no_densities_whatever_their_name(tmp_path, value):
    (tmp_path / "mine.txt").write_text(yearly(FREQUENCY, ndbc_rows(np.full(len(FREQUENCY), value) + FREQUENCY)))
    with pytest.raises(ValueError, match=naming(f"half of its values {value + 0.225:.3g} directions r1")):
        file_spectrum(tmp_path / "mine.txt")


@pytest.mark.parametrize("names", ["41010{}2019.txt", "41010{}2019part.txt", "41010{}"])
def test_the_directions_beside_a_buoys_densities_are_read(tmp_path, names):
    kinds = [".data_spec", ".swdir", ".swdir2", ".swr1", ".swr2"] if "." not in names else "wdijk"
    for kind, values in zip(kinds, (density_1d(), 270.0, 270.0, 0.8, 0.5), strict=True):
        row = ndbc_rows(np.broadcast_to(values, FREQUENCY.shape))
        (tmp_path / names.format(kind)).write_text(yearly(FREQUENCY, row))
    first, *others = (tmp_path / names.format(kind) for kind in kinds)
    assert sums(first) == pytest.approx((HEIGHT, PERIOD, EAST), rel=3e-3)
    assert of_record(first, directional=False).remark == ""
    others[0].unlink()
    assert math.isnan(sums(first)[2])
    assert unnamed(of_record(first).remark, f"no directions {others[0].name} {others[3].name} beside") == []


@pytest.mark.parametrize(("shift", "found"), [(0.004, EAST), (0.4, math.nan)])
def test_five_files_have_an_order_and_take_the_nearest_bin(tmp_path, shift, found):
    paths = []
    for letter, values in {"w": density().sum(axis=1) * 10, "d": 270.0, "i": 270.0, "j": 0.8, "k": 0.5}.items():
        units = "#yr mo dy hr mn\n"
        bins = FREQUENCY if letter == "w" else FREQUENCY + shift
        paths.append(tmp_path / f"41010{letter}2019.txt")
        paths[-1].write_text(units + yearly(bins, units, ndbc_rows(np.broadcast_to(values, bins.shape))))
    assert sums(",".join(map(str, paths)))[2] == pytest.approx(found, abs=1.0, nan_ok=True)
    with pytest.raises(ValueError, match=naming("41010d2019.txt alpha1 density")):
        file_spectrum(",".join(map(str, paths[1:] + paths[:1])))


def cut_files():
    """Yield names and texts of files whose last row is still being written."""
    rows = [ndbc_rows(scale * density_1d(), f"2024 01 15 {hour} 00") for scale, hour in ((1, 12), (4, 13))]
    yield "41010w2019.txt", yearly(FREQUENCY, *rows)[:-40]
    head, *lines = (INPUTS / "ndbc-realtime-MM.data_spec").read_text().splitlines()
    first = next(line for line in lines if line.count("MM") < 3)
    later = first.replace(" 12 00 ", " 13 00 ").replace(" 11 00 ", " 13 00 ")
    yield "a.data_spec", "\n".join([head, first, ") ".join(later.split(") ")[:20]) + ")"])
    yield "b.data_spec", "\n".join([head, first, later[:-2]])
    head, first, *_ = (INPUTS / "spotter-blank-last-row.csv").read_text().splitlines()
    columns = head.split(",")
    cells = first.split(",")[: columns.index("varianceDensity_9")]
    cells[columns.index("Epoch Time")] = "1705323600"
    yield "c.csv", "\n".join([head, first, ",".join(cells)])


@pytest.mark.parametrize(("name", "text"), [*cut_files()])
def test_a_row_that_is_still_being_written_is_left_out(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    assert sums(tmp_path / name)[0] == pytest.approx(HEIGHT, rel=3e-3)
    assert unnamed(of_record(tmp_path / name).remark, "Incomplete left out 2024-01-15T13:00") == []


def test_a_row_of_a_spotter_may_lack_its_last_cells(tmp_path):
    head, first, *_ = (INPUTS / "spotter-blank-last-row.csv").read_text().splitlines()
    (tmp_path / "short.csv").write_text(f"{head}\n{first.rpartition(',')[0]}\n")
    assert sums(tmp_path / "short.csv")[::2] == pytest.approx((HEIGHT, EAST), rel=3e-3)


@pytest.mark.parametrize("marks", ["999.00", "9.999", "99.99", "9.999 MM"])
def test_a_row_of_marks_alone_is_no_spectrum(tmp_path, marks):
    first, last = marks.split()[0], marks.split()[-1]
    rows = ndbc_rows(density_1d()), ndbc_rows([first] * 30 + [last] * (len(FREQUENCY) - 30), "2024 01 15 13 00")
    (tmp_path / "41010w2024.txt").write_text(yearly(FREQUENCY, *rows))
    assert sums(tmp_path / "41010w2024.txt")[0] == pytest.approx(HEIGHT, rel=3e-3)


@pytest.mark.parametrize("mark", ["9.999", "99.99", "999.9", "99.00", "999.0", "9999"])
@pytest.mark.parametrize("kind", ["year", "real time", "table", "netcdf"])
def test_a_mark_within_a_row_is_a_missing_density(tmp_path, mark, kind):
    values = [f"{value:.4f}" for value in density_1d()]
    values[1] = mark
    path = tmp_path / f"sea.{'nc' if kind == 'netcdf' else 'txt'}"
    if kind == "netcdf":
        marked = density()
        marked[1] = float(mark)
        netcdf(path, marked.astype("f4"))
    elif kind == "table":
        path.write_text("".join(f"{f} {value}\n" for f, value in zip(FREQUENCY, values, strict=True)))
    elif kind == "year":
        path.write_text(yearly(FREQUENCY, ndbc_rows(values)))
    else:
        pairs = " ".join(f"{value} ({f:.3f})" for f, value in zip(FREQUENCY, values, strict=True))
        path.write_text(f"#YY  MM DD hh mm Sep_Freq  < spec_1 (freq_1) ... >\n2024 01 15 12 00 0.15 {pairs}\n")
    with pytest.raises(ValueError, match=naming("lacks values 0.06 Hz")):
        file_spectrum(path)


def test_a_density_of_a_table_may_equal_a_mark(tmp_path):
    values = 99.0 * density_1d() / density_1d().max()
    (tmp_path / "sea.txt").write_text("".join(f"{f} {value}\n" for f, value in zip(FREQUENCY, values, strict=True)))
    assert sums(tmp_path / "sea.txt")[1] == pytest.approx(PERIOD)


@pytest.mark.parametrize("netcdf_file", [False, True])
def test_bins_without_energy_do_not_tell_fractions_from_hundredths(tmp_path, netcdf_file):
    """Instruments write zeros there, in the most of the bins."""
    has_energy = density_1d() > 0.1 * density_1d().max()
    parts = [density_1d(), 270.0, 270.0, np.where(has_energy, 80.0, 0.0), np.where(has_energy, 50.0, 0.0)]
    rows = [np.broadcast_to(values, FREQUENCY.shape) for values in parts]
    path = tmp_path / "buoy.nc"
    if netcdf_file:
        names = "spectral_wave_density", "mean_wave_dir", "principal_wave_dir", "wave_spectrum_r1", "wave_spectrum_r2"
        sea = {name: ("frequency", row) for name, row in zip(names, rows, strict=True)}
        xarray.Dataset(sea, {"frequency": FREQUENCY}).to_netcdf(path)
    else:
        for letter, row in zip("wdijk", rows, strict=True):
            path = tmp_path / f"41010{letter}2019.txt"
            path.write_text(yearly(FREQUENCY, ndbc_rows(row)))
        path = tmp_path / "41010w2019.txt"
    assert has_energy.mean() < 0.5
    assert sums(path)[2] == pytest.approx(EAST, abs=1.0)
    assert of_record(path).remark == ""


def test_a_buoy_that_lacks_most_directions_is_not_said_to_have_none(tmp_path):
    for letter, value in zip("dijk", (999, 999, 99.0, 99.0), strict=True):
        (tmp_path / f"41010{letter}2019.txt").write_text(yearly(FREQUENCY, ndbc_rows([value] * len(FREQUENCY))))
    (tmp_path / "41010w2019.txt").write_text(yearly(FREQUENCY, ndbc_rows(density_1d())))
    assert unnamed(of_record(tmp_path / "41010w2019.txt").remark, "Most energy not used") == []


def test_other_columns_of_ndbc_are_named(tmp_path):
    (tmp_path / "46002c2016.txt").write_text("#YY  MM DD hh mm WDIR WSPD\n2016 01 01 00 00 136 7.3\n")
    with pytest.raises(ValueError, match=naming("WDIR WSPD frequencies")):
        file_spectrum(tmp_path / "46002c2016.txt")


def test_semicolons_and_decimal_commas_of_a_spotter_are_read(tmp_path):
    text = (INPUTS / "spotter-blank-last-row.csv").read_text().replace(",", ";").replace(".", ",")
    (tmp_path / "german.csv").write_text(text)
    assert sums(tmp_path / "german.csv")[::2] == pytest.approx((HEIGHT, EAST), rel=3e-3)


@pytest.mark.parametrize(
    ("unit", "factor"),
    [(" [m2/Hz/rad]", 180 / math.pi), (" [m2/Hz/deg]", 1.0), ("", 180 / math.pi), (None, 180 / math.pi)],
)
def test_units_and_first_direction_of_obscape_count(tmp_path, unit, factor):
    head = (
        f"# Timestamp = 1705320000\n# Columns [deg] = 5,15,25,... 355\n# Rows [Hz] = {','.join(map(str, FREQUENCY))}\n"
    )
    turned = (density() + np.roll(density(), -1, axis=1)) / 2 * factor
    rows = "\n".join(",".join(map(str, row)) for row in turned)
    said = "" if unit is None else f"# Variance-density{unit}\n"
    (tmp_path / "sea.csv").write_text(f"{head}{said}{rows}\n")
    assert sums(tmp_path / "sea.csv") == pytest.approx((HEIGHT, PERIOD, EAST), rel=3e-3)


@pytest.mark.parametrize(("declination", "turned"), [("", None), ("# Magnetic declination [deg] = -20\n", 20)])
def test_magnetic_directions_of_obscape_are_turned_or_refused(tmp_path, declination, turned):
    head = "# Directions = Magnetic North\n# Timestamp = 1705320000\n# Columns [deg] = 0,10,20,... 350\n"
    head += f"{declination}# Rows [Hz] = {','.join(map(str, FREQUENCY))}\n# Variance-density [m2/Hz/deg]\n"
    (tmp_path / "sea.csv").write_text(head + "\n".join(",".join(map(str, row)) for row in density()) + "\n")
    if turned is None:
        with pytest.raises(ValueError, match=naming("Magnetic North magnetic_declination")):
            file_spectrum(tmp_path / "sea.csv")
    else:
        assert sums(tmp_path / "sea.csv")[2] == pytest.approx(EAST - turned, abs=1.0)


def test_the_header_of_triaxys_says_where_it_is(tmp_path):
    path = triaxys(tmp_path)
    path.write_text(path.read_text().replace("REPORT", "REPORT - TAS00001 - TAB00001 - 4830.0000S16615.0000W", 1))
    assert of_record(path).source.startswith("TAS00001 at -48.5, -166.2 degrees")


@pytest.mark.parametrize("write", [datawell, awac])
def test_the_north_of_compasses_may_be_magnetic(tmp_path, write):
    path = write(tmp_path)
    assert unnamed(of_record(path).remark, "magnetic north true") == []
    assert "magnetic" not in of_record(path, directional=False).remark


def test_frequencies_of_triaxys_are_in_hertz_by_its_format(tmp_path):
    """Also of waves of 2 s, which a format without units would have to name."""
    path = triaxys(tmp_path)
    text = re.sub(r"(INITIAL FREQUENCY|FREQUENCY SPACING) \(Hz\) = 0.0([14])0?", r"\1 (Hz) = 0.\g<2>", path.read_text())
    head, rows = text.split("COLUMNS = DIRECTION\n")
    small = "\n".join(" ".join(f"{float(value) / 1e4:.6E}" for value in row.split()) for row in rows.splitlines())
    path.write_text(f"{head}COLUMNS = DIRECTION\n{small}\n")
    assert sums(path)[1] < 2


def test_magnetic_directions_of_triaxys_are_refused(tmp_path):
    path = triaxys(tmp_path)
    expected, text = sums(path), path.read_text()
    path.write_text(text.replace("COLUMNS = DIRECTION", "COLUMNS = DIRECTION\nCOORDINATES = TRUE", 1))
    assert sums(path) == pytest.approx(expected)
    path.write_text(text.replace("ROWS", "COORDINATES = MAGNETIC\nROWS", 1))
    with pytest.raises(ValueError, match=naming("COORDINATES MAGNETIC")):
        file_spectrum(path)


@pytest.mark.parametrize(
    ("name", "text", "format"),
    [
        ("a.txt", "2 2\n10 - PeakPeriod\nx\n", "funwave"),
        ("a.oct", "x\nnfreqs,3\n", "octopus"),
        ("a.nc", "CDF\1", "netcdf"),
    ],
)
def test_no_sentence_of_a_library_reaches_the_user(tmp_path, name, text, format):
    (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match=naming(f"{name} can't be read as {format} damaged")):
        file_spectrum(tmp_path / name)


def test_padded_columns_of_a_spotter_are_read(tmp_path):
    head, *rows = (INPUTS / "spotter-blank-last-row.csv").read_text().splitlines()
    (tmp_path / "padded.csv").write_text("\n".join([" ,".join(head.split(",")), *rows]))
    assert sums(tmp_path / "padded.csv")[0] == pytest.approx(HEIGHT, rel=3e-3)


def test_parts_of_a_spotter_may_be_null(tmp_path):
    text = json.loads((INPUTS / "spotter-newest-first.json").read_text())
    newer, older = text["data"]["frequencyData"]
    newer |= {"varianceDensity": None}
    older |= {"directionalSpread": None}
    text["data"]["frequencyData"].append(None)
    (tmp_path / "null.json").write_text(json.dumps(text))
    assert sums(tmp_path / "null.json")[:2] == pytest.approx((HEIGHT, PERIOD), rel=0.02)


@pytest.mark.parametrize("kept", [("a1", "b1"), ("a1", "b1", "direction")])
@pytest.mark.parametrize("write", ["json", "csv"])
def test_a_spotter_may_have_its_first_coefficients_alone(tmp_path, kept, write):
    """They say where waves go, counter-clockwise from the east: here to 120 degrees, with a width of 36 degrees."""
    n = len(FREQUENCY)
    text = json.loads((INPUTS / "spotter-newest-first.json").read_text())
    one = text["data"]["frequencyData"][0]
    one |= {"a1": [0.8 * math.cos(math.radians(-30))] * n, "b1": [0.8 * math.sin(math.radians(-30))] * n}
    one |= {"direction": [300.0] * n}
    columns = "frequency", "varianceDensity", *kept
    text["data"] = {"frequencyData": [{name: one[name] for name in ("timestamp", *columns)}]}
    path = tmp_path / f"sea.{write}"
    path.write_text(json.dumps(text))
    if write == "csv":
        cells = {f"{name.replace('frequency', 'f')}_{i}": one[name][i] for name in columns for i in range(n)}
        path.write_text(
            "\n".join(",".join(map(str, row)) for row in ([*cells], cells.values()))
            .replace("f_0", "Epoch Time,f_0", 1)
            .replace("\n", "\n1705320000,")
        )
    assert sums(path)[::2] == pytest.approx((2 * HEIGHT, 120), rel=0.01)
    record = of_record(path)
    share = record.density[5] / record.density[5].sum()
    assert abs(share @ np.exp(1j * np.radians(record.towards))) == pytest.approx(0.8, abs=0.01)
    one |= {"a1": [0.0] * n, "b1": [0.0] * n}
    text["data"] = {"frequencyData": [{name: one[name] for name in ("timestamp", *columns[:4])}]}
    path.with_suffix(".json").write_text(json.dumps(text))
    assert "directions" in of_record(path.with_suffix(".json")).remark


@pytest.mark.parametrize("stamp", ["2024-01-15 12:00:00", "2024-01-15T14:00:00+02:00", 1705320000, 1705320000000])
def test_times_of_a_spotter_are_utc(tmp_path, monkeypatch, stamp):
    """A time without a zone is UTC, wherever it is read; waves may be null, and the data a list."""
    monkeypatch.setenv("TZ", "America/Lima")
    time.tzset()
    text = json.loads((INPUTS / "spotter-newest-first.json").read_text())
    newer, older = text["data"]["frequencyData"]
    parts = [{"frequencyData": [older], "waves": None}, {"frequencyData": [newer | {"timestamp": stamp}]}]
    (tmp_path / "sea.json").write_text(json.dumps({"data": parts}))
    assert of_record(tmp_path / "sea.json").times == ("2024-01-15T11:00:00", "2024-01-15T12:00:00")
    monkeypatch.undo()
    time.tzset()


def test_directions_and_widths_in_radians_are_refused(tmp_path):
    """No sea of a buoy is narrower than 1.4 degrees at all its frequencies."""
    text = json.loads((INPUTS / "spotter-newest-first.json").read_text())
    for one in text["data"]["frequencyData"]:
        one |= {name: np.radians(one[name]).tolist() for name in ("direction", "directionalSpread")}
        one["directionalSpread"][0] = 2.4  # of a bin without energy
    (tmp_path / "sea.json").write_text(json.dumps(text))
    with pytest.raises(ValueError, match="radians"):
        file_spectrum(tmp_path / "sea.json")


def test_headers_of_a_spotter_may_come_again(tmp_path):
    head, row, *_ = (INPUTS / "spotter-blank-last-row.csv").read_text().splitlines()
    later = [
        cell if name != "Epoch Time" else str(float(cell) + 3600)
        for name, cell in zip(head.split(","), row.split(","), strict=True)
    ]
    (tmp_path / "joined.csv").write_text("\n".join([head, row, head, ",".join(later)]))
    record = of_record(tmp_path / "joined.csv")
    assert len(record.times) == 2
    assert "damaged" not in record.remark


def test_spectra_of_a_spotter_may_change_their_bins(tmp_path):
    text = json.loads((INPUTS / "spotter-newest-first.json").read_text())
    first = text["data"]["frequencyData"][0]
    for name, values in first.items():
        if isinstance(values, list):
            first[name] = values[:-4]
    text["data"]["waves"] = text["data"]["waves"] * 2
    (tmp_path / "changed.json").write_text(json.dumps(text))
    heights = [sums(tmp_path / "changed.json", time=time)[0] for time in (0, 1)]
    assert heights == pytest.approx([HEIGHT, 2 * HEIGHT], rel=0.01)


# -- What a file states ------------------------------------------------------------------------------------------------


def test_a_contradiction_between_statement_and_densities_is_a_warning():
    record = of_record(INPUTS / "spotter-newest-first.json")
    assert "SPOT-0000" in record.source
    assert "2024-01-15T12:00" in record.source
    assert "1.06" in record.remark
    assert "2.11" in record.remark
    agreed = of_record(INPUTS / "spotter-newest-first.json", time=0)
    assert agreed.remark == ""
    assert "Tp = 10 s" in agreed.source


@pytest.mark.parametrize(("stated", "differs"), [(9.4, True), (9.6, False), (10.4, False), (11.0, True), (12.0, True)])
def test_a_peak_period_that_differs_by_more_than_5_percent_is_a_warning(tmp_path, stated, differs):
    text = json.loads((INPUTS / "spotter-newest-first.json").read_text())
    text["data"]["waves"][0]["peakPeriod"] = stated
    (tmp_path / "buoy.json").write_text(json.dumps(text))
    assert (unnamed(of_record(tmp_path / "buoy.json", time=0).remark, f"Tp {stated:g} s 10 s") == []) == differs


def test_two_bins_that_are_almost_equally_high_have_two_peak_periods(tmp_path):
    values = np.exp(-1000 * (FREQUENCY - 0.105) ** 2)
    values[5] *= 0.98  # at 0.1 Hz
    lines = [f"{f},{value:.4f}" for f, value in zip(FREQUENCY, values, strict=True)]
    for stated, differs in ("10 s", False), ("9.1 s", False), ("8.2 s", True), ("11.2 s", True):
        (tmp_path / "sea.csv").write_text("\n".join([f"# Tp = {stated}", "f,S", *lines]))
        assert ("states" in of_record(tmp_path / "sea.csv").remark) == differs


@pytest.mark.parametrize(
    "later", [lambda moment: moment.replace(".000Z", "Z"), lambda moment: moment.replace(":00:", ":59:")]
)
def test_statements_of_a_spotter_belong_to_spectra_of_another_spelling_or_minute(tmp_path, later):
    text = json.loads((INPUTS / "spotter-newest-first.json").read_text())
    for wave in text["data"]["waves"]:
        wave["timestamp"] = later(wave["timestamp"])
    (tmp_path / "later.json").write_text(json.dumps(text))
    assert unnamed(of_record(tmp_path / "later.json").remark, "1.06 2.11") == []
    assert of_record(tmp_path / "later.json", time=0).remark == ""


def test_the_height_that_octopus_states_is_compared(tmp_path):
    path = octopus(tmp_path)
    assert of_record(path).remark == ""
    text = path.read_text()
    stated = re.search(r"Hs = ([\d.]+) m", of_record(path).source)[1]
    names, row = re.search(r"(.*HSig.*)\n(.*)", text).groups()
    cells = row.split(",")
    cells[names.split(",").index("HSig")] = str(2 * float(stated))
    path.write_text(text.replace(row, ",".join(cells)))
    assert unnamed(of_record(path).remark, f"{2 * float(stated):.3g} {stated}") == []
    path.write_text(2 * text)  # the library reads the first station alone
    with pytest.raises(ValueError, match=naming("stations nfreqs")):
        file_spectrum(path)


# -- Tables ------------------------------------------------------------------------------------------------------------


def pairs():
    return list(zip(FREQUENCY.tolist(), (density().sum(axis=1) * 10).tolist(), strict=True))


TABLES = {
    "plain.txt": lambda: "".join(f"{f} {s}\n" for f, s in pairs()),
    "comma.csv": lambda: "frequency,density\n" + "".join(f"{f},{s}\n" for f, s in pairs()),
    "swapped.csv": lambda: "S (m2/Hz),f (Hz)\n" + "".join(f"{s},{f}\n" for f, s in pairs()),
    "german.csv": lambda: "f;S\n" + "".join(f"{f};{s}\n".replace(".", ",") for f, s in pairs()),
    "columns.csv": lambda: "f,df,S,dir,spread\n" + "".join(f"{f},0.01,{s},270,25\n" for f, s in pairs()),
    "sp.txt": lambda: (
        "File Name: sp1\nHs(m): 1.06  Tp(s): 10.00\n\n freq  Band  energy Dmean\n  Hz  width  m*m/Hz  deg\n"
        + "".join(f" {f:.4f} 0.0100 {s:.4f} 270\n" for f, s in pairs())
    ),
    "r.csv": lambda: '"","f","S"\n' + "".join(f'"{i}",{f},{s}\n' for i, (f, s) in enumerate(pairs(), 1)),
    "tab.txt": lambda: "f\tS\n" + "".join(f"{f:.3e}\t{s:.5e}\n".replace(".", ",") for f, s in pairs()),
    "blank.csv": lambda: "f;dir;S\n" + "".join(f"{f};;{s}\n".replace(".", ",") for f, s in pairs()),
    "rows.txt": lambda: "\n".join(" ".join(f"{x:.6e}" for x in row) for row in zip(*pairs(), strict=True)),
    "comment.dat": lambda: "# made up\n# f [Hz]  S [m2/Hz]\n" + "".join(f"{f}\t{s:.6E}\n" for f, s in pairs()),
    "angular.csv": lambda: (
        "omega (rad/s),S (m2 s/rad)\n" + "".join(f"{2 * math.pi * f},{s / (2 * math.pi)}\n" for f, s in pairs())
    ),
    "fortran.txt": lambda: "".join(f"{f:.3E} {s:.6E}\n".replace("E", "D") for f, s in pairs()),
    "semicolon.csv": lambda: "# made up; by me\nf,S\n" + "".join(f"{f},{s}  # measured\n" for f, s in pairs()),
    "densities.json": lambda: json.dumps(
        {"frequencies": [f for f, _ in pairs()], "densities": [s for _, s in pairs()]}
    ),
    "keys.json": lambda: json.dumps(dict(pairs())),
    "lists.json": lambda: json.dumps({"frequency": [f for f, _ in pairs()], "energy_density": [s for _, s in pairs()]}),
    "rows.json": lambda: json.dumps([{"f": f, "S": s} for f, s in pairs()]),
    "pairs.json": lambda: json.dumps(pairs()),
    "two lists.json": lambda: json.dumps([*zip(*pairs(), strict=True)]),
    "nested.json": lambda: json.dumps({"station": "x", "spectrum": [{"f": f, "S": s} for f, s in pairs()]}),
    "deutsch.csv": lambda: "Frequenz [Hz];Energiedichte [m²/Hz]\n" + "".join(f"{f};{s}\n" for f, s in pairs()),
    "français.csv": lambda: "fréquence (Hz);densité (m²/Hz)\n" + "".join(f"{f};{s}\n" for f, s in pairs()),
    "trailing.csv": lambda: "f;S;\n" + "".join(f"{f};{s};\n".replace(".", ",") for f, s in pairs()),
    "quoted.csv": lambda: '"f","S"\n' + "".join(f'"{f}","{s}"\n'.replace(".", ",") for f, s in pairs()),
    "groups.json": lambda: json.dumps(
        {
            "frequency": {"units": "rad/s", "values": [2 * math.pi * f for f, _ in pairs()]},
            "density": {"units": "m2 s/rad", "values": [s / (2 * math.pi) for _, s in pairs()]},
        }
    ),
    "texts.json": lambda: json.dumps([{"f": str(f), "S": str(s)} for f, s in pairs()]),
    "columns.json": lambda: json.dumps({"columns": ["S", "f"], "data": [(s, f) for f, s in pairs()]}),
    "records.json": lambda: json.dumps({i: {"f": f, "S": s} for i, (f, s) in enumerate(pairs())}),
    "split.json": lambda: json.dumps({"columns": ["f", "S"], "index": [0, 1], "data": pairs()}),
    "list.json": lambda: json.dumps(
        [{"time": "2024-01-15"} | dict(zip("fS", zip(*pairs(), strict=True), strict=True))]
    ),
    "erddap.csv": lambda: (
        "time,station,frequency,energy_density\nUTC,,Hz,m2/Hz\n"
        + "".join(f"2024-01-15T12:00:00Z,K13,{f},{s}\n" for f, s in pairs())
    ),
    "words.csv": lambda: "buoy,time,f,S,note\n" + "".join(f"K13,12:00,{f},{s},good\n" for f, s in pairs()),
    "turned.csv": lambda: "\n".join(
        ",".join(map(str, row)) for row in zip(*[("f (Hz)", "S (m2/Hz)"), *pairs()], strict=True)
    ),
    "index.csv": lambda: ",2024-01-15 11:00\n" + "".join(f"{f},{s}\n" for f, s in pairs()),
    "fortran comments.txt": lambda: (
        "! made up\n! f [Hz]  S [m2/Hz]\n" + "".join(f"{f} {s}\n" for f, s in pairs()) + "! end\n"
    ),
    "words.json": lambda: json.dumps({"f": [0.01, *(f for f, _ in pairs())], "S": ["NaN", *(s for _, s in pairs())]}),
    "flags.json": lambda: json.dumps({"two_sided": False} | dict(zip("fS", zip(*pairs(), strict=True), strict=True))),
    "pipe.txt": lambda: "f [Hz] | S [m2/Hz]\n" + "".join(f"{f} | {s}\n" for f, s in pairs()),
    "model.txt": lambda: (
        " Time     : 2024/01/15 12:00:00 UTC\n depth    :  500.0   m\n\n      f     f/fp      F(f)    theta    spr\n"
        "     (Hz)    (-)     (m2s)    (deg)   (deg)\n  ----------------------------------\n"
        + "".join(f" {f:8.5f}  1.000 {s:11.3E}   270.0   30.0\n" for f, s in pairs())
    ),
    "pandas.json": lambda: json.dumps(
        {"f": {i: f for i, (f, _) in enumerate(pairs())}, "S": {i: s for i, (_, s) in enumerate(pairs())}}
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_of_frequency_and_density_is_read(tmp_path, name):
    (tmp_path / name).write_text(TABLES[name]())
    found = sums(tmp_path / name)
    assert found[:2] == pytest.approx((HEIGHT, PERIOD), rel=3e-3)
    assert math.isnan(found[2])


@pytest.mark.parametrize("name", ["ww3-two-points.spec", "spotter-blank-last-row.csv", "swan-1d.spec"])
def test_blank_lines_before_and_the_mark_of_dos_after_a_file_change_nothing(tmp_path, name):
    text = (INPUTS / name).read_text()
    (tmp_path / name).write_text(f"\n{text}\x1a")
    assert sums(tmp_path / name) == sums(INPUTS / name)


@pytest.mark.parametrize(
    ("encoding", "end"), [("utf-16", "\n"), ("utf-8-sig", "\r"), ("latin-1", "\r\n"), ("utf-16-be", "\n")]
)
def test_encodings_and_ends_of_lines_do_not_matter(tmp_path, encoding, end):
    text = ("\ufeff" if encoding == "utf-16-be" else "") + "# Messung für S [m²/Hz]\n" + TABLES["german.csv"]()
    (tmp_path / "sea.csv").write_bytes(text.replace("\n", end).encode(encoding))
    assert sums(tmp_path / "sea.csv")[0] == pytest.approx(HEIGHT, rel=3e-3)


def other(head, x=1.0, y=1.0):
    return f"{head}\n" + "".join(f"{x * f},{y * s}\n" for f, s in pairs())


@pytest.mark.parametrize(
    "head",
    [
        "# by radar\n" * 40 + "f,S",
        "# grade A",
        "# wave spectrum",
        "# mean spectrum",
        "# one-sided, not two-sided",
        "# not normalised",
        "# station DB, 24 degrees of freedom per bin, logarithmic steps",
        "f (Hz),spectral density (m2 per Hz)",
        "# 54.2 deg N, 7.5 deg E; direction 270 degrees; units: Hz, m2/Hz\nf,S",
        "frequency,density\nHz,m2/Hz",
        "f/Hz,S/(m2/Hz)",
        "f,S (m^2 s)",
        "Freq. (Hz),PSD (m²/Hz)",
        "Frequenz in Hz,Spektraldichte in m²/Hz",
        "Frequenza (Hz),Densità spettrale (m²/Hz)",
        "frecuencia (Hz),densidad de energía (m²/Hz)",
        "fréquence (Hz),densité spectrale de puissance (m²/Hz)",
        "# frequency in Hz, not rad/s\nf,S",
        "# peak frequency 0.628 rad/s\nf,S",
        "# f in Hz, S in m2/Hz, peak at 0.628 rad/s",
        "# converted from rad/s to Hz\nf,S",
        "# gyro_units: rad/s\nf,S",
        "# displacement noise 3 mm2/Hz\nf,S",
        "# surface elevation from pressure spectrum\nf,S",
        "# processing log (v2)\nf,S",
        "frequency_hz,spectral_density_m2_hz",
        *("Bin Center Frequency (Hz),Energy Density (m^2/Hz)", "waveFrequency,waveEnergyDensity", "f,S_eta"),
        *("f (Hz),C11 (m2/Hz)", "ν [Hz],surface elevation spectrum [m²/Hz]", "$f$ (Hz),$S_{\\eta}(f)$ (m$^2$/Hz)"),
        "sea_surface_wave_frequency,sea_surface_wave_variance_spectral_density",
    ],
)
def test_comments_and_units_of_a_table_in_hertz(tmp_path, head):
    (tmp_path / "sea.csv").write_text(other(head), encoding="utf-8")
    assert sums(tmp_path / "sea.csv")[:2] == pytest.approx((HEIGHT, PERIOD), rel=3e-3)


@pytest.mark.parametrize(
    "head",
    [
        "# units: rad/s, m2 s/rad\nfrequency,density",
        "% frequency rad/s",
        "# frequency in rad/s, density in m2 s/rad",
        "w,S",
        "# over omega\nomega,S",
        "ω,S(ω)",
        "f (rad/s),S (m²s/rad)",
        "omega,S\nrad/s,m2 s",
        "# f, S\n# rad/s, m2 s",
        "# f [rad/s], S",
        *("Kreisfrequenz (rad/s),S (m2s/rad)", "w,Sw", "ω (1/s),S (m2 s)", "angularFrequency,density"),
    ],
)
def test_the_header_of_the_frequency_says_that_it_is_angular(tmp_path, head):
    (tmp_path / "sea.csv").write_text(other(head, 2 * math.pi, 0.5 / math.pi), encoding="utf-8")
    assert sums(tmp_path / "sea.csv")[:2] == pytest.approx((HEIGHT, PERIOD), rel=3e-3)


@pytest.mark.parametrize(
    "units",
    [
        {"units": "rad/s"},
        {"frequency_units": "rad/s"},
        {"units": {"f": "rad/s", "S": "m2 s"}},
        {"comment": "frequency in rad/s"},
        {"metadata": {"f": "rad/s", "S": "m2 s/rad"}},
        {"info": {"frequency units": "rad/s"}},
        {"units": ["rad/s", "m2 s/rad"], "depth_units": "m"},
        {"notes": ["made up", "angular frequency in rad/s"]},
        {"units": {"ω": "rad/s"}},
    ],
)
@pytest.mark.parametrize("nested", [False, True])
def test_units_beside_the_lists_of_json_count(tmp_path, units, nested):
    lists = {"f": [2 * math.pi * f for f, _ in pairs()], "S": [s / 2 / math.pi for _, s in pairs()]}
    (tmp_path / "sea.json").write_text(json.dumps(units | ({"spectrum": lists} if nested else lists)))
    assert sums(tmp_path / "sea.json")[:2] == pytest.approx((HEIGHT, PERIOD), rel=3e-3)
    assert "ω" not in of_record(tmp_path / "sea.json").remark


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (lambda: other("T (s),S"), "T S"),
        (lambda: other("# T, S"), "T S"),
        (lambda: other('"frequency","amplitude"'), "frequency amplitude"),
        (lambda: "f,S_swell,S_sea\n0.1,1,2\n0.2,1,2\n", "f S_swell S_sea"),
        (lambda: "freq,dir,efth\n0.1,0,1\n0.1,90,2\n0.2,0,1\n0.2,90,2\n", "single density frequency"),
        (lambda: "f/dir,0,90,180,270\n" + "0.1,1,2,3,4\n" * 3, "single density frequency"),
        (lambda: "f,S,dir\n0.1,1,270\n0.2,2,270\n2,270\n", "2,270 columns 3"),
        (lambda: "0,90,180,270\n" + "0.1,1,2,3\n" * 3, "columns"),
        (lambda: json.dumps({"0.1": {"0": 1, "90": 2}, "0.2": {"0": 1, "90": 2}}), "single density frequency"),
        (lambda: json.dumps({"f": [0.1, 0.2, 0.3], "S": [[1, 2, 3]] * 2}), "f S lengths"),
        (lambda: other("Period,Energy"), "Period Energy"),
        (lambda: other("frequency,direction"), "frequency direction"),
        (lambda: other("frequency,Hs"), "frequency Hs"),
        (lambda: json.dumps([{"T": f, "S": s} for f, s in pairs()]), "T S"),
        (lambda: other("w (Hz),S"), "w Hz"),
        *((lambda head=head: other(head), head.replace(",", " ")) for head in ("f,S(w)", "f,S_w", "w,Sf", "f,Sw")),
        (lambda: other("f,wave power"), "wave power"),
        (lambda: other("f,S").replace("0.1,", "0,"), "0 Hz"),
        (lambda: by_time("2024-01-15 12:00").replace(",0.1,", ",,"), "column name"),
        (lambda: "f,S,note\n0.1,high,a\n0.2,1,b\n0.3,1,c\n", "high number"),
        (lambda: other("f,S,note"), "f,S,note 3 columns 2"),
        (lambda: other("0.01,0.1,0.2"), "0.01,0.1,0.2 3 2"),
        (lambda: other("f,S") + "total\n", "total row numbers"),
        (lambda: '{"f": [0.1, 0.2],\n"S": [1, 2],}', "JSON line 2"),
        *((lambda one=one: other(f"f,{one} (m2/Hz)"), one) for one in ("pressure", "surge", "upper", "model")),
        (lambda: json.dumps({"f": [0.1, 0.2], "S": [1, 2], "model": {"f": [0.1, 0.2], "S": [4, 8]}}), "station tables"),
        (lambda: other("f (mHz),S"), "mHz"),
        (lambda: other("f (1/min),S"), "1/min"),
        (lambda: other("f,S (m2/Hz/deg)"), "m2/Hz/deg"),
        (lambda: other("f,S (log10 m2/Hz)"), "log10"),
        (lambda: "# measured by buoy\n" * 40 + "0.1,2,3\n", "columns"),
        (lambda: other("f (Hz),S (m2/Hz/rad)"), "m2/Hz/rad"),
        (lambda: other("f,S (cm2/Hz)"), "cm2/Hz"),
        *((lambda unit=unit: other(f"f (Hz),S [{unit}]"), f"S {unit}") for unit in ("m2", "m", "m2/s", "m2 hz")),
        (lambda: other("# densities in cm^2/Hz\nf,S"), "cm2/hz"),
        (lambda: other("# energy in J/m2/Hz\nf,S"), "j/m2/hz"),
        (lambda: json.dumps({"units": ["Hz", "cm2/Hz"], "f": [0.1, 0.2], "S": [1, 2]}), "cm2/hz"),
        (lambda: other("f,S (m2 s/rad)"), "frequency f"),
        (lambda: "# S(omega) in m2 s, omega in rad/s\n0.4,0.2\n0.5,0.9\n0.7,0.3\n", "frequencies rise fall"),
        *((lambda mark=mark: other("f,S") + f"0.6,{mark}\n", "lacks values 0.6 Hz") for mark in ("", "NaN", "MM")),
        (lambda: other("f,E (J/m2/Hz)"), "J/m2/Hz"),
        (lambda: other("f,S") + "0.6,9999\n", "lacks values 0.6 Hz"),
        (lambda: json.dumps({"units": "rad/s", "spectrum": pairs()}), "units"),
        (lambda: json.dumps({"f": ["0.1", "0.2", "0.3"], "S": ["1", "", "1"]}), "lacks values 0.2 Hz"),
        *((lambda side=side: other(f"# {side} spectrum\nf,S"), side) for side in ("two-sided", "zweiseitiges")),
        *(
            (lambda said=said: other(f"# of {said}\nf,S"), said.lower())
            for said in (
                *("acceleration spectrum", "wavenumber spectrum", "normalised", "energy per bin", "normiertes"),
                *(
                    "encounter frequency",
                    "cumulative energy",
                    "height per band",
                    "Amplitudenspektrum",
                    "spectre d'amplitude",
                    "sqrt(Hz)",
                ),
            )
        ),
        (lambda: other("f (Hz),variance"), "variance bin"),
        (lambda: other("# frequency [Hz], amplitude [m]"), "amplitude [m]"),
        (lambda: other("f,S (ft2/Hz)"), "ft2/Hz"),
        (lambda: json.dumps({"f": [0.1, 0.2], "dir": [0, 90], "S": [[1, 2], [3, 4]]}), "single density frequency"),
        (lambda: json.dumps([{"time": "2024", "f": [0.1, 0.2], "S": [1, 2]}] * 2), "single density frequency"),
    ],
)
def test_tables_of_other_columns_or_units_are_refused_by_name(tmp_path, text, named):
    (tmp_path / "sea.txt").write_text(text())
    with pytest.raises(ValueError, match=naming(named)):
        file_spectrum(tmp_path / "sea.txt")


def test_columns_without_names_are_said_to_be_taken_for_hertz(tmp_path):
    """They may be periods, or in rad/s."""
    (tmp_path / "sea.csv").write_text(other(""))
    assert unnamed(of_record(tmp_path / "sea.csv").remark, "columns names Hz") == []
    (tmp_path / "sea.csv").write_text(other("f,S"))
    assert "columns" not in of_record(tmp_path / "sea.csv").remark


def test_times_without_a_length_are_numbers(tmp_path):
    times = {"time": ("time", [7.0], {"units": "months since 2000-01-01"}), "freq": FREQUENCY, "dir": DEGREES}
    xarray.Dataset({"efth": (("time", "freq", "dir"), density()[None])}, times).to_netcdf(tmp_path / "sea.nc")
    assert of_record(tmp_path / "sea.nc").source == "7.0"
    assert sums(tmp_path / "sea.nc")[::2] == pytest.approx((HEIGHT, EAST), rel=3e-3)


def test_an_axis_of_stations_names_them_by_number(tmp_path):
    """Numbers from 1 are no places in the list, and the source says which was taken."""
    axes = {"station": [2, 1], "freq": FREQUENCY, "dir": DEGREES}
    both = np.stack([density(), 4 * density()])
    xarray.Dataset({"efth": (("station", "freq", "dir"), both)}, axes).to_netcdf(tmp_path / "sea.nc")
    record = of_record(tmp_path / "sea.nc", station="1")
    assert record.stations == ("station=2", "station=1")
    assert record.source == "station=1"
    assert sums(tmp_path / "sea.nc", station="station=2")[0] == pytest.approx(HEIGHT, rel=3e-3)


def test_degrees_of_swan_leave_open_what_its_densities_are_per(tmp_path):
    """Its directions are in radians, and so its densities are per radian if they have no units."""
    path = netcdf(
        tmp_path / "sea.nc", density(), dims=("frequency", "direction"), name="density", axis={"units": "deg"}
    )
    with pytest.raises(ValueError, match=naming("direction degrees density units")):
        file_spectrum(path)


@pytest.mark.parametrize(
    ("variable", "key", "value"),
    [
        ("efth", "scale", 0.01),
        ("efth", "scaling_factor", "0.01"),
        ("freq", "long_name", "wave period"),
        ("freq", "long_name", "wavenumber"),
    ],
)
def test_factors_and_periods_that_no_convention_knows_are_quoted(tmp_path, variable, key, value):
    """CF has `scale_factor`, which is applied, and periods are no frequencies."""
    netcdf(tmp_path / "sea.nc", density())
    with xarray.open_dataset(tmp_path / "sea.nc") as found:
        changed = found.load()
    changed[variable].attrs[key] = value
    changed.to_netcdf(tmp_path / "sea.nc")
    assert f"{key} = {value}" in of_record(tmp_path / "sea.nc").remark


@pytest.mark.parametrize(
    "text",
    [
        *("0 = waves from north", "Einfallsrichtung", "provenance", "kommen aus", "coming from"),
        *("direction d'où viennent les vagues", "procedencia del oleaje", "direzione di provenienza"),
    ],
)
def test_words_say_that_waves_come_from_there_in_a_format_of_the_other_way(tmp_path, text):
    path = netcdf(tmp_path / "sea.nc", density(), dims=("frequency", "direction"), axis={"long_name": text})
    assert sums(path)[2] == pytest.approx(EAST, abs=0.1)


@pytest.mark.parametrize(
    "text",
    [
        "Directions are counter-clockwise from east.",
        "Directions are relative to magnetic north.",
        "Directions are where waves go to.",
        "Wind and wave directions are in the oceanographic convention (going to).",
        "Spectra on a Cartesian grid with 24 directions in 15 degree bins",
        "Directions are corrected for buoy heading.",
    ],
)
def test_a_sentence_about_the_file_is_quoted_and_turns_nothing(tmp_path, text):
    path = netcdf(tmp_path / "sea.nc", density(), comment=text, wind_direction_convention="to")
    assert sums(path)[2] == pytest.approx(EAST, abs=0.1)
    assert text.strip(".") in of_record(path).remark


def test_numbers_of_part_of_a_circle_are_assumed_to_be_of_24_and_remarked():
    assert "1 to 12" in of_record(INPUTS / "era5-directions-1-to-12.nc").remark
    assert "numbers of" not in of_record(INPUTS / "era5-directions-reversed.nc").remark


@pytest.mark.parametrize(
    "words", ["Vector mean wave direction", "corrected for buoy heading", "clockwise from true north towards east"]
)
def test_words_about_other_things_do_not_turn_directions(tmp_path, words):
    path = netcdf(tmp_path / "sea.nc", density(), axis={"long_name": words, "cell_methods": "time: mean (vector)"})
    assert sums(path)[2] == pytest.approx(EAST, abs=0.1)


@pytest.mark.parametrize("text", ["vers laquelle vont les vagues", "hacia donde se propagan", "verso cui", "wohin"])
def test_words_of_other_languages_say_where_waves_go(tmp_path, text):
    path = netcdf(tmp_path / "sea.nc", density(), (DEGREES + 180) % 360, axis={"long_name": text})
    assert sums(path)[2] == pytest.approx(EAST, abs=0.1)


@pytest.mark.parametrize(
    ("attrs", "factor"),
    [
        ({"units": "m2/Hz", "description": "directional density [m2/Hz/rad]"}, 180 / math.pi),
        ({"long_name": "E(f, theta) [m^2/Hz/deg]"}, 1.0),
        ({"unit": "m2 s rad-1"}, 180 / math.pi),
    ],
)
def test_units_may_stand_in_words(tmp_path, attrs, factor):
    path = netcdf(tmp_path / "sea.nc", factor * density(), attrs=attrs)
    assert sums(path)[::2] == pytest.approx((HEIGHT, EAST), rel=3e-3)


@pytest.mark.parametrize(
    "text",
    [
        *("density [cm2/Hz/deg]", "density (dB)", "log of density", "energy in each bin", "action density"),
        "base_ten_logarithm_of_variance_density",
    ],
)
def test_words_of_another_unit_or_quantity_are_refused(tmp_path, text):
    path = netcdf(tmp_path / "sea.nc", density(), attrs={"long_name": text})
    with pytest.raises(ValueError, match=r"'(cm2/hz/deg|db\)|log of|energy in each bin|action density|logarithm)'"):
        file_spectrum(path)


@pytest.mark.parametrize(
    "attrs",
    [
        {"long_name": "ordinary (not angular) frequency"},
        {"units": "Hz", "comment": "angular frequency = 2 pi f"},
        {"units": "second-1"},
    ],
)
def test_words_about_angular_frequencies_turn_no_hertz(tmp_path, attrs):
    netcdf(tmp_path / "sea.nc", density())
    with xarray.open_dataset(tmp_path / "sea.nc") as found:
        found.load()["freq"].attrs.update(attrs)
    found.to_netcdf(tmp_path / "sea.nc")
    assert sums(tmp_path / "sea.nc") == pytest.approx((HEIGHT, PERIOD, EAST), rel=3e-3)


@pytest.mark.parametrize("attrs", [{"description": "frequency [rad/s]"}, {"unit": "rad s-1"}])
def test_the_unit_of_frequencies_may_stand_in_words(tmp_path, attrs):
    netcdf(tmp_path / "sea.nc", density() / 2 / math.pi)
    with xarray.open_dataset(tmp_path / "sea.nc") as found:
        changed = found.load().assign_coords({"freq": ("freq", 2 * math.pi * FREQUENCY, attrs)})
    changed.to_netcdf(tmp_path / "sea.nc")
    assert sums(tmp_path / "sea.nc") == pytest.approx((HEIGHT, PERIOD, EAST), rel=3e-3)


def test_densities_of_two_sides_are_refused_in_netcdf_too(tmp_path):
    netcdf(tmp_path / "sea.nc", density(), attrs={"long_name": "two-sided density"})
    with pytest.raises(ValueError, match="two-sided"):
        file_spectrum(tmp_path / "sea.nc")


def test_directions_of_tables_are_not_used_and_the_remark_says_so(tmp_path):
    lists = {"f": FREQUENCY.tolist(), "S": density_1d().tolist(), "direction": [270.0] * len(FREQUENCY)}
    (tmp_path / "sea.json").write_text(json.dumps(lists))
    (tmp_path / "sea.csv").write_text("f,S,mean direction\n" + "".join(f"{f},{s},270\n" for f, s in pairs()))
    for ending in "json", "csv":
        record = of_record(tmp_path / f"sea.{ending}")
        assert record.towards is None
        assert unnamed(record.remark, "directions not used") == []


def test_what_a_table_states_is_compared(tmp_path):
    lists = {"f": FREQUENCY.tolist(), "S": density_1d().tolist()}
    (tmp_path / "sea.json").write_text(json.dumps({"Hs": 3.0, "Tp": 5} | lists))
    assert unnamed(of_record(tmp_path / "sea.json").remark, "3 1.06 5 10") == []
    for said in "Hs = 3.0 m", "Hm0 [m]: 3,0", "significant wave height = 3 m":
        (tmp_path / "sea.csv").write_text(other(f"# {said}\nf,S"))
        assert unnamed(of_record(tmp_path / "sea.csv").remark, "3 1.06") == []
    for said in "Hs = 106 cm", "Hs (mm): 1060", "Hs = 3.47 ft":
        (tmp_path / "sea.csv").write_text(other(f"# {said}\nf,S"))
        assert "states Hs = 1.06 m" in of_record(tmp_path / "sea.csv").source
        assert "states" not in of_record(tmp_path / "sea.csv").remark


@pytest.mark.parametrize(
    ("head", "stamp"),
    [
        ("year,month,day,hour,min,sec,milisec,dof", "2024,1,15,{},0,0,0,30"),
        ("time,Hs", "2024-01-15 {}:00,1.1"),
        ("date,time", "2024-01-15,{}:00"),
        ("time,date", "{}:00,2024-01-15"),
        ("date_time,epoch", "2024-01-15 {}:00,1"),
        ("station,time", "K13,2024/01/15 {}:00"),
        (",epoch_time", "0,20240115{}00"),
    ],
)
def test_rows_of_times_below_frequencies_are_spectra(tmp_path, head, stamp):
    """Read files such as Spotter's Szz.csv; other spectra with the same header lie beside it."""
    rows = [
        ",".join([stamp.format(hour), "0.0", *(f"{factor * s:.6g}" for _, s in pairs())])
        for hour, factor in ((12, 1), (13, 4))
    ]
    text = "\n".join([",".join([head, "0.0", *(f"{f}" for f, _ in pairs())]), *rows, "", rows[0][:60], rows[0][:6]])
    (tmp_path / "Szz.csv").write_text(text)
    assert sums(tmp_path / "Szz.csv")[:2] == pytest.approx((2 * HEIGHT, PERIOD), rel=3e-3)
    assert sums(tmp_path / "Szz.csv", time=0)[0] == pytest.approx(HEIGHT, rel=3e-3)
    assert of_record(tmp_path / "Szz.csv").times == ("2024-01-15T12:00", "2024-01-15T13:00")
    (tmp_path / "Sxx.csv").write_text(text)
    with pytest.raises(ValueError, match=naming("Sxx Szz")):
        file_spectrum(tmp_path / "Sxx.csv")


def by_time(*stamps, head="time"):
    """Return rows of times, each with the sea and double the height of the row before."""
    rows = [",".join([stamp, *(f"{4**i * s:.6g}" for _, s in pairs())]) for i, stamp in enumerate(stamps)]
    return "\n".join([",".join([head, *(f"{f}" for f, _ in pairs())]), *rows])


def test_rows_of_several_time_zones_are_in_order(tmp_path):
    (tmp_path / "sea.csv").write_text(by_time("2024-01-15T12:30:00Z", "2024-01-15T13:00:00+02:00"))
    assert of_record(tmp_path / "sea.csv").times == ("2024-01-15T11:00", "2024-01-15T12:30")
    assert sums(tmp_path / "sea.csv")[0] == pytest.approx(HEIGHT, rel=3e-3)
    (tmp_path / "sea.csv").write_text(by_time("15.01.2024 12:00"))
    with pytest.raises(ValueError, match=naming("15.01.2024 time")):
        file_spectrum(tmp_path / "sea.csv")


@pytest.mark.parametrize("layout", ["rows", "columns", "csv", "lists", "keys"])
def test_tables_of_several_times_hold_several_spectra(tmp_path, layout):
    """Databases write a row for each time and frequency; a spectrum without a time is an error."""
    hours, (f, s) = {"2024-01-15T12:00": 1, "2024-01-15T13:00": 4}, zip(*pairs(), strict=True)
    several = {time: {"f": f, "S": [factor * one for one in s]} for time, factor in hours.items()}
    heads, path = [f"f={one} Hz" for one in f], tmp_path / "sea.txt"
    path.write_text(
        {
            "rows": by_time(*hours).replace(by_time().strip(), ",".join(["time", *heads])),
            "columns": ",".join(["f", *hours]) + "\n" + "".join(f"{a},{b},{4 * b}\n" for a, b in pairs()),
            "csv": "time,f,S\n" + "".join(f"{t},{a},{k * b}\n" for t, k in hours.items() for a, b in pairs()),
            "lists": json.dumps({"data": [{"timestamp": time, **one} for time, one in several.items()]}),
            "keys": json.dumps({"K13": several}),
        }[layout]
    )
    assert of_record(path).times == (*hours,)
    for number, factor in (0, 1), (1, 2):
        assert sums(path, time=number)[:2] == pytest.approx((factor * HEIGHT, PERIOD), rel=3e-3)


def test_energy_without_a_unit_is_said_to_be_taken_for_a_density(tmp_path):
    (tmp_path / "sea.csv").write_text(other("f,energy"))
    assert unnamed(of_record(tmp_path / "sea.csv").remark, "energy unit m²/Hz") == []


def test_comments_above_rows_of_times_name_units(tmp_path):
    (tmp_path / "sea.csv").write_text(f"# frequencies in Hz\n{by_time('2024-01-15T12:00')}")
    assert sums(tmp_path / "sea.csv")[:2] == pytest.approx((HEIGHT, PERIOD), rel=3e-3)
    (tmp_path / "sea.csv").write_text(f"# frequencies in rad/s\n{by_time('2024-01-15T12:00')}")
    assert sums(tmp_path / "sea.csv")[:2] == pytest.approx((HEIGHT, 2 * math.pi * PERIOD), rel=3e-3)
    (tmp_path / "sea.csv").write_text(f"# two-sided\n{by_time('2024-01-15T12:00')}")
    with pytest.raises(ValueError, match=naming("two-sided")):
        file_spectrum(tmp_path / "sea.csv")


def test_coefficients_beside_the_spectra_of_a_spotter_are_said_to_be_unused(tmp_path):
    for name in "Szz", "a1":
        (tmp_path / f"{name}.csv").write_text(by_time("2024-01-15T12:00"))
    assert unnamed(of_record(tmp_path / "Szz.csv").remark, "a1 b2 not used") == []
    assert "a1" not in of_record(tmp_path / "Szz.csv", directional=False).remark


@pytest.mark.parametrize("start", [b"PK\3\4", b"\x1f\x8b", b"BZh91AY", b"\xd0\xcf\x11\xe0"])
def test_archives_and_workbooks_are_named(tmp_path, start):
    (tmp_path / "sea.csv").write_bytes(start + other("f,S").encode())
    with pytest.raises(ValueError, match=naming("archive CSV .gz")):
        file_spectrum(tmp_path / "sea.csv")


def test_the_name_of_a_file_may_have_commas(tmp_path):
    (tmp_path / "sea, January.csv").write_text(other("f,S"))
    assert sums(tmp_path / "sea, January.csv")[0] == pytest.approx(HEIGHT, rel=3e-3)


def test_units_per_degree_without_directions_are_refused_with_a_remedy(tmp_path):
    """wavespectra's `oned` keeps the units of the directional density; sums without a step have another height."""
    total = xarray.DataArray(density().sum(axis=1) * 10, {"freq": FREQUENCY}, name="efth")
    total.assign_attrs(units="m2 s degree-1").to_netcdf(tmp_path / "sea.nc")
    with pytest.raises(ValueError, match=naming("degree-1 m2/Hz")):
        file_spectrum(tmp_path / "sea.nc")


# -- What no reader knows ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variable", "key", "value"),
    [
        *(("dir", "long_name", text) for text in ("bearing of the crest", "Laufrichtung", "направление", "port side")),
        *(("dir", key, value) for key, value in (("rotated_by", 50.0), ("units", "deg*10"), ("frame", "vessel"))),
        *(("efth", key, value) for key, value in (("gain", 0.1), ("comment", "divide by 9"), ("long_name", "E/2"))),
        *(("freq", "long_name", text) for text in ("frequency / peak frequency", "frequency, shifted", "wave time")),
        *(("", key, value) for key, value in (("wave_angles", "from x"), ("comment", "Densities are scaled"))),
    ],
)
def test_what_attributes_say_in_words_that_are_not_known_is_quoted(tmp_path, variable, key, value):
    path = netcdf(
        tmp_path / "sea.nc", density(), attrs={"units": "m2/Hz/deg"}, axis={"standard_name": "from_direction"}
    )
    with xarray.open_dataset(path) as found:
        found.load()
    assert of_record(path).remark == ""
    (found[variable] if variable else found).attrs[key] = value
    found.to_netcdf(path)
    assert f"{key} = {value}" in of_record(path).remark


@pytest.mark.parametrize(
    ("name", "attrs"),
    [
        ("efth", {"long_name": "sea surface wave directional variance spectral density", "valid_max": 1e20}),
        ("efth", {"units": "m2 s degree-1", "content": "TXYZ", "associates": "time station frequency direction"}),
        ("freq", {"long_name": "frequency of center band", "globwave_name": "frequency", "units": "s-1", "axis": "Y"}),
        ("freq", {"long_name": "band center frequency", "units": "hertz", "bounds": "waveFrequencyBounds"}),
        ("dir", {"long_name": "sea surface wave from direction", "units": "degree_true", "valid_max": 360.0}),
        ("dir", {"long_name": "Mean wave from direction, 0 = north, 90 = east, clockwise from true north"}),
        ("", {"title": "Waves at Harvest, CA", "Conventions": "CF-1.6", "summary": "Wave direction and wave period."}),
    ],
)
def test_attributes_of_ordinary_files_are_understood(tmp_path, name, attrs):
    path = netcdf(
        tmp_path / "sea.nc", density(), attrs={"units": "m2/Hz/deg"}, axis={"standard_name": "from_direction"}
    )
    with xarray.open_dataset(path) as found:
        found.load()
    (found[name] if name else found).attrs.update(attrs)
    found.to_netcdf(path)
    assert of_record(path).remark == ""


def test_a_file_without_units_or_a_way_is_said_to_have_none(tmp_path):
    remark = of_record(netcdf(tmp_path / "sea.nc", density())).remark
    assert unnamed(remark, "efth no units Hz degree dir come from go to") == []


@pytest.mark.parametrize("units", ["1", "%", "-", "?"])
def test_units_of_no_density_are_refused(tmp_path, units):
    with pytest.raises(ValueError, match=re.escape(f"efth has the units {units!r}")):
        file_spectrum(netcdf(tmp_path / "sea.nc", density(), attrs={"units": units}))


def test_an_axis_that_is_not_known_is_named(tmp_path):
    assert "axis quantile" in of_record(several(tmp_path / "sea.nc", [1.0, 2.0], "quantile", [0.5, 0.9])).remark
    assert "axis site" not in of_record(several(tmp_path / "sea.nc", [1.0, 2.0], "site", [1, 2])).remark


def test_records_without_a_time_are_left_out(tmp_path):
    dates = np.array(["2024-01-15T12", "NaT"], "M8[ns]")
    record = of_record(path := several(tmp_path / "sea.nc", [1.0, 3.0], "time", dates))
    assert record.times == ("2024-01-15T12:00",)
    assert sums(path)[0] == pytest.approx(HEIGHT, rel=3e-3)


def test_a_sector_in_fractions_of_a_degree_is_read_if_it_has_units(tmp_path):
    sector = np.arange(268.0, 272.1, 0.5)
    values = np.tile(density_1d()[:, None] / 4.5, len(sector))
    path = netcdf(tmp_path / "sea.nc", values, sector, axis={"units": "degree"}, attrs={"units": "m2/Hz/deg"})
    assert sums(path) == pytest.approx((HEIGHT, PERIOD, EAST), rel=3e-3)
    with pytest.raises(ValueError, match=naming("dir 0 11 indices add direction 180")):
        file_spectrum(netcdf(tmp_path / "sea.nc", density()[:, ::3], np.arange(12)))
    padded = np.pad(density()[:, :12], ((0, 0), (0, 1)))
    assert len(of_record(netcdf(tmp_path / "sea.nc", padded, [*range(12), 180])).towards) > 12


def test_stated_heights_have_units(tmp_path):
    path = netcdf(tmp_path / "sea.nc", density())
    with xarray.open_dataset(path) as found:
        found.load()
    for units, said in ("cm", "Hs = 1.06 m"), ("furlong", ""):
        found.assign(hs=((), 100 * HEIGHT, {"units": units})).to_netcdf(path)
        assert said in of_record(path).source
        assert "states" not in of_record(path).remark


def test_densities_far_above_all_beside_them_are_remarked(tmp_path):
    marked = density()
    marked[1, 20] = 88.0
    assert unnamed(of_record(netcdf(tmp_path / "sea.nc", marked)).remark, "0.06 Hz 200 degrees missing") == []
    values = density_1d()
    values[[2, 3, 30]] = 77.7
    (tmp_path / "sea.csv").write_text("f,S\n" + "".join(f"{f},{s}\n" for f, s in zip(FREQUENCY, values, strict=True)))
    assert unnamed(of_record(tmp_path / "sea.csv").remark, "0.07 0.08 0.35 Hz missing") == []


def test_era5_has_densities_per_radian(tmp_path):
    values = np.full((30, 24), -9.0)
    era5(tmp_path / "sea.nc", values, frequency=np.arange(1, 31), direction=np.arange(1, 25))
    with xarray.open_dataset(tmp_path / "sea.nc", decode_times=False) as found:
        found.load()
    for units in "m2 s degree-1", "ln(m2 s rad-1)":
        found["d2fd"].attrs["units"] = units
        found.to_netcdf(tmp_path / "sea.nc")
        with pytest.raises(ValueError, match=naming(f"d2fd units {units[:2]}")):
            file_spectrum(tmp_path / "sea.nc")


def test_two_files_of_swan_in_one_are_refused(tmp_path):
    path = swan(tmp_path / "sea.spec", ["20240115.120000\n"])
    path.write_text(path.read_text() * 2)
    with pytest.raises(ValueError, match=naming("two files SWAN")):
        file_spectrum(path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("CDIR", "CDIR nautical directions"),
        ("EnDens", "EnDens multiplied"),
        ("RFREQ", "RFREQ encounter frequencies"),
        ("$ comment", "$ densities are scaled"),
    ],
)
def test_what_swan_says_in_words_that_are_not_known_is_quoted(tmp_path, old, new):
    path = swan(tmp_path / "sea.spec", ["20240115.120000\n"])
    assert of_record(path).remark == ""
    path.write_text(path.read_text().replace(old, new))
    assert new.split()[-1].lower() in of_record(path).remark.lower()


def test_a_circle_in_radians_is_no_sector(tmp_path):
    path = swan(tmp_path / "sea.spec", ["20240115.120000\n"])
    text = re.sub(
        r"(?<=CDIR\n 36\n)(.*\n){36}", "".join(f" {math.radians(one)}\n" for one in DEGREES), path.read_text()
    )
    path.write_text(text)
    with pytest.raises(ValueError, match=naming("directions 6.11 radians")):
        file_spectrum(path)


@pytest.mark.parametrize("line", ["#yr mo dy hr mn cm^2/Hz", "# local time"])
def test_headers_of_buoys_that_are_not_known_are_quoted(tmp_path, line):
    path = tmp_path / "41010w2019.txt"
    path.write_text(f"{line}\n{yearly(FREQUENCY, ndbc_rows(density_1d()))}")
    assert line in of_record(path).remark
    path.write_text(f"{yearly(FREQUENCY, '#yr  mo dy hr mn', chr(10), ndbc_rows(density_1d()))}")
    assert "understood" not in of_record(path).remark


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("ROWS = FREQUENCY, COLUMNS = DIRECTION", "ROWS = DIRECTION, COLUMNS = FREQUENCY"),
        ("12:00(UTC)", "12:00(LST)"),
        ("VERSION", "COORDINATES = GRID\nVERSION"),
    ],
)
def test_headers_of_triaxys_that_are_not_known_are_quoted(tmp_path, old, new):
    path = triaxys(tmp_path)
    assert of_record(path).remark == ""
    path.write_text(path.read_text().replace(old, new))
    assert new.partition("\n")[0] in of_record(path).remark


def test_other_keys_of_a_spotter_are_quoted(tmp_path):
    document = json.loads((INPUTS / "spotter-newest-first.json").read_text())
    part = document.get("data", document)
    for one in part["frequencyData"]:
        one["scale"] = 0.1
    part["directionReference"] = "ship"
    (tmp_path / "sea.json").write_text(json.dumps(document))
    assert unnamed(of_record(tmp_path / "sea.json").remark, "scale: 0.1 Reference: ship") == []


@pytest.mark.parametrize(
    "said",
    [
        *("x 10", "values per bin", "pressure", "local time", "all angles in rad", "in rad", "per degree"),
        *("over angular frequency", "Kreisfrequenz", "pulsation", "wind speed spectrum", "1/3 octave bands", "in feet"),
    ],
)
def test_comments_of_tables_about_numbers_are_quoted(tmp_path, said):
    for text in f"# {said}\n{other('f,S (m2/Hz)')}", f"# {said}\n{by_time('2024-01-15T12:00')}":
        (tmp_path / "sea.csv").write_text(text)
        assert said in of_record(tmp_path / "sea.csv").remark


def test_other_comments_of_tables_are_shown(tmp_path):
    (tmp_path / "sea.csv").write_text(other("# made up by hand\nf,S"))
    assert "made up by hand" in of_record(tmp_path / "sea.csv").source
    assert "understood" not in of_record(tmp_path / "sea.csv").remark


def test_numbers_and_columns_beside_a_table_that_are_not_used_are_named(tmp_path):
    lists = {"f": FREQUENCY.tolist(), "S": density_1d().tolist(), "depth": 20.0}
    for key, value in ("gain", 0.1), ("kind", "acceleration"), ("weights", [0.1] * len(FREQUENCY)):
        (tmp_path / "sea.json").write_text(json.dumps({key: value} | lists))
        assert key in of_record(tmp_path / "sea.json").remark
        assert "depth" not in of_record(tmp_path / "sea.json").remark
    (tmp_path / "sea.csv").write_text("f,S,weight\n" + "".join(f"{f},{s},0.1\n" for f, s in pairs()))
    assert unnamed(of_record(tmp_path / "sea.csv").remark, "columns weight not used") == []


def test_times_of_another_zone_in_a_header_are_quoted(tmp_path):
    (tmp_path / "sea.csv").write_text(by_time("2024-01-15T12:00", head="time (PST)"))
    assert "time (PST)" in of_record(tmp_path / "sea.csv").remark


@pytest.mark.parametrize("head", ["Частота (Гц),Плотность (м2/Гц)", "周波数,スペクトル密度"])
def test_headers_in_languages_that_are_not_known_are_refused(tmp_path, head):
    (tmp_path / "sea.csv").write_text(other(head), "utf-8")
    with pytest.raises(ValueError, match=rf"columns '{head[:3]}"):
        file_spectrum(tmp_path / "sea.csv")


def test_widths_beyond_a_circle_are_refused(tmp_path):
    sea = {"ef": ("frequency", density_1d(), {"units": "m2 s"}), "th1m": ("frequency", np.full(len(FREQUENCY), 270.0))}
    for units in "rad", "%":
        sea["sth1m"] = "frequency", np.full(len(FREQUENCY), 25.0), {"units": units}
        xarray.Dataset(sea, {"frequency": FREQUENCY}).to_netcdf(tmp_path / "ww3.nc")
        with pytest.raises(ValueError, match="widths"):
            file_spectrum(tmp_path / "ww3.nc")


@pytest.mark.parametrize("name", ["efth_scale", "density_factor", "direction_offset", "declination", "ship_heading"])
def test_variables_that_may_change_the_sea_are_named(tmp_path, name):
    path = netcdf(tmp_path / "sea.nc", density())
    with xarray.open_dataset(path) as found:
        found.load()
    found.assign({name: 0.1, "wspd": 10.0}).to_netcdf(path)
    assert unnamed(of_record(path).remark, f"variables {name} not used") == []
    assert "wspd" not in of_record(path).remark


@pytest.mark.parametrize(
    ("station", "mean", "named"), [("46026", 270.0, "41010 46026"), ("41010", 4.71, "4.71 radians")]
)
def test_directions_of_another_station_or_in_radians_are_refused(tmp_path, station, mean, named):
    parts = (("41010w", density_1d()), *((f"{station}{kind}", mean) for kind in "di"), ("41010j", 0.8), ("41010k", 0.5))
    paths = [tmp_path / f"{name}2019.txt" for name, _ in parts]
    for path, (_, values) in zip(paths, parts, strict=True):
        path.write_text(yearly(FREQUENCY, ndbc_rows(np.broadcast_to(values, FREQUENCY.shape))))
    with pytest.raises(ValueError, match=naming(named)):
        file_spectrum(",".join(map(str, paths)))


def test_comments_behind_rows_are_quoted(tmp_path):
    (tmp_path / "sea.csv").write_text("f,S\n" + "".join(f"{f},{s} # x 9\n" for f, s in pairs()))
    assert "x 9" in of_record(tmp_path / "sea.csv").remark


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [("SPACING (Hz)", "SPACING (rad/s)", "FREQUENCY SPACING (Hz)"), ("FREQUENCIES = 4", "FREQUENCIES = 5", "46 56")],
)
def test_headers_of_triaxys_that_do_not_fit_are_refused(tmp_path, old, new, named):
    path = triaxys(tmp_path)
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(ValueError, match=naming(named)):
        of_record(path)


@pytest.mark.parametrize("kind", ["MEAN DIRECTIONAL SPECTRUM", "MEAN DIRECTION"])
def test_mean_directions_of_triaxys_are_read(tmp_path, kind):
    head = f"TRIAXYS BUOY DATA REPORT - T\nTYPE    = {kind}\nDATE    = 2019-01-01 00:00(UTC)\n"
    head += f"NUMBER OF FREQUENCIES = {len(FREQUENCY)}\nCOLUMN 1 = FREQUENCY (Hz)\n"
    (tmp_path / "buoy.MEANDIR").write_text(head + "".join(f"{f} {s} 270.0 25.0\n" for f, s in pairs()))
    assert sums(tmp_path / "buoy.MEANDIR") == pytest.approx((HEIGHT, PERIOD, EAST), rel=3e-3)


def test_spectra_of_triaxys_without_directions_are_read(tmp_path):
    head = "TRIAXYS BUOY DATA REPORT - T\nTYPE    = NON-DIRECTIONAL SPECTRUM\nDATE    = 2019 Jan 01 00:00(UTC)\n"
    head += f"NUMBER OF FREQUENCIES = {len(FREQUENCY)}\nINITIAL FREQUENCY (Hz) = 0.05\nFREQUENCY SPACING (Hz) = 0.01\n"
    head += "COLUMN 1 = FREQUENCY (Hz)\nCOLUMN 2 = SPECTRAL DENSITY (M^2/Hz)\n"
    (tmp_path / "buoy.NONDIRSPEC").write_text(head + "".join(f"{f} {s}\n" for f, s in pairs()))
    assert sums(tmp_path / "buoy.NONDIRSPEC")[:2] == pytest.approx((HEIGHT, PERIOD), rel=3e-3)
    assert "understood" not in of_record(tmp_path / "buoy.NONDIRSPEC").remark


def test_frequencies_called_angular_in_hertz_are_refused(tmp_path):
    path = netcdf(tmp_path / "sea.nc", density())
    with xarray.open_dataset(path) as found:
        found.load()
    found["freq"].attrs = {"units": "Hz", "long_name": "angular frequency"}
    found.to_netcdf(path)
    with pytest.raises(ValueError, match=naming("freq hz angular")):
        file_spectrum(path)


@pytest.mark.parametrize(
    "head",
    [
        "# Peak period: 10 s\n# Mean period Tm02 = 7.2 s\nf,S",
        "# Number of frequencies: 36\n# one-sided spectral density\n# Sampling rate 1.28 Hz\nf,S",
        "# frequency in Hz, density in m2/Hz\nf,S",
        "# Mean direction: 240 deg\n# Frequencies are band centres\nf,S",
    ],
)
def test_ordinary_comments_of_tables_are_understood(tmp_path, head):
    (tmp_path / "sea.csv").write_text(other(head))
    assert sums(tmp_path / "sea.csv")[0] == pytest.approx(HEIGHT, rel=3e-3)
    assert "understood" not in of_record(tmp_path / "sea.csv").remark


def test_json_may_have_a_group_that_describes_the_spectrum(tmp_path):
    lists = {"frequency": FREQUENCY.tolist(), "energy": density_1d().tolist()}
    about = {"name": "Buoy A", "version": 1, "time": "2024-01-15T12:00:00Z"}
    (tmp_path / "sea.json").write_text(json.dumps({"metadata": about, "spectrum": lists}))
    assert sums(tmp_path / "sea.json")[0] == pytest.approx(HEIGHT, rel=3e-3)
    assert "understood" not in of_record(tmp_path / "sea.json").remark


@pytest.mark.parametrize(
    ("write", "old", "new"),
    [
        (funwave, "- Freq", "- Freq (rad/s)"),
        (funwave_new, "- PeakPeriod", "- PeakPeriod, amplitudes in cm"),
        (spotter_csv, "Battery Voltage (V)", "Scale Factor"),
        (lambda folder: swan(folder / "sea.spec", ["20240115.120000 date and time\n"]), "date and time", "LST"),
    ],
)
def test_words_beside_numbers_that_are_not_known_are_quoted(tmp_path, write, old, new):
    path = write(tmp_path)
    assert "understood" not in of_record(path).remark
    path.write_text(path.read_text().replace(old, new))
    assert new.removeprefix("- ") in of_record(path).remark


def test_times_of_a_spotter_that_are_no_seconds_are_refused(tmp_path):
    path = spotter_csv(tmp_path)
    path.write_text(path.read_text().replace("1705320000", "45306.5"))
    with pytest.raises(ValueError, match=naming("45306.5 seconds milliseconds 1970")):
        file_spectrum(path)


def test_dates_of_wavewatch_have_four_digits_of_the_year(tmp_path):
    text = (INPUTS / "ww3-two-points.spec").read_text()
    (tmp_path / "sea.spec").write_text(text.replace("20240115 120000", "240115 120000"))
    with pytest.raises(ValueError, match=naming("240115 date")):
        file_spectrum(tmp_path / "sea.spec")


def test_ordinary_headers_of_text_files_are_understood(tmp_path):
    head = "YYYY MM DD hh   " + "   ".join(f"{f:.3f}".removeprefix("0") for f in FREQUENCY)
    (tmp_path / "44004w2000.txt").write_text(f"{head}\n{ndbc_rows(density_1d(), '2000 01 15 12')}")
    spotter, buoy = spotter_csv(tmp_path), triaxys(tmp_path)
    columns = spotter.read_text().replace("Battery Voltage (V)", "Power (W)")
    spotter.write_text(columns.replace("Longitude", "Partition0 Start Frequency (hz)", 1).replace("\n", ",0\n", 1))
    buoy.write_text(buoy.read_text().replace("ROWS", "NUMBER OF RESOLVABLE FREQUENCIES   =      34\nROWS"))
    for path in tmp_path / "44004w2000.txt", spotter, buoy:
        assert "understood" not in of_record(path).remark


def test_units_that_wwm_does_not_know_are_none(tmp_path):
    with xarray.open_dataset(wwm(tmp_path)) as found:
        found.load()
    found["AC"].attrs = {"units": "unk", "full-name": "spectral energy density"}
    found["SPSIG"].attrs = {"units": "list of wave frequencies"}
    found["SPDIR"].attrs = {"units": "list of wave directions"}
    found.to_netcdf(tmp_path / "sea.nc")
    assert sums(tmp_path / "sea.nc")[2] == pytest.approx(EAST, abs=1)
    assert of_record(tmp_path / "sea.nc").remark == ""


@pytest.mark.parametrize(("units", "words"), [("m2 s degree-1", "[m2/Hz/rad]"), ("m2 s rad-1", "per degree")])
def test_densities_per_two_angles_are_refused(tmp_path, units, words):
    path = netcdf(tmp_path / "sea.nc", density(), attrs={"units": units, "long_name": f"variance density {words}"})
    with pytest.raises(ValueError, match=naming("efth both degree radian")):
        file_spectrum(path)


def test_attributes_with_an_underscore_are_those_of_a_program(tmp_path):
    attrs = {"units": "m^{2}.s.degree^{-1}", "_units": "m2 s rad-1"}
    assert sums(netcdf(tmp_path / "sea.nc", density(), attrs=attrs))[::2] == pytest.approx((HEIGHT, EAST), rel=3e-3)


@pytest.mark.parametrize(
    "comment",
    [
        "Interpolated to a Cartesian grid; 24 directions, 30 frequencies",
        "The origin of the data is NOAA. Each spectrum has 36 directions.",
        "direction and frequency bins; data coming from ECMWF",
        "Wave spectra by frequency and direction, of waves from a hindcast.",
    ],
)
def test_sentences_about_other_things_do_not_turn_directions(tmp_path, comment):
    for dims, degrees in (("freq", "dir"), DEGREES), (("frequency", "direction"), (DEGREES + 180) % 360):
        path = netcdf(tmp_path / "sea.nc", density(), degrees, dims=dims, comment=comment)
        assert sums(path)[2] == pytest.approx(EAST, abs=0.1)


@pytest.mark.parametrize("head", ["f [Hz],S(omega)", "f [Hz],S(ω)", "f,angular density", "omega [rad/s],S(f)"])
def test_a_density_over_another_variable_than_the_frequency_is_refused(tmp_path, head):
    (tmp_path / "sea.csv").write_text(other(head), encoding="utf-8")
    with pytest.raises(ValueError, match=naming("Hz rad/s")):
        file_spectrum(tmp_path / "sea.csv")


def test_units_that_count_are_not_called_ignored(tmp_path):
    lists = {"frequency": [2 * math.pi * f for f, _ in pairs()], "density": [s / 2 / math.pi for _, s in pairs()]}
    units = {"frequency_units": "rad/s", "density_units": "m^2/(rad/s)"}
    (tmp_path / "sea.json").write_text(json.dumps(units | lists))
    assert sums(tmp_path / "sea.json")[:2] == pytest.approx((HEIGHT, PERIOD), rel=3e-3)
    assert "rad/s" not in of_record(tmp_path / "sea.json").remark
    (tmp_path / "rows.csv").write_text(f"# frequencies in rad/s\n{by_time('2024-01-15T12:00')}")
    assert "rad/s" not in of_record(tmp_path / "rows.csv").remark
    text = "direction, counterclockwise from East"
    path = netcdf(tmp_path / "sea.nc", density(), (-90 - DEGREES) % 360, axis={"long_name": text})
    assert sums(path)[2] == pytest.approx(EAST, abs=0.1)
    assert text not in of_record(path).remark


def test_half_a_circle_in_radians_called_degrees_is_refused(tmp_path):
    half = DEGREES[: len(DEGREES) // 2]
    path = netcdf(tmp_path / "sea.nc", density()[:, : len(half)], np.radians(half), axis={"units": "degree"})
    with pytest.raises(ValueError, match=naming("radians units")):
        file_spectrum(path)
