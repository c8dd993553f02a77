"""Files of waves from the west in the formats of other programs and buoys, with invented values."""

import json

import numpy as np
import pytest

from .spectrum_files import FREQUENCY, NDBC, NDBC_DIRECTION, energy, ndbc, netcdf

xarray = pytest.importorskip("xarray")

DEGREES = np.arange(0.0, 360.0, 10.0)
STEPS = np.round(
    np.arange(0.04, 0.5, 0.01), 3
)  # frequencies [Hz] of buoys whose files hold the first frequency and the step
MOMENT, MOMENT_64 = "2024 01 15 12 00", "2024-01-15T12:00"


def lobe(degrees=DEGREES, coming_from=270.0):
    """Return a distribution [1/degree] around a direction, at several directions."""
    found = np.cos(np.radians(degrees - coming_from) / 2) ** 16
    return found / (found.sum() * (degrees[1] - degrees[0]))


def dataset(folder, frequency=FREQUENCY):
    """Return the sea as a dataset of wavespectra, at one time and point."""
    with xarray.open_dataset(netcdf(folder / "own.nc", 270)) as one:
        found = one.interp(freq=frequency).expand_dims(time=np.array([MOMENT_64], "datetime64[ns]"), site=[0]).load()
    return found.assign_coords(lon=("site", [0.0]), lat=("site", [0.0]))


def rows(table, form="{:.6f}", gap=","):
    return "\n".join(gap.join(form.format(value) for value in row) for row in table) + "\n"


def awac(folder):
    path, n = folder / "buoy.nmea", len(STEPS)
    pairs = {"A1": 0.0, "B1": -0.9, "A2": -0.7, "B2": 0.0}  # cosines and sines of the direction and of its double
    lines = [
        f"$PNORF,{name},011524,120000,3,0.04,0.01,{n}," + ",".join([f"{value:.4f}"] * n) + "*00"
        for name, value in pairs.items()
    ]
    density = energy(STEPS)
    height = 4 * np.sqrt(np.trapezoid(density, STEPS))
    lines.append(f"$PNORE,011524,120000,3,0.04,0.01,{n}," + ",".join(f"{1e4 * value:.3f}" for value in density) + "*00")
    lines.append(f"$PNORW,011524,120000,3,4,{height:.3f}," + ",".join(["0.00"] * 15) + ",0000*00")
    path.write_text("\n".join(lines) + "\n")
    return path


def datawell(folder):
    path, density = folder / "buoy}2024-01-15T12h00Z.spt", energy()
    head = [1, 200.0, 8.0, f"{density.max():.6e}", 15.0, 15.0, 7, 0.1, 0.1, 0.1, 10.0, 60.0]
    table = zip(FREQUENCY, density / density.max(), strict=True)
    path.write_text("\n".join(map(str, head)) + "\n" + "".join(f"{f},{s:.5e},270.0,25.0,0.0,3.0\n" for f, s in table))
    return path


def funwave(folder):
    dataset(folder).isel(time=0, site=0).spec.to_funwave(str(folder / "waves.txt"), clip=False)
    return folder / "waves.txt"


def funwave_new(folder):
    dataset(folder).isel(time=0, site=0).spec.to_funwave_new(str(folder / "waves.txt"), clip=False)
    return folder / "waves.txt"


def json_file(folder):
    dataset(folder).drop_vars(("lon", "lat")).spec.to_json(folder / "sea.json")
    return folder / "sea.json"


def ncswan(folder):
    found = dataset(folder).drop_vars(("lon", "lat"))
    density = found["efth"].transpose("time", "site", "freq", "dir").values * 180 / np.pi
    xarray.Dataset(
        {"density": (("time", "points", "frequency", "direction"), density)},
        {"time": found["time"].values, "frequency": FREQUENCY, "direction": np.radians(found["dir"].values)},
    ).to_netcdf(folder / "swan.nc")
    return folder / "swan.nc"


def obscape(folder):
    path = folder / "20240115_120000_buoy.csv"
    head = {
        "Station name": "made up",
        "Timestamp": "1705320000",
        "Columns [deg]": "0,10,20,... 350",
        "Rows [Hz]": ",".join(map(str, FREQUENCY)),
    }
    lines = ["# Downloaded at 2024-01-16 [UTC]", *(f"# {name} = {value}" for name, value in head.items())]
    density = np.outer(energy(), lobe()) * 180 / np.pi
    path.write_text("\n".join([*lines, "# Variance-density [m2/Hz/rad]"]) + "\n" + rows(density))
    return path


def octopus(folder):
    dataset(folder).spec.to_octopus(str(folder / "sea.csv"))
    return folder / "sea.csv"


def spotter_csv(folder):
    path, columns = folder / "buoy.csv", {}
    columns |= {"Battery Voltage (V)": 4.0, "Epoch Time": 1705320000, "Latitude (deg)": 0.0, "Longitude (deg)": 0.0}
    parts = {"f": FREQUENCY, "df": np.gradient(FREQUENCY)}
    parts |= {name: np.zeros(len(FREQUENCY)) for name in ("a1", "b1", "a2", "b2")}
    parts |= {"varianceDensity": energy(), "direction": np.full(len(FREQUENCY), 270.0)}
    parts["directionalSpread"] = np.full(len(FREQUENCY), 25.0)
    for name, values in parts.items():
        columns |= {f"{name}_{i}": f"{value:.6g}" for i, value in enumerate(values)}
    path.write_text(",".join(columns) + "\n" + ",".join(map(str, columns.values())) + "\n")
    return path


def spotter_json(folder):
    spectra = {"frequency": list(FREQUENCY), "varianceDensity": list(energy()), "direction": [270.0] * len(FREQUENCY)}
    spectra |= {name: [0.0] * len(FREQUENCY) for name in ("a1", "b1", "a2", "b2")}
    spectra |= {"directionalSpread": [25.0] * len(FREQUENCY), "timestamp": "2024-01-15T12:00:00.000Z"}
    waves = [{"timestamp": "2024-01-15T12:00:00.000Z", "latitude": 0.0, "longitude": 0.0}]
    (folder / "buoy.json").write_text(json.dumps({"data": {"waves": waves, "frequencyData": [spectra]}}))
    return folder / "buoy.json"


def swan(folder):
    dataset(folder).spec.to_swan(str(folder / "sea.txt"))
    return folder / "sea.txt"


def triaxys(folder):
    path = folder / "buoy.DIRSPEC"
    head = "TRIAXYS BUOY DATA REPORT\nVERSION = 5\nTYPE    = DIRECTIONAL SPECTRUM\nDATE    = 2024-01-15 12:00(UTC)\n"
    head += f"NUMBER OF FREQUENCIES = {len(STEPS)}\nINITIAL FREQUENCY (Hz) = 0.04\nFREQUENCY SPACING (Hz) = 0.01\n"
    head += "DIRECTION SPACING (DEG) = 10.0\nROWS = FREQUENCY, COLUMNS = DIRECTION\n"
    degrees = np.append(DEGREES, 360.0)
    path.write_text(head + rows(np.outer(energy(STEPS), lobe(degrees[:-1])[np.arange(37) % 36]), "{:.6E}", " "))
    return path


def ww3(folder):
    dataset(folder).spec.to_ww3(folder / "model.nc")
    return folder / "model.nc"


def ww3_zarr(folder):
    """Write a folder in the second format of zarr, laid out as in wavespectra's own tests."""
    with xarray.open_dataset(ww3(folder)) as found:
        found.load().drop_encoding().to_zarr(folder / "model.zarr", zarr_format=2, consolidated=True)
    return folder / "model.zarr"


def ww3_station(folder):
    path, towards = folder / "model.spec", np.radians(DEGREES)
    head = f"'WAVEWATCH III SPECTRA' {len(FREQUENCY):4d} {len(DEGREES):4d} {1:4d} 'made up'\n"
    density = np.outer(energy(), lobe(DEGREES, 90.0)) * 180 / np.pi  # towards the east
    head += rows([FREQUENCY], gap=" ") + rows([towards], gap=" ") + "20240115 120000\n"
    head += "'here      '  0.00  0.00  500.0  9.0 270.0  0.0  0.0\n"
    path.write_text(head + rows(density.T, "{:.6E}", " "))
    return path


def wwm(folder):
    found = dataset(folder)
    w = 2 * np.pi * FREQUENCY
    density = found["efth"].transpose("time", "site", "freq", "dir").values
    action = density * 180 / np.pi / (w[:, None] * 2 * np.pi)
    coordinates = {"ocean_time": found["time"].values}
    xarray.Dataset(
        {
            "AC": (("ocean_time", "nbstation", "nfreq", "ndir"), action),
            "SPSIG": ("nfreq", w),
            "SPDIR": ("ndir", np.radians(found["dir"].values)),
            "lon": ("nbstation", [0.0]),
            "lat": ("nbstation", [0.0]),
            "DEP": (("ocean_time", "nbstation"), [[40.0]]),
        },
        coordinates,
    ).to_netcdf(folder / "wwm.nc")
    return folder / "wwm.nc"


def xwaves(folder):
    from scipy.io import savemat

    density = np.outer(energy(), lobe())[None] * 180 / np.pi
    path = folder / "x.mat"
    savemat(path, {"td": [[2024, 1, 15, 12, 0, 0]], "fd": FREQUENCY, "thetad": DEGREES, "spec2d": density})
    path.write_bytes(b"MATLAB 5.0 MAT-file".ljust(116) + path.read_bytes()[116:])  # without the time
    return path


FILES = (
    *(awac, datawell, funwave, funwave_new, json_file, ncswan, obscape, octopus, spotter_csv, spotter_json, swan),
    *(triaxys, ww3, ww3_zarr, ww3_station, wwm, xwaves),
)
"""Functions that write a file in a format into a folder and return its path."""


# NDBC's buoys, in real time, by year, and in NetCDF.


def buoy(folder, density, coefficients, yearly=False, moments=(MOMENT,)):
    """Write the five files of a buoy, with equal values at all times, and return their joined paths."""
    names = ("data_spec", "swdir", "swdir2", "swr1", "swr2")
    paths = []
    for letter, name, values in zip("wdijk", names, (density, *coefficients), strict=True):
        if yearly:
            path = folder / f"41010{letter}2019.txt"
            lines = ["#YY  MM DD hh mm " + " ".join(f"{f:.4f}" for f in FREQUENCY)]
            lines += [f"{moment} " + " ".join(f"{value:6.2f}" for value in values) for moment in moments]
            path.write_text("\n".join(lines) + "\n")
        else:
            header = NDBC if name == "data_spec" else NDBC_DIRECTION
            path = ndbc(folder / f"41010.{name}", [(moment, values) for moment in moments], header)
        paths.append(path)
    return ",".join(map(str, paths))


def buoy_netcdf(path, density, coefficients):
    """Write the NetCDF file of a buoy: densities (time, frequency) and the four coefficients, with nan where they are
    missing."""
    names = ("mean_wave_dir", "principal_wave_dir", "wave_spectrum_r1", "wave_spectrum_r2")
    parts = {"spectral_wave_density": density, **dict(zip(names, coefficients, strict=True))}
    times = np.datetime64(MOMENT_64, "ns") + np.arange(len(density)) * np.timedelta64(3600, "s")
    dimensions = ("time", "frequency", "latitude", "longitude")
    xarray.Dataset(
        {name: (dimensions, np.asarray(values)[:, :, None, None]) for name, values in parts.items()},
        {"time": times, "frequency": FREQUENCY, "latitude": [0.0], "longitude": [0.0]},
    ).to_netcdf(path)
    return path
