"""SWD files, read by a reader written from their specification: they hold the linear sea and its motion."""

import math
import struct
from types import SimpleNamespace

import numpy as np
import pytest

from ocean import make_sea
from ocean.export.plan import ExportError, make_plan
from ocean.export.run import export
from ocean.sea.blend import make_spectrum
from tests.messages import naming
from tests.reference.sea import WaveSum

from .plans import plan
from .test_plan import DEFAULTS


def read(path):
    """Return the header and the steps (step, 4, jx, jy) of a file, by swd_format.rst."""
    data, at = path.read_bytes(), 0

    def take(form):
        nonlocal at
        at += struct.calcsize(form)
        return struct.unpack_from(form, data, at - struct.calcsize(form))

    magic, fmt, shape, amp, program, _, nid = take("<f3i30s20si")
    text, gravity, scale, stripped, steps, dt, order, nx, ny, dkx, dky = take(f"<{nid}s2f2ifi2i2f")
    depth = take("<f")[0] if shape == 5 else math.inf
    assert (fmt, amp, scale, stripped) == (100, 1, 1, 0)
    assert (magic, gravity) == pytest.approx((37.0221, 9.81))
    values = np.frombuffer(data, "<c8", offset=at).reshape(steps, 4, nx + 1, 2 * ny + 1)
    beta = math.radians(float(text.decode().split("beta = ")[1].split(". ")[0]))
    return SimpleNamespace(
        values=values, dt=dt, dk=(dkx, dky), depth=depth, beta=beta, order=order, program=program.decode()
    )


def field(file, amplitudes, x, y):
    """Return the sum over jx and jy at world points, x east and y north."""
    cos, sin = math.cos(file.beta), math.sin(file.beta)
    jx, jy = np.arange(amplitudes.shape[0]), np.arange(amplitudes.shape[1]) - amplitudes.shape[1] // 2
    along = np.exp(-1j * file.dk[0] * np.outer(x * cos + y * sin, jx))
    across = np.exp(-1j * file.dk[1] * np.outer(y * cos - x * sin, jy))
    return np.einsum("pj,jl,pl->p", along, amplitudes, across).real


@pytest.mark.parametrize("depth", [15.0, math.inf])
def test_waves_summed_from_the_file_are_the_sea(tmp_path, depth, rng):
    """Values and rates in the file give the sea at a step and between steps."""
    water = "sea.dispersion=deep" if depth == math.inf else f"sea.depth={depth}"
    plain = "sea.choppiness=0", "cascades.blended=0", water
    wanted = plan(*plain, format="swd", maps=(), frames=4, fps=8.0, start=100.0)
    assert export(wanted, tmp_path) == 0
    files = [read(tmp_path / f"cascade{i}.swd") for i in range(2)]
    assert files[0].program.startswith("ocean ")
    assert files[0].order == 1
    x, z = rng.uniform(-500, 500, (2, 50))
    waves = make_spectrum(wanted.settings).waves
    for step, share in ((0, 0.0), (2, 0.0), (1, 0.5)):
        sample = WaveSum(waves, 100 + (step + share) / 8, 0.0).surface(x, z)
        height = rate = 0.0
        for file in files:
            assert file.depth == depth
            now, later = file.values[step : step + 2].astype(complex)
            # Cubic interpolation in time between steps; values at a step.
            h = (now[0] + later[0]) / 2 + file.dt * (now[1] - later[1]) / 8 if share else now[0]
            ht = 1.5 * (later[0] - now[0]) / file.dt - (now[1] + later[1]) / 4 if share else now[1]
            height, rate = height + field(file, h, x, -z), rate + field(file, ht, x, -z)
        # Wave numbers have single precision: 700 m away, phases are off by 2^-25 k x, heights by 2e-5 m x rms slope.
        # Between steps, heights are off by (w dt)^4 / 384, with w dt below 0.3.
        limit = 1e-4
        np.testing.assert_allclose(height, sample.height, atol=limit * sample.height.std())
        np.testing.assert_allclose(rate, sample.velocity[:, 1], atol=limit * sample.velocity[:, 1].std())


def test_the_potential_moves_the_surface(tmp_path, rng):
    """At the mean water level, phi_z is the rate of the elevation, and phi_t is -g times the elevation."""
    wanted = plan("sea.depth=15", "sea.dispersion=finite-depth", format="swd", maps=(), frames=2)
    assert export(wanted, tmp_path) == 0
    file = read(tmp_path / "cascade0.swd")
    h, ht, c, ct = file.values[1].astype(complex)
    n = h.shape[0] - 1
    k = np.hypot(file.dk[0] * np.arange(n + 1)[:, None], file.dk[1] * np.arange(-n, n + 1))
    x, y = rng.uniform(-500, 500, (2, 50))
    for given, wanted in ((c * k * np.tanh(15 * k), ht), (ct, -9.81 * h)):
        expected = field(file, wanted, x, y)
        # Frequencies are whole periods in 36 hours.
        np.testing.assert_allclose(field(file, given, x, y), expected, atol=1e-3 * expected.std())


def test_files_of_nonlinear_waves_hold_the_solution(tmp_path, rng):
    """The elevation is that of the sea, and the potential moves the water. To second order in steepness, at the mean
    water level, the surface rises by eta_t + phi_x eta_x + phi_y eta_y = phi_z + eta phi_zz."""
    solved = "sea.dynamics=nonlinear", "sea.order=2", "sea.choppiness=0", "cascades.count=1", "fft.size=64"
    gale = "sea.wind.speed=0", "sea.swell.height=5", "sea.swell.period=12", "sea.dispersion=deep"
    wanted = plan(*solved, *gale, format="swd", maps=(), frames=3, fps=2.0, start=5.0)
    assert export(wanted, tmp_path) == 0
    file = read(tmp_path / "cascade0.swd")
    assert file.order == 2
    h, ht, c, _ = file.values[2].astype(complex)
    sea = make_sea(wanted.settings)
    sea.start_waves(5.0)
    sea.update(6.0)
    heights, tile = sea.fields()["height"][0], sea.tiles[0]
    texels = rng.integers(0, 64, (2, 60))
    x, z = tile.to_world(*(texels * tile.side / 64))
    y = -z
    np.testing.assert_allclose(field(file, h, x, y), heights[texels[1], texels[0]], atol=1e-3 * heights.std())
    n = h.shape[0] - 1
    jx, jy = np.arange(n + 1)[:, None], np.arange(-n, n + 1)
    kx, ky = file.dk[0] * jx, file.dk[1] * jy
    k = np.hypot(kx, ky)
    waves = np.exp(-2j * np.pi / 192 * np.outer(np.arange(192), np.arange(-n, n + 1)))

    def on_tile(amplitudes):
        return (waves[:, n:] @ amplitudes @ waves.T).real

    def of_waves(field):
        """Return the part of a field that comes from waves in the file."""
        bins = np.hypot(*np.meshgrid(*2 * [np.fft.fftfreq(192, 1 / 192)]))
        return np.fft.ifft2(
            np.fft.fft2(field) * (bins <= np.hypot(jx, jy)[np.abs(h) > 1e-6 * np.abs(h).max()].max())
        ).real

    first = on_tile(ht - k * c)
    slopes = [(on_tile(-1j * one * c), on_tile(-1j * one * h)) for one in (kx, ky)]
    second = of_waves(sum(a * b for a, b in slopes) - on_tile(h) * on_tile(k * k * c))
    assert (first + second).std() < 0.2 * first.std()
    assert first.std() < 0.1 * on_tile(k * c).std()


def test_seas_that_do_not_fit_the_format_are_refused(tmp_path):
    with pytest.raises(ExportError, match=naming("--duration 1 swd 2")):
        plan(format="swd", maps=(), frames=1)
    with pytest.raises(ExportError, match=naming("--maps swd")):
        plan(format="swd", frames=2)
    assert make_plan(plan().settings, **{**DEFAULTS, "form": "swd", "duration": 2.0}).device == "cpu"
