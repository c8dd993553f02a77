"""Formats of files of spectra, told by their first bytes."""

import gzip
import re
import zlib
from pathlib import Path

FORMATS = (
    *("auto", "awac", "datawell", "era5", "funwave", "funwave_new", "json", "ncswan", "ndbc", "ndbc_ascii", "netcdf"),
    *("obscape", "octopus", "spotter", "swan", "triaxys", "wavespectra", "ww3", "ww3_station", "wwm", "xwaves"),
)
"""Formats of files: the readers of wavespectra, and `auto`, which guesses."""

ZARR = "ncswan", "wavespectra", "ww3", "wwm"
"""Formats that are kept as a folder of zarr too."""

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
"""Formats of files that begin with numbers alone, or are damaged."""

HEAD = 1 << 16
"""Bytes of a file that are searched; JSON, which may name its parts anywhere, is searched as a whole."""

STATISTICS = r"#?YY[^\n]*\bWVHT\b"
"""First line of NDBC's files of heights and periods."""


class SpectrumFileError(ValueError):
    """A file that can't drive the sea; the message says why."""


def guess(file: Path) -> str:
    """Return the format that the beginning of a file shows, or its name.

    Raises:
        SpectrumFileError: when the file can't be read, or its format is unknown.
    """
    if file.is_dir():  # of zarr, which holds what NetCDF does
        return "netcdf"
    try:
        with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as stream:
            head = stream.read(HEAD).lstrip()
            head += stream.read() if head.startswith(b"{") else b""
    except (OSError, EOFError, zlib.error) as error:
        raise SpectrumFileError(f"spectrum.path = '{file}' can't be read: {str(error).lower()}") from None
    text = head.decode("latin-1").replace("\r\n", "\n")
    if re.match(STATISTICS, text):
        raise SpectrumFileError(
            f"spectrum.path = '{file}' has heights and periods but no spectra; NDBC's spectra are in .data_spec files"
        )
    for pattern, format in HEADS.items():
        if re.match(pattern, text, re.DOTALL):
            return format
    if file.suffix in SUFFIXES:
        return SUFFIXES[file.suffix]
    raise SpectrumFileError(
        f"spectrum.path = '{file}': unknown format; set spectrum.format to one of {', '.join(FORMATS[1:])}"
    )
