"""Formats of files of spectra, detected by their first bytes."""

import gzip
import re
import zlib
from codecs import BOM_UTF8
from pathlib import Path

from ocean.common.errors import SHOWN, clipped, shown

FORMATS = (
    *("auto", "awac", "datawell", "era5", "funwave", "funwave_new", "json", "ncswan", "ndbc", "ndbc_ascii", "netcdf"),
    *("obscape", "octopus", "spotter", "swan", "triaxys", "wavespectra", "ww3", "ww3_station", "wwm", "xwaves"),
)
"""Formats of files: the readers of wavespectra, and `auto`, which guesses."""

CONVENTIONS = {
    "wavespectra": ({"efth", "freq"},),
    "ww3": ({"efth", "frequency"},),
    "ncswan": ({"density", "frequency"},),
    "wwm": ({"AC", "nfreq"},),
    "era5": ({"d2fd"},),
    "ndbc": ({"spectral_wave_density"}, {"waveEnergyDensity"}),
}
"""Formats of NetCDF and zarr, and the variables and dimensions by which each is known."""

HEADS = {
    r"CDF[\1\2\5]|\x89HDF": "netcdf",
    r"MATLAB 5": "xwaves",
    r"#?YY\S*\s+MM\s+DD\s+hh": "ndbc_ascii",
    r"SWAN\b": "swan",
    r"'WAVEWATCH III SPECTRA": "ww3_station",
    r"[^\n]*TRIAXYS BUOY": "triaxys",
    r"\$PNOR": "awac",
    r"[^\n]*\n'?nfreqs,": "octopus",
    r"(#[^\n]*\n)*# *Columns \[deg\]": "obscape",
    r"[^\n]*\bEpoch Time\b": "spotter",
    r"\d+ +\d+[^\n]*\n\s*\S+ *-? *PeakPeriod": "funwave",
    r"\d+[^\n]*\n\s*\S+ *-? *PeakPeriod": "funwave_new",
    r'\{.*"data_vars"': "json",
    r'\{.*"frequencyData"': "spotter",
}
"""Regular expressions for the beginning of a file in each format, blanks left out."""

SUFFIXES = {".spt": "datawell", ".nc": "netcdf", ".nc4": "netcdf", ".cdf": "netcdf"}
"""Formats by suffix, for files that begin with numbers alone or are damaged."""

HEAD = 1 << 16
"""Bytes of a file that are searched; JSON, which may name its parts anywhere, is searched as a whole."""

MOST_TEXT = 1 << 26
"""Most bytes of JSON, and of an unpacked compressed file; a year of a buoy takes 3 MB."""

STATISTICS = r"#?YY[^\n]*\bWVHT\b"
"""First line of NDBC's files of heights and periods."""


class SpectrumFileError(ValueError):
    """A file that can't drive the sea; the message says why."""


def is_netcdf(format: str) -> bool:
    """Return whether files of a format are NetCDF, or folders of zarr."""
    return format == "netcdf" or format in CONVENTIONS


def detected_format(file: Path) -> str:
    """Return the format that the beginning of a file shows; nothing if it is unknown.

    Raises:
        SpectrumFileError: when the file can't be read, or holds no spectra.
    """
    name = f"spectrum.path = {shown(str(file))}"
    if file.is_dir():  # a zarr store, with the same variables as NetCDF
        return "netcdf"
    try:
        is_compressed = file.suffix == ".gz"
        with gzip.open(file) if is_compressed else file.open("rb") as stream:
            head = stream.read(HEAD).removeprefix(BOM_UTF8).lstrip()
            is_json = head.startswith(b"{")
            rest = stream.read(MOST_TEXT + 1) if is_compressed or is_json else b""
    except (OSError, EOFError, zlib.error) as error:
        raise SpectrumFileError(f"{name} can't be read: {clipped(str(error).lower(), 2 * SHOWN)}") from None
    if len(rest) > MOST_TEXT:
        raise SpectrumFileError(f"{name} can't be read: it has more than {MOST_TEXT >> 20} MiB of text")
    text = (head + rest if is_json else head).decode("latin-1").replace("\r\n", "\n")
    if re.match(STATISTICS, text):
        raise SpectrumFileError(
            f"{name} has heights and periods but no spectra; NDBC's spectra are in .data_spec files"
        )
    return next((format for pattern, format in HEADS.items() if re.match(pattern, text, re.DOTALL)), "")


def format_of(file: Path, wanted: str) -> str:
    """Return the format of a file: as wanted, or for `auto` by its beginning, or else its name.

    Raises:
        SpectrumFileError: when the file can't be read, is of another format than wanted, or unknown.
    """
    found, name = detected_format(file), f"spectrum.path = {shown(str(file))}"
    if wanted != "auto":
        if found not in (("netcdf",) if is_netcdf(wanted) else (wanted, "")):
            kind = "is a folder" if file.is_dir() else f"is of the format {found}" if found else "is not NetCDF"
            raise SpectrumFileError(f"{name} can't be read as {wanted}: it {kind}")
        return wanted
    if format := found or SUFFIXES.get(file.suffix, ""):
        return format
    raise SpectrumFileError(f"{name}: unknown format; set spectrum.format to one of {', '.join(FORMATS[1:])}")
