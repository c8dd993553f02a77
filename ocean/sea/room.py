"""Whether a GPU has room for the maps of a sea, asked before anything is allocated."""

import moderngl

from ocean.fft import FFTError
from ocean.gpu.memory import free_bytes, takes_array
from ocean.settings import USUAL_SIZES, Settings

GIB = 1 << 30
MAPS = 2 * 16 * 4 / 3  # bytes a texel and cascade: two layers RGBA32F with mip levels
WAVES = 8 + 8 + 4 + 2 * 4  # draw, amplitudes, loop steps, two variances
HALF_MAPS = 2 * 8 * 4 / 3


def expected_bytes(settings: Settings) -> int:
    """Return the GPU memory that maps and waves of a sea take at the least. Some FFT backends need a copy of the maps
    beside it, and a blend to another sea takes as much again."""
    texel = MAPS + WAVES + (HALF_MAPS if settings.fft.half_derivatives else 0.0)
    return round(settings.cascades.count * settings.fft.size**2 * texel)


def refuse_shortage(ctx: moderngl.Context, settings: Settings) -> None:
    """Raise an error if the GPU can't hold the sea.

    Raises:
        FFTError: with what is needed, what there is, and the largest usual size that fits.
    """
    if (reason := shortage(ctx, settings)) is None:
        return
    smaller = (size for size in sorted(USUAL_SIZES, reverse=True) if size < settings.fft.size)
    sized = (
        (size, settings.model_copy(update={"fft": settings.fft.model_copy(update={"size": size})})) for size in smaller
    )
    fitting = next((size for size, one in sized if shortage(ctx, one) is None), None)
    advice = f"choose fft.size = {fitting} or fewer cascades" if fitting else "choose fewer cascades"
    raise FFTError(f"fft.size = {settings.fft.size} with {settings.cascades.count} cascades {reason}; {advice}")


def shortage(ctx: moderngl.Context, settings: Settings) -> str | None:
    """Return why the GPU can't hold the sea, or None if nothing speaks against it."""
    size, layers = settings.fft.size, 2 * settings.cascades.count
    needed, free = expected_bytes(settings), free_bytes(ctx)
    if free is not None and needed > free:
        return f"needs {needed / GIB:.1f} GiB of GPU memory, of which {max(free, 0) / GIB:.1f} GiB are free"
    if not takes_array(ctx, (size, size, layers)):
        texture = 16 * size * size * layers
        return f"needs a texture of {texture / GIB:.1f} GiB, which this driver refuses"
    return None
