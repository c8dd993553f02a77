"""The memory that a sea needs, checked before anything is allocated."""

import moderngl

from ocean.fft import FFTError
from ocean.gpu.memory import GIB, free_host_bytes, lacking
from ocean.sea.blend import at_size
from ocean.sea.nonlinear import points_for, solver_layers
from ocean.settings import USUAL_SIZES, Settings
from ocean.settings.files import Resolved
from ocean.waves.nonlinear import smallest_grid
from ocean.waves.tiles import make_tiles

MAPS = 2 * 16 * 4 / 3  # bytes per texel and cascade: two layers RGBA32F with mip levels
WAVES = 8 + 8 + 4 + 2 * 4  # bytes per texel and cascade: draw, amplitudes, loop steps, two variances
HALF_MAPS = 2 * 8 * 4 / 3
STATES = 4 + 4 * 8 + 8 + 2 * 4 + 8  # per point of nonlinear waves: loop steps, states, losses, viscosities, product
COMPLEX = 8  # bytes of a complex number


def expected_bytes(settings: Settings) -> int:
    """Return the minimum GPU memory of a sea's maps and waves. Some FFT backends also need a copy of the maps, and a
    blend to another sea takes as much again."""
    texel = MAPS + WAVES + (HALF_MAPS if settings.fft.half_derivatives else 0.0)
    return round(settings.cascades.count * settings.fft.size**2 * texel) + solver_bytes(settings)


def solver_bytes(settings: Settings) -> int:
    """Return the part of `expected_bytes` that nonlinear waves take."""
    if not settings.sea.is_nonlinear:
        return 0
    numbers = sum(layers * packed for layers, packed in solver_layers(settings.sea.order))
    return points_for(*_solver(settings)) ** 2 * (STATES + COMPLEX * numbers)


def refuse_shortage(ctx: moderngl.Context, settings: Resolved) -> None:
    """Refuse a sea that the GPU can't hold. Raises FFTError with the needed memory, the free memory, and the largest
    usual size that fits."""
    if (reason := _shortage(ctx, settings)) is None:
        return
    smaller = (size for size in sorted(USUAL_SIZES, reverse=True) if size < settings.fft.size)
    fitting = next((size for size in smaller if _shortage(ctx, at_size(settings, size)) is None), None)
    less = "a lower sea.order" if settings.sea.is_nonlinear else "fewer cascades"
    advice = f"choose fft.size = {fitting} or {less}" if fitting else f"choose {less}"
    raise FFTError(f"{_asked(settings)} {reason}; {advice}")


def refuse_host_shortage(settings: Settings) -> None:
    """Refuse nonlinear waves whose solver the processor's memory can't hold. Raises FFTError with the needed memory and
    the free memory."""
    if not settings.sea.is_nonlinear:
        return
    order, free = settings.sea.order, free_host_bytes()
    # Measured: fields in float64 and half spectra, most of them vertical derivatives of each order.
    needed = 8 * (order * (order + 1) // 2 + 4 * order + 26) * smallest_grid(*_solver(settings)) ** 2
    if free is not None and needed > free:
        there = f"needs {needed / GIB:.1f} GiB of memory; {free / GIB:.1f} GiB are free"
        raise FFTError(f"{_asked(settings)} {there}; choose a smaller fft.size or a lower sea.order")


def _shortage(ctx: moderngl.Context, settings: Settings) -> str | None:
    """Return why the GPU can't hold the sea, or None if it can."""
    arrays = [(settings.fft.size, 2 * settings.cascades.count)]
    if settings.sea.is_nonlinear:
        arrays.append((points_for(*_solver(settings)), max(solver_layers(settings.sea.order))[0]))
    return lacking(ctx, expected_bytes(settings), [(size, size, layers) for size, layers in arrays])


def _solver(settings: Settings) -> tuple[float, float, int]:
    """Return the largest cutoff [rad/m], the side of the tile [m] and the order of nonlinear waves."""
    tile = make_tiles(settings.cascades.count, settings.sea.longest_peak)[0]
    return tile.cutoff(settings.fft.size), tile.side, settings.sea.order


def _asked(settings: Settings) -> str:
    order = f" and sea.order = {settings.sea.order}" if settings.sea.is_nonlinear else ""
    return f"fft.size = {settings.fft.size} with {settings.cascades.count} cascades{order}"
