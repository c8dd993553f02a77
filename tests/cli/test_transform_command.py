"""`ocean transform` in a shell: results against numpy, its trace executed as a program, and refusals."""

import re
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from ocean.cli.transform import read_samples, transform
from ocean.common.errors import InputError
from ocean.common.files import OutputError
from ocean.fft.comparison import timed_transform
from ocean.settings import FFTSettings
from tests.commands import ROOT
from tests.fft.samples import BEYOND, relative_error
from tests.messages import assert_refused, naming, unnamed


def written(path, values):
    path.write_text("".join(f"{value!r}\n" for value in values))
    return str(path)


def read_result(path):
    lines = [line.split() for line in path.read_text().splitlines() if not line.startswith("#")]
    return np.array([complex(float(re_), float(im)) for re_, im in lines])


COMPLEX = r"(\S+) +([+-]\S+)i"


def rows(output, is_complex=False):
    """Return the rows of the printed table: n, input, CPU and GPU results, difference."""
    given = COMPLEX if is_complex else r"(\S+)"
    for match in re.finditer(rf"^ *(\d+) +{given} +{COMPLEX} +{COMPLEX} +(\S+)$", output, re.M):
        yield [float(word) for word in match.groups()]


@pytest.mark.parametrize(
    ("count", "arguments", "length", "limit"),
    [
        (16, ["--backend", "stockham-radix4"], 16, 1e-6),
        (13, ["--backend", "cooley-tukey", "--precision", "single"], 16, 1e-6),
        (13, ["--backend", "dft", "--inverse"], 13, 1e-6),
        (2 * BEYOND, ["--backend", "stockham-registers", "--set", "radix=4"], 64, 1e-6),
        (31, [], 31, 1e-6),
        (31, ["--precision", "double", "--inverse"], 31, 1e-13),
        (60, ["--precision", "double", "--backend", "stockham-global", "--set", "radix=2"], 60, 1e-13),
    ],
)
def test_results_agree_with_numpy(ocean_here, tmp_path, count, arguments, length, limit):
    x = np.random.default_rng().standard_normal(count)
    out = tmp_path / "result.txt"
    options = [*arguments, "--out", str(out), "--lines", "100"]
    result = ocean_here("transform", written(tmp_path / "x.txt", x.tolist()), *options)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    expected = (np.fft.ifft if "--inverse" in arguments else np.fft.fft)(x, n=length)
    got = read_result(out)
    assert relative_error(got, expected) < limit
    got = got if "double" in arguments else got.astype(np.complex64).astype(complex)  # has fewer than nine digits
    table = np.array(list(rows(result.stdout)))
    assert np.array_equal(table[:, 0], np.arange(length))
    np.testing.assert_allclose(table[:, 1], [*x, *np.zeros(length - count)], rtol=1e-5)
    np.testing.assert_allclose(table[:, 2] + 1j * table[:, 3], expected, rtol=0, atol=1e-5 * abs(expected).max())
    np.testing.assert_allclose(table[:, 4] + 1j * table[:, 5], got, rtol=0, atol=1e-5 * abs(got).max())
    np.testing.assert_allclose(table[:, 6], abs(got - expected), rtol=0.06, atol=1e-15)
    assert unnamed(result.stdout, f"samples: {count}, real length: {length}") == []
    assert length == count or unnamed(result.stdout, f"{length - count} zeros") == []
    found = re.search(r"differences: (\d+) of \d+ values, the largest (\S+) at (\d+)", result.stdout)
    different, largest, at = found.groups()
    assert int(different) == np.count_nonzero(got != expected)
    assert float(largest) == pytest.approx(abs(got - expected).max(), rel=0.06)
    assert abs(got - expected)[int(at)] == abs(got - expected).max()
    assert f"wrong: 0 of {length} values" in result.stdout
    times = {what: float(time) for time, what in re.findall(r"^ +(\S+) ms  (.+?) \(", result.stdout, re.M)}
    for what in ("GPU, kernels alone", "GPU, with upload and read back", "CPU, numpy.fft in complex128"):
        assert times[what] > 0


def test_complex_samples_with_comments_are_read_from_standard_input(tmp_path):
    x = np.random.default_rng().standard_normal((8, 2)).round(3)
    text = "# heading\n\n" + "".join(
        f"{re_}{sep}{im}  # {sep!r}\n" for (re_, im), sep in zip(x, " ,\t;" * 2, strict=True)
    )
    text = text.replace(";", " ")
    out = tmp_path / "result.txt"
    result = subprocess.run(
        [sys.executable, "app.py", "transform", "-", "--out", str(out)],
        input=text,
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr
    assert unnamed(result.stdout, "samples: 8, complex standard input") == []
    assert relative_error(read_result(out), np.fft.fft(x @ (1, 1j))) < 1e-6


def test_a_result_that_cannot_be_written_is_refused_before_the_work(tmp_path, monkeypatch):
    monkeypatch.setattr("ocean.cli.transform.read_samples", lambda *_: pytest.fail("samples were read"))
    (tmp_path / "folder").mkdir()
    for out, message in ((ROOT / "app.py" / "x.txt", "can't write to"), (tmp_path / "folder", "it is a folder")):
        with pytest.raises(OutputError, match=message):
            transform("x.txt", FFTSettings(), out=out)


def test_a_result_is_a_file_of_samples(ocean_here, tmp_path):
    x = np.random.default_rng().standard_normal(24)
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    assert ocean_here("transform", written(tmp_path / "x.txt", x.tolist()), "--out", first).returncode == 0
    assert ocean_here("transform", first, "--inverse", "--out", second).returncode == 0
    assert relative_error(read_result(second), x) < 2e-6


def test_long_lines_are_shortened_with_a_note(ocean_here, tmp_path):
    x = np.arange(1000.0)
    path = written(tmp_path / "x.txt", x.tolist())
    result = ocean_here("transform", path, "--backend", "stockham-shared", "--lines", "20", "--trace")
    assert result.returncode == 0, result.stderr
    assert unnamed(result.stdout, "length: 1024, 24 zeros stockham-shared") == []
    assert [row[0] for row in rows(result.stdout)] == [*range(15), *range(1019, 1024)]
    assert unnamed(result.stdout, "1004 lines --lines 1024") == []
    assert result.stdout.count("… and 492 more threads") == 20  # ten loads into registers, ten stages


# -- Refusals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "arguments", "named"),
    [
        ("# only\n\n3\n", [], "line 3 at least 2"),
        ("", [], "line 1"),
        ("#\n\n", [], "line 2"),
        ("1\n\n# two\ntwo\n", [], "line 4 two number"),
        ("1\n2 3 4", [], "line 2 '2 3 4'"),
        ("1\n2\n-inf 0", [], "line 3 -inf 0"),
        ("1\n1e39", [], "line 2 1e39 3.4e+38"),
        (None, [], "no such file"),
        (b"1\n\xff\xfe\n", [], "line 2 text"),
        *((f"1\n{word}", [], "line 2 number") for word in ("1_0", "0x10", "1+2i", "١", ".", "1,,2", "nan", "--1", ",")),
        ("3e38\n3e38\n", [], "samples large"),
        ("1\n2\n", ["--backend", "stokham-radix2"], "stockham-radix2"),
        ("1\n2\n", ["--set", "radix"], "--set radix key=value"),
        ("1\n2\n", ["--backend", "dft", "--set", "radix=4"], "fft.options.radix 4"),
        ("1\n2\n", ["--precision", "half"], "--precision half single double"),
        ("1\n2\n", ["--backend", "dft", "--precision", "double"], "dft single precision"),
        ("1\n" * 513, ["--backend", "dft"], "size 2 512 513"),
        ("1\n" * 20000, ["--trace"], "--trace 16384 20000"),
        ("1\n2\n", ["--out", "app.py/result.txt"], "app.py"),
    ],
)
def test_bad_input_is_one_sentence_and_status_2(ocean_here, tmp_path, text, arguments, named):
    path = tmp_path / "x.txt"
    if text is not None:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    result = ocean_here("transform", path, *arguments)
    assert_refused(result, named)


def test_wrong_values_have_a_status_of_their_own(ocean_here, tmp_path, monkeypatch):
    def wrong(*arguments):
        run = timed_transform(*arguments)
        return replace(run, result=run.result + np.array([1, np.nan, 1, 0]))

    monkeypatch.setattr("ocean.cli.transform.timed_transform", wrong)
    result = ocean_here("transform", written(tmp_path / "x.txt", [1.0, 2.0, 3.0, 4.0]))
    assert result.returncode == 3
    assert "wrong: 3 of 4 values" in result.stdout


@pytest.mark.parametrize("dtype", [np.float32, np.complex128, np.int16])
def test_numpy_files_are_read_and_written(ocean_here, tmp_path, dtype):
    x = np.arange(1, 17).astype(dtype)
    np.save(tmp_path / "x.npy", x)
    result = ocean_here("transform", tmp_path / "x.npy", "--out", tmp_path / "y.npy")
    assert result.returncode == 0, result.stderr
    assert relative_error(np.load(tmp_path / "y.npy"), np.fft.fft(x)) < 1e-6


@pytest.mark.parametrize("values", [np.zeros((4, 4)), np.array(["a", "b"]), np.array([1.0, np.nan]), np.zeros(1)])
def test_other_numpy_files_are_refused(tmp_path, values):
    np.save(tmp_path / "x.npy", values)
    with pytest.raises(InputError, match=r"x\.npy holds "):
        read_samples(str(tmp_path / "x.npy"))


def header(text):
    return b"\x93NUMPY\x01\0" + len(text).to_bytes(2, "little") + text


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK\5\6" + bytes(18),  # signature of an empty archive
        header(b"(\n"),
        header(b"1" * 5000),
        header(b"{'descr': '<016', 'fortran_order': False, 'shape': (20,)}\n"),
        header(b"{'descr': '<f8', 'fortran_order': False, 'shape': (True,)}\n"),
        header(b"{'descr': '<f8', 'fortran_order': False, 'shape': (1180591620717411303424,)}\n"),
    ],
    ids=range(7),
)
def test_damaged_numpy_files_are_refused_in_one_sentence(tmp_path, data):
    (tmp_path / "x.npy").write_bytes(data)
    with pytest.raises(InputError) as error:
        read_samples(str(tmp_path / "x.npy"))
    said = str(error.value)
    assert unnamed(said, "x.npy NumPy") == []
    assert len(said.replace(str(tmp_path), "")) < 200
    assert "\n" not in said


def test_endless_input_is_refused(monkeypatch):
    monkeypatch.setattr("ocean.cli.transform.MOST_TEXT", 1 << 20)
    with pytest.raises(InputError, match=naming("/dev/zero 1 MiB")):
        read_samples("/dev/zero")


def test_closed_input_is_refused(monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(InputError, match="standard input is closed"):
        read_samples("-")
