"""Requests that a bench refuses in one sentence."""

import pytest

from ocean.fft.measure import LEAST_SAMPLES
from tests.messages import assert_refused


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["-w", "sea"], "--workload sea ocean image"),
        (["--sizes", "64,x"], "--sizes 64,x 2"),
        (["--backends", "fftw"], "--backends fftw"),
        (["--peers", "mkl"], "--peers mkl cufft vkfft"),
        (["-w", "line", "--sizes", "1048576"], "line 131072 1048576"),
        (["--rounds", str(LEAST_SAMPLES - 1)], f"--rounds {LEAST_SAMPLES - 1} {LEAST_SAMPLES}"),
        (["--rounds", "9" * 20], "--rounds 9999"),
        (["--seed", "-1"], "--seed -1 0 2147483647"),
        (["--seconds", "nan"], "--seconds nan 0"),
        (["--sizes", "1000000"], "--sizes 1000000 ocean"),
        (["--tune", "-w", "image"], "image --tune --workload ocean"),
        (["--tune", "-w", "ocean", "--sizes", "1024", "--backends", "dft"], "--sizes --backends 1024 dft"),
        (["--backends", "stockham-radix4,cufft"], "--backends cufft --peers"),
        (["--peers", ""], "--peers cufft vkfft"),
        (["--seconds", "abc"], "--seconds abc"),
        (["--seconds", "0"], "3 time"),
        (
            ["-w", "line", "--sizes", "17,19", "--backends", "stockham-radix2"],
            "--sizes --backends 17 stockham-radix2 power two 16",
        ),
        (["--sizes", "64,1024", "--backends", "dft"], "--sizes --backends 1024 dft"),
        (["--tune", "--sizes", "1024", "--backends", "dft"], "--sizes --backends 1024 dft"),
        (["-w", "scene", "--sizes", "64"], "--sizes --backends"),
        (["--tune", "--backends", "auto"], "--backends auto tune numpy"),
        (["--tune", "-w", "line", "--backends", "dft"], "--backends dft tune auto numpy"),
    ],
)
def test_bad_requests_are_refused_in_one_sentence(ocean_here, tmp_path, monkeypatch, arguments, named):
    monkeypatch.setattr("ocean.bench.cases.is_software", lambda ctx: True)
    monkeypatch.setattr("ocean.bench.command.is_software", lambda ctx: True)
    done = ocean_here("bench", *arguments, "--out", tmp_path / "out")
    assert_refused(done, named)
    assert not (tmp_path / "out").exists()


def test_a_backend_that_ran_at_no_size_is_named_beside_the_results(ocean_here, tmp_path):
    done = ocean_here(
        "bench", "-w", "line", "--sizes", "18", "--backends", "stockham-radix2,dft", "--rounds", "6", "--out", tmp_path
    )
    assert_refused(done, "--backends stockham-radix2")
    assert (tmp_path / "bench.json").exists()
