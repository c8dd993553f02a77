"""Worked examples of the literature, run on the backends that follow it.

- Mota (Minho 2022), section 2.2: a cosine of eight samples, by the definition and by the matrix.
- beechwood.eu, guide to radix 2, 4 and 8: the matrices of the butterflies, written out element by element.
  `test_registers.py` compares the kernels' butterflies with the same matrices.

An example of R elements becomes a line of N = m R elements if m - 1 zeros follow each element: x'[m n] = x[n] has the
spectrum X'[k] = sum_n x[n] e^{-i 2 pi m n k / N} = X[k mod R], the spectrum of the example repeated m times. The
line is the first row of a field, so that the transform of columns repeats its spectrum in all rows.
"""

import numpy as np
import pytest

from ocean import fft

LIMIT = 1e-6  # relative L2, the limit of every backend

# Mota, section 2.2: printed samples x, with three digits, and the printed spectrum X.
SAMPLES = np.array([1, 0.707, 0, -0.707, -1, -0.707, 0, 0.707])
SPECTRUM = np.array([0, 4, 0, 0, 0, 0, 0, 4])
# Four samples are 1 / sqrt 2, rounded, so an error of the spectrum is at most the sum of their errors.
ROUNDED = 4 * (np.sqrt(0.5) - 0.707)

# "The IO matrix", M(i, j + 1) = exp(-1j 2 pi mod(j (i - 1), R) / R), as the butterflies' listings have it: a row for
# each result (X1, X2... of radix 8; A, B... of the others), in it the factors of A, B, C...
S = np.sqrt(0.5)
LISTED = {
    2: [[1, 1], [1, -1]],
    4: [
        [1, 1, 1, 1],
        [1, -1j, -1, 1j],
        [1, -1, 1, -1],
        [1, 1j, -1, -1j],
    ],
    8: [
        [1, 1, 1, 1, 1, 1, 1, 1],
        [1, S - S * 1j, -1j, -S + S * 1j, -1, -S + S * 1j, 1j, S + S * 1j],
        [1, -1j, -1, 1j, 1, -1j, -1, 1j],
        [1, -S - S * 1j, 1j, S - S * 1j, -1, S + S * 1j, -1j, -S + S * 1j],
        [1, -1, 1, -1, 1, -1, 1, -1],
        [1, -S + S * 1j, -1j, S + S * 1j, -1, S - S * 1j, 1j, -S - S * 1j],
        [1, 1j, -1, -1j, 1, 1j, -1, -1j],
        [1, S + S * 1j, 1j, -S + S * 1j, -1, -S - S * 1j, -1j, S - S * 1j],
    ],
}
MISPRINT = (1, 3)  # misprint of radix 8: X2 has (-s, s) for D in place of (-s, -s)


def spectrum_of(ctx, x, size, backend, inverse=False):
    """Transform a line of `x` with zeros between its values. Return the first len(x) values of the spectrum, and check
    that they repeat over the whole field."""
    field = np.zeros((size, size), "c8")
    field[0, :: size // len(x)] = x
    result = fft.transform(ctx, field, backend, inverse)
    first = result[0, : len(x)]
    everywhere = np.tile(first, (size, size // len(x)))
    assert np.linalg.norm(result - everywhere) < LIMIT * np.linalg.norm(everywhere)
    return first


@pytest.mark.parametrize(
    ("backend", "size"),
    [
        ("dft", 8),  # the algorithm of the section, at the size of its example
        ("stockham-global", 8),
        ("stockham-registers", 8),
        ("bluestein", 8),
        ("cooley-tukey-stages", 16),  # the dissertation's other algorithms begin at 16: a zero after each sample
        ("cooley-tukey", 16),
        ("natural-order", 16),
        ("stockham-radix2", 16),
        ("stockham-radix4", 16),
    ],
)
def test_a_cosine_of_eight_samples_has_motas_spectrum(ctx, backend, size):
    result = spectrum_of(ctx, SAMPLES, size, backend)
    assert np.abs(result - SPECTRUM).max() < ROUNDED + LIMIT * np.linalg.norm(SPECTRUM)
    exact = np.fft.fft(SAMPLES)  # rounding of the printed samples
    assert np.linalg.norm(result - exact) < LIMIT * np.linalg.norm(exact)


def test_motas_spectrum_is_transformed_back(ctx):
    """W^-1 is 1/8 of the conjugate of W. The text prints it with the root of W itself."""
    result = spectrum_of(ctx, SPECTRUM, 8, "dft", inverse=True) / 8
    assert np.abs(result - SAMPLES).max() < S - 0.707 + LIMIT * np.linalg.norm(SAMPLES)


@pytest.mark.parametrize("radix", LISTED)
def test_beechwood_butterflies_equal_the_io_matrix(radix):
    """The listing is right except for one factor. The test also fails if the printed factor were right."""
    row, column = np.mgrid[:radix, :radix]
    exact = np.exp(-2j * np.pi * (row * column % radix) / radix)
    wrong = np.argwhere(np.abs(np.array(LISTED[radix]) - exact) > 1e-15 * radix)
    assert [tuple(place) for place in wrong] == ([MISPRINT] if radix == 8 else [])
