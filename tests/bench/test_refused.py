"""Requests that a bench refuses, each in one sentence; and the run that the documents offer for the papers."""

from pathlib import Path

import pytest

from ocean.fft.measure import LEAST_SAMPLES

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-w", "sea"], "--workload = 'sea' is not one of ocean, image"),
        (["--sizes", "64,x"], "--sizes = '64,x' is not a list of whole numbers from 2 up"),
        (["--backends", "fftw"], "--backends = 'fftw' is not one of"),
        (["--peers", "mkl"], "--peers = 'mkl' is not one of cufft, vkfft"),
        (["-w", "line", "--sizes", "1048576"], "line has 131072 elements on this GPU, so no lines of 1048576"),
        (["-w", "rectangle", "--sizes", "65536"], "rectangle has 65536 elements on this GPU, so no rows of 65536"),
        (["-w", "prime", "--sizes", "61,64"], "prime takes primes, not 64"),
        (["--rounds", str(LEAST_SAMPLES - 1)], f"--rounds = {LEAST_SAMPLES - 1} is not {LEAST_SAMPLES} or more"),
        (["--seed", "-1"], "--seed = -1 is not a whole number from 0 to 2147483647"),
        (["--seconds", "nan"], "--seconds = nan is not 0 or more"),
        (["--sizes", "1000000"], "--sizes = 1000000: ocean takes sizes up to"),
        (["--tune", "-w", "image"], "--workload = 'image' has nothing to tune; write --tune --workload ocean,"),
        (
            ["--tune", "-w", "ocean", "--sizes", "1024", "--backends", "dft"],
            "--sizes: no backend of --backends runs 1024 (dft:",
        ),
        (["--from", ".", "--tune"], "--tune has no meaning beside --from, which measures nothing"),
        (["--from", ".", "--sizes", "16"], "--sizes has no meaning beside --from, which measures nothing"),
        (["-w", ""], "--workload = '' is not one of ocean, image"),
        (["--sizes", ""], "--sizes = '' is not a list of whole numbers from 2 up"),
        (["--backends", ""], "--backends = '' is not one of"),
        (
            ["--backends", "stockham-radix4,cufft"],
            "--backends = 'cufft' names no backend; write --peers cufft for libraries to compare with",
        ),
        (["--peers", ""], "--peers = '' is not one of cufft, vkfft"),
        (["--seconds", "abc"], "--seconds = 'abc' is not a number"),
        (["--seconds", "0"], "nothing was timed: 3 of 3 cases were left out for time\n"),
        (
            ["-w", "line", "--sizes", "17,19", "--backends", "stockham-radix2"],
            "--sizes: no backend of --backends runs 17 (stockham-radix2: needs a power of two from 16 up, not 17)\n",
        ),
        (["--sizes", "64,1024", "--backends", "dft"], "--sizes: no backend of --backends runs 1024 (dft: needs a size"),
        (["-w", "frame", "--sizes", "1024", "--backends", "dft"], "--sizes: no backend of --backends runs 1024 (dft:"),
        (["--tune", "--sizes", "1024", "--backends", "dft"], "--sizes: no backend of --backends runs 1024 (dft:"),
        (["--tune", "--backends", "auto"], "--backends = 'auto' leaves nothing to tune, because auto, numpy"),
        (
            ["--tune", "-w", "line", "--backends", "dft"],
            "--backends = 'dft' leaves nothing to tune, because auto, numpy,",
        ),
    ],
)
def test_bad_input_is_one_sentence(ocean_here, tmp_path, arguments, message):
    done = ocean_here("bench", *arguments, "--out", tmp_path / "out")
    assert done.returncode == 2
    assert done.stderr.startswith(f"ocean: {message}")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_backend_that_ran_at_no_size_is_named_beside_the_others_results(ocean_here, tmp_path):
    done = ocean_here(
        "bench", "-w", "line", "--sizes", "18", "--backends", "stockham-radix2,dft", "--rounds", "6", "--out", tmp_path
    )
    assert done.returncode == 2
    assert done.stderr.startswith("ocean: --backends: stockham-radix2 ran at no size: needs a power of two")
    assert (tmp_path / "bench.json").exists()
