"""Half-float copies of the maps: values, readers, and cost."""

import numpy as np
import pytest

from ocean import fft
from ocean.fft.storage import Callback
from ocean.gpu.passes import run_passes
from ocean.settings import with_values
from ocean.waves import whitecaps
from tests.messages import naming

from ..gpu.test_mips import read_back
from ..marks import slow
from ..render.conftest import made_once, make_renderer, read_picture  # noqa: F401 -- fixtures
from ..render.test_goldens import MOST, SHARE
from ..seas import check_fields, mip_levels
from .test_foam import read_foam
from .test_fused import FUSING

HALVES = "fft.half_derivatives=true"
ROUNDED = 2.0**-11  # relative: half of the last of a half's 11 bits
SMALLEST, STEP = 2.0**-14, 2.0**-24  # below the first, halves lose bits and are the second apart
CUT = 2.0**-10  # relative: the largest error of a driver that truncates


def whole(sea):
    """Return the maps, float32 (layer, N, N, 4)."""
    side = sea.size
    return np.frombuffer(sea.maps.read(), "f4").reshape(-1, side, side, 4)


def halves(sea):
    side = sea.size
    return np.frombuffer(sea.filtered.read(), "f2").reshape(-1, side, side, 4)


@pytest.mark.parametrize("fused", ["true", pytest.param("false", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("backend", "size", "options"),
    [
        *(slow(name, size, "") for name, size in FUSING.items()),
        ("stockham-radix4", 32, ""),
        ("dft", 22, ""),
        ("stockham-registers", 90, ""),
        *(("stockham-registers", 30, f"middle = '{middle}'") for middle in ("buffer", "blocks")),
    ],
)
def test_half_copies_are_rounded_maps(make_sea, backend, size, options, fused):
    """Copies are rounded to nearest, with the same bits as numpy's. Denormal numbers are as exact as the driver makes
    them."""
    sea = make_sea(
        f"fft.backend={backend}", f"fft.size={size}", f"fft.fused={fused}", f"fft.options={{{options}}}", HALVES
    )
    check_fields(sea, 4321.5, 1e-5)
    exact, copies = whole(sea), halves(sea)
    assert isinstance(sea.plan, fft.FusedPlan) == (fused == "true")
    assert sea.filtered.size == (size, size, 6)
    large = np.abs(exact) >= SMALLEST
    assert large.mean() > 0.5
    np.testing.assert_array_equal(copies[large], exact.astype("f2")[large])
    assert np.abs(copies[~large] - exact[~large]).max(initial=0.0) <= STEP


@pytest.mark.parametrize("size", [64, 90])
def test_filtered_maps_have_mip_levels(make_sea, ctx, size):
    """Maps have mip levels of displacements. Mip levels of the copies are means of copies, which a driver may
    truncate."""
    sea = make_sea(f"fft.size={size}", HALVES)
    sea.update(1.0)
    maps = np.frombuffer(sea.maps.read(), "f4").reshape(-1, size, size, 4)
    for level, (whole_mean, half_mean) in enumerate(zip(mip_levels(maps[::2]), mip_levels(halves(sea)), strict=True)):
        groups = (size >> level, size >> level, 3)
        found = read_back(ctx, sea.maps, "texelFetch(source, ivec3(id.xy, 2u * id.z), level)", groups, level=level)
        groups = (size >> level, size >> level, 6)
        np.testing.assert_allclose(found, whole_mean, atol=1e-6)
        found = read_back(ctx, sea.filtered, "texelFetch(source, ivec3(id), level)", groups, level=level)
        lost = level * (CUT * np.abs(halves(sea)).max() + STEP)
        np.testing.assert_allclose(found, half_mean, atol=lost)


@pytest.mark.parametrize("backend", sorted(set(fft.BACKENDS) - set(FUSING)))
def test_kernels_of_several_dispatches_make_no_half_copies(make_sea, backend):
    sea = make_sea(f"fft.backend={backend}", HALVES)
    sea.update(1.0)
    assert sea.filtered is sea.maps
    assert [step.name for step in sea.passes] == ["evolve", "rows", "columns", "mip levels", "foam"]
    with pytest.raises(fft.FFTError, match=naming(backend, "several dispatches")):
        fft.plan(sea.ctx, backend, sea.storage, target=Callback("spectrum/store.glsl", 0, lambda: None))


def test_settings_turn_the_copies_on_and_off(make_sea):
    """The setting works with all others. The fixture `ctx` checks that no object is left."""
    sea = make_sea("fft.half_derivatives=false")
    for changes, there in [
        ({"fft.half_derivatives": True}, True),
        ({"fft.backend": "four-step"}, False),
        ({"fft.backend": "dft", "fft.size": 32}, True),
        ({"cascades.count": 2}, True),
        ({"fft.half_derivatives": False}, False),
    ]:
        sea.apply(with_values(sea.settings, changes))
        sea.update(2.0)
        assert (sea.filtered is not sea.maps) == there
        if there:
            np.testing.assert_allclose(halves(sea), whole(sea), rtol=ROUNDED, atol=STEP)


def test_foam_is_born_at_the_same_places(make_sea):
    """J = (1 + Dxx)(1 + Dzz) - Dxz² changes by at most |1 + D| times the error of the copies, twice. Errors come from
    rounding, from up to six levels, and from blended copies of a tile, whose weights add up to at most sqrt(3)."""
    foams = []
    for value in ("false", "true"):
        sea = make_sea("sea.wind.speed=18", f"fft.half_derivatives={value}")
        sea.update(3.0)
        foams.append(read_foam(sea))
    most = np.sqrt(3) * np.abs(whole(sea)[1::2, ..., 2:]).max((1, 2, 3))
    lost = (ROUNDED + 6 * CUT) * most.sum() + 6 * STEP
    assert 0 < np.abs(foams[1] - foams[0]).max() < 2 * (1 + most.sum()) * lost / whitecaps.BIRTH_WIDTH
    assert foams[0].any()


# -- The picture -----------------------------------------------------------------------------------------------------


def test_pictures_with_half_copies_are_alike(make_renderer):  # noqa: F811
    """Pixels differ no more than golden pictures may; a few at edges of foam may differ more."""
    pictures = []
    for value in ("false", "true"):
        renderer = make_renderer(f"fft.half_derivatives={value}", "sea.wind.speed=14")
        renderer.render(3.0)
        pictures.append(read_picture(renderer).astype(int))
    assert (np.abs(pictures[1] - pictures[0]).max(axis=-1) <= MOST).mean() >= SHARE


@pytest.mark.parametrize(("view", "first", "count"), [("picture", "raster", 3), ("cascades", "debug view", 2)])
def test_the_surface_is_shaded_from_the_copies(make_renderer, view, first, count):  # noqa: F811
    """If the copies are those of a flat sea, the sea looks flat, because shading does not read the derivatives in the
    maps."""
    renderer = make_renderer(HALVES, "sea.wind.speed=14", f"stage.view={view}", size=(160, 90))
    sea = renderer.sea
    renderer.render(3.0)
    names = [step.name for step in renderer.passes]
    again = renderer.passes[names.index(first) :]
    assert len(again) >= count

    def drawn_without(texture, layers):
        side = sea.size
        for layer in layers:
            texture.write(bytes(side * side * 4 * int(texture.dtype[1])), viewport=(0, 0, layer, side, side, 1))
        sea.begin(3.0, (0.0, 0.0))
        run_passes(renderer.ctx, again)
        return read_picture(renderer)

    before = drawn_without(sea.maps, ())
    np.testing.assert_array_equal(drawn_without(sea.maps, range(1, 6, 2)), before)
    assert np.abs(drawn_without(sea.filtered, range(6)).astype(int) - before).max() > 20
