"""Plain files in the layouts that programs write: each is the sea that it holds, without a remark or a refusal."""

import json
import math
import re

import numpy as np
import pytest

from tests.messages import naming

from .foreign_files import dataset, obscape, spotter_csv, spotter_json, triaxys
from .spectrum_files import FREQUENCY as BUOY_FREQUENCY
from .spectrum_files import energy
from .test_foreign_spectra import (
    DEGREES,
    EAST,
    FREQUENCY,
    HEIGHT,
    PERIOD,
    density,
    density_1d,
    netcdf,
    of_record,
    sums,
    swan,
    swan_1d,
)

xarray = pytest.importorskip("xarray")

ALONE = "The file has no directions: its waves have the chosen direction and spreading."
ROWS = [(f"{f:.2f}", f"{s:.5f}") for f, s in zip(FREQUENCY, density_1d(), strict=True)]


def text_of(rows, mark=",", end=""):
    return "".join(f"{mark.join(row)}{end}\n" for row in rows)


# -- NetCDF ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("units", [("", ""), ("degrees_north", "degrees_east"), ("degree_north", "degree_east")])
def test_coordinates_are_printed_whatever_their_units(tmp_path, units):
    """A series of another instrument does not hide the place of the station."""
    with xarray.open_dataset("tests/waves/inputs/own-per-radian.nc") as found:
        found = found.drop_vars(("lat", "lon"), errors="ignore").squeeze(drop=True).load()
    found["gpsLatitude"] = "gps", [1.0, 2.0, 3.0]
    for name, value, unit in zip(("metaStationLatitude", "longitude"), (34.45, -120.78), units, strict=True):
        found[name] = (), value, {"units": unit} if unit else {}
    found.to_netcdf(tmp_path / "sea.nc")
    assert "at 34.45, -120.8 degrees" in of_record(tmp_path / "sea.nc").source


@pytest.mark.parametrize(("units", "is_remarked"), [("m2 s degree-1", False), ("m2 s rad-1", True)])
def test_a_file_of_wavespectra_needs_no_remark(tmp_path, units, is_remarked):
    """The library describes variables, and not the axes of frequency and direction. Densities per radian are those of
    WAVEWATCH III, whose directions may have been renamed."""
    from wavespectra.core.attributes import set_spec_attributes

    found = dataset(tmp_path)
    set_spec_attributes(found)
    found["efth"] = found["efth"].assign_attrs(units=units)
    found.spec.to_netcdf(tmp_path / "sea.nc")
    assert bool(of_record(tmp_path / "sea.nc").remark) == is_remarked


@pytest.mark.parametrize(
    ("key", "said", "is_remarked"),
    [
        ("area", "Global 0.5 x 0.5 degree", False),
        ("summary", "Hindcast spectra with 29 frequencies and 72 directions", False),
        ("comment", "Spectral resolution: 50 frequencies, 36 directions", False),
        ("comment", "36 directions, clockwise from east", True),
        ("sampling_rate", "1.28 Hz", False),
        ("timezone", "UTC", False),
        ("timezone", "CET", True),
    ],
)
def test_what_a_program_says_of_its_run_needs_no_remark(tmp_path, key, said, is_remarked):
    attrs, axis = {"units": "m2 s degree-1"}, {"standard_name": "sea_surface_wave_from_direction", "units": "degree"}
    path = netcdf(tmp_path / "sea.nc", density(), attrs=attrs, axis=axis)
    with xarray.open_dataset(path) as found:
        found.assign_attrs({key: said}).to_netcdf(tmp_path / "area.nc")
    assert bool(of_record(tmp_path / "area.nc").remark) == is_remarked


def test_moments_of_wavewatch_need_no_remark(tmp_path):
    axes = "time", "station", "frequency"
    shape = 1, 1, len(FREQUENCY)
    sea = {
        "ef": (axes, density_1d().reshape(shape), {"units": "m2 s"}),
        "th1m": (axes, np.full(shape, 270.0), {"long_name": "mean wave direction from spectral moments"}),
        "sth1m": (axes, np.full(shape, 30.0), {"long_name": "directional spread from spectral moments"}),
    }
    for name in "th1m", "sth1m":
        sea[name][2]["units"] = "degree"
    frequency = "frequency", FREQUENCY, {"units": "s-1"}
    xarray.Dataset(sea, {"frequency": frequency}).to_netcdf(tmp_path / "sea.nc")
    assert sums(tmp_path / "sea.nc") == pytest.approx((HEIGHT, PERIOD, EAST), rel=3e-3)
    assert of_record(tmp_path / "sea.nc").remark == ""


# -- Text of buoys and models ------------------------------------------------------------------------------------------


def test_spotters_name_the_source_of_each_spectrum(tmp_path):
    path = spotter_json(tmp_path)
    document = json.loads(path.read_text())
    for one in document["data"]["frequencyData"] + document["data"]["waves"]:
        one["processing_source"] = "embedded"
    path.write_text(json.dumps(document))
    assert of_record(path).remark == ""


def test_statistics_of_a_spotter_belong_to_one_of_its_programs(tmp_path):
    path = spotter_json(tmp_path)
    data = json.loads(path.read_text())["data"]
    height = 4 * math.sqrt(np.trapezoid(data["frequencyData"][0]["varianceDensity"], BUOY_FREQUENCY))
    sources = {"embedded": height, "hdr": 2 * height}
    data["waves"] = [
        data["waves"][0] | {"significantWaveHeight": hs, "processing_source": one} for one, hs in sources.items()
    ]
    data["frequencyData"] = [data["frequencyData"][0] | {"processing_source": one} for one in sources]
    path.write_text(json.dumps({"data": data}))
    first, second = (of_record(path, station=number) for number in (0, 1))
    assert (first.remark, "states Hs" in second.remark) == ("", True)


def test_a_spotter_s_table_may_be_saved_by_excel(tmp_path):
    path = spotter_csv(tmp_path)
    usual = sums(path)
    path.write_text("sep=;\n" + path.read_text().replace(".", "\0").replace(",", ";").replace("\0", ","))
    assert sums(path) == pytest.approx(usual)


@pytest.mark.parametrize(("last", "is_remarked"), [(48, False), (14, True)])
def test_an_awac_has_directions_of_few_frequencies(tmp_path, last, is_remarked):
    """Sentences of directions end at 0.49 Hz. Waves beyond have little energy, and take the directions there."""
    frequency = np.round(0.02 + 0.01 * np.arange(98), 2)
    values = energy(frequency)
    moment, bins = "011524,120000", "3,0.02,0.01"
    statistics = f"{4 * math.sqrt(values.sum() * 0.01):.3f}," + ",".join(["0.00"] * 15)
    lines = [
        f"$PNORW,{moment},3,4,{statistics},0000*00",
        f"$PNORE,{moment},{bins},98," + ",".join(f"{value:.4f}" for value in values) + "*00",
    ]
    for name, value in ("MD", 270.0), ("DS", 25.0):
        lines.append(f"$PNORWD,{name},{moment},{bins},{last}," + ",".join([f"{value:.2f}"] * last) + "*00")
    (tmp_path / "buoy.nmea").write_text("\n".join(lines) + "\n")
    assert sums(tmp_path / "buoy.nmea")[2] == pytest.approx(EAST, abs=1)
    assert ("lacks directions" in of_record(tmp_path / "buoy.nmea").remark) == is_remarked


@pytest.mark.parametrize("unit", ["m*m/Hz", "cm*cm/Hz"])
def test_the_text_of_cdip_names_its_units_below_its_columns(tmp_path, unit):
    head = "File Name: sp07101202401151200   Analyzed(UTC): 2024 Jan 15 12:43 hrs\nStation Name: HARVEST CA BUOY\n"
    head += "Location: 34 27.1 N 120 46.8 W    Sensor Type: DIR WAVERIDER DWR-M3\n"
    head += "Water Depth(m): 549    MLLW(m): N/A    Sample Length(s): 1600    Sample Rate(Hz): 1.280\n"
    head += "  Hs(m): 1.06   Tp(s): 10.00   Dp(deg): 270   Ta(s): 7.91\n\n"
    head += "   freq     Band     energy   Dmean     a1       b1       a2       b2      Check\n"
    head += f"    Hz      width    {unit}    deg                                         factor\n"
    rows = [(f, "0.0100", s, "270", "0.0", "-0.9", "-0.7", "0.0", "1.10") for f, s in ROWS]
    (tmp_path / "harvest.sp").write_text(head + text_of(rows, "  "))
    if unit == "cm*cm/Hz":
        with pytest.raises(ValueError, match=naming("energy cm*cm/hz")):
            of_record(tmp_path / "harvest.sp")
    else:
        assert sums(tmp_path / "harvest.sp")[0] == pytest.approx(HEIGHT, rel=3e-3)
        found = of_record(tmp_path / "harvest.sp")
        assert "Hs = 1.06 m" in found.source
        assert "understood" not in found.remark


def test_a_calm_of_swan_is_a_sea_without_waves(tmp_path):
    path = swan(tmp_path / "sea.spec", ["20240115.120000\n"], factors=(0, 1.0))
    path.write_text(path.read_text().replace("NODATA", "ZERO"))
    assert [sums(path, station=number)[0] for number in (0, 1)] == pytest.approx([0, HEIGHT], rel=3e-3)


@pytest.mark.parametrize("column", ["CDIR degrees_true", "CDIR degrees_north", "NDIR degrees_east"])
def test_directions_of_swan_with_the_north_of_the_other_are_refused(tmp_path, column):
    name, unit = column.split()
    path = swan_1d(tmp_path / "sea.spec", others=((name, unit, 270.0, -999), ("DSPRDEGR", "degr", 30.0, -9)))
    with pytest.raises(ValueError, match=naming(f"sea.spec {name} {unit}")):
        of_record(path)


def test_a_tab_may_stand_before_the_type_of_triaxys(tmp_path):
    path = triaxys(tmp_path)
    usual = sums(path)
    path.write_text(path.read_text().replace("TYPE    =", "TYPE\t="))
    assert sums(path) == pytest.approx(usual)


@pytest.mark.parametrize("kind", ["FOURIER COEFFICIENTS", "WAVE SUMMARY"])
def test_other_reports_of_triaxys_are_named(tmp_path, kind):
    path = triaxys(tmp_path)
    path.write_text(path.read_text().replace("DIRECTIONAL SPECTRUM", kind))
    with pytest.raises(ValueError, match=naming(f"TYPE {kind}")):
        of_record(path)


def test_two_reports_in_one_file_are_refused(tmp_path):
    """Readers would take the first, or rows of the first with the time of the second."""
    for path, named in (triaxys(tmp_path), "TYPE"), (obscape(tmp_path), "60 30"):
        path.write_text(path.read_text() * 2)
        with pytest.raises(ValueError, match=naming(f"{path.name} {named}")):
            of_record(path)


# -- Tables ------------------------------------------------------------------------------------------------------------


def comma(text):
    return text.replace(".", ",")


@pytest.mark.parametrize(
    "text",
    [
        "sep=;\nFrequency (Hz);Density (m2/Hz)\n" + comma(text_of(ROWS, ";")),
        "Frequency (Hz);Density (m2/Hz);;\n" + comma(text_of(ROWS, ";", ";;")) + ";;;\n;;;\n",
        "Frequency (Hz),Density (m2/Hz),,\n" + text_of(ROWS, ",", ",,") + ",,,\n",
        "Wave spectrum of a buoy;;\n;;\nFrequency (Hz);Density (m2/Hz);\n" + comma(text_of(ROWS, ";", ";")),
        "Frecuencia (Hz);Densidad espectral (m2/Hz)\n" + comma(text_of(ROWS, ";")),
        "Frequência (Hz);Densidade espectral (m2/Hz)\n" + comma(text_of(ROWS, ";")),
    ],
)
def test_spreadsheets_write_separators_and_titles(tmp_path, text):
    (tmp_path / "sea.csv").write_text(text)
    assert sums(tmp_path / "sea.csv")[:2] == pytest.approx((HEIGHT, PERIOD), rel=3e-3)
    found = of_record(tmp_path / "sea.csv")
    assert "sep" not in found.source
    assert found.remark == ALONE


@pytest.mark.parametrize("name", ["", "time", "Datum"])
def test_rows_of_times_have_a_column_of_any_name(tmp_path, name):
    """Pandas writes a frame with an index of times so."""
    frequencies, values = zip(*ROWS, strict=True)
    text = text_of([(name, *frequencies), ("2024-01-15 12:00:00", *values)])
    (tmp_path / "sea.csv").write_text("# frequencies in Hz, densities in m2/Hz\n" + text)
    assert sums(tmp_path / "sea.csv")[0] == pytest.approx(HEIGHT, rel=3e-3)
    assert of_record(tmp_path / "sea.csv").times == ("2024-01-15T12:00",)


def test_columns_of_spotter_s_program_have_known_units(tmp_path):
    frequencies, values = zip(*ROWS, strict=True)
    start = ["# year", "month", "day", "hour", "min", "sec", "milisec", "dof"], ["2024", *"1111111"]
    (tmp_path / "Szz.csv").write_text(text_of([[*start[0], *frequencies], [*start[1], *values]]))
    assert sums(tmp_path / "Szz.csv")[0] == pytest.approx(HEIGHT, rel=3e-3)
    assert of_record(tmp_path / "Szz.csv").remark == ALONE


@pytest.mark.parametrize("first", [0.01, 0.1])
def test_the_lowest_frequencies_may_be_missing_where_waves_are_low(tmp_path, first):
    """Spotter's Szz.csv has such columns; the waves are those of the rest."""
    values = ["nan", "nan", *(f"{s:.5f}" for s in density_1d()[1:])] if first < 0.1 else ["nan"] * 6 + ["9.0", "1.0"]
    frequencies = [first, first + 0.01, *FREQUENCY[1:]] if first < 0.1 else [0.1 + 0.01 * i for i in range(8)]
    text = text_of([("time", *(f"{f:.3f}" for f in frequencies)), ("2024-01-15 12:00", *values)])
    (tmp_path / "Szz.csv").write_text("# Hz\n" + text)
    if first < 0.1:
        assert sums(tmp_path / "Szz.csv")[:2] == pytest.approx((HEIGHT, PERIOD), rel=3e-3)
    else:
        with pytest.raises(ValueError, match=naming("lacks values 0.1 0.11 Hz")):
            of_record(tmp_path / "Szz.csv")


def test_a_matrix_without_a_name_in_its_corner_is_no_row_of_times(tmp_path):
    rows = [["", *map(str, DEGREES)]] + [[f"{f}", *map(str, row)] for f, row in zip(FREQUENCY, density(), strict=True)]
    (tmp_path / "sea.csv").write_text(text_of(rows))
    with pytest.raises(ValueError, match=naming("single density frequency")):
        of_record(tmp_path / "sea.csv")


@pytest.mark.parametrize(
    "document",
    [
        {"geometry": {"coordinates": [-122.4, 36.8]}, "properties": {"frequency": None, "energy_density": None}},
        {"schema": {"fields": [{"name": "f"}, {"name": "S"}]}, "data": [{"f": None, "S": None}]},
    ],
)
def test_json_may_hold_other_lists_beside_the_spectrum(tmp_path, document):
    columns = [*map(float, FREQUENCY)], [*map(float, density_1d())]
    if "data" in document:
        document["data"] = [{"f": f, "S": s} for f, s in zip(*columns, strict=True)]
    else:
        document["properties"] = dict(zip(document["properties"], columns, strict=True))
    (tmp_path / "sea.json").write_text(json.dumps(document))
    assert sums(tmp_path / "sea.json")[:2] == pytest.approx((HEIGHT, PERIOD), rel=3e-3)
    assert re.fullmatch(ALONE, of_record(tmp_path / "sea.json").remark)
