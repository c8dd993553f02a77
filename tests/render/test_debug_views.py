"""Debug views: their values equal those of the reference or the sea, and the picture shows them in the legend's
colours."""

import numpy as np
import pytest

from ocean.common.resources import config
from ocean.gpu.context import Fence
from ocean.render.camera import LAYOUT
from ocean.render.debug_drawing import MARGIN
from ocean.render.debug_views import DEBUG_VIEWS
from ocean.render.frame import FrameRenderer
from ocean.sea.foam import FoamRules
from ocean.settings import PICTURE, load_settings, with_values
from ocean.waves.fields import FIELDS
from tests.reference import foam as foam_reference
from tests.reference import sea as reference

from ..marks import slow
from .colours import coloured
from .conftest import SMALL, debug_values, make_tables_coarse, rays, read_light, read_picture
from .meshes import displacement_between, triangles

pytestmark = pytest.mark.usefixtures("coarse_sky")
SEA = ("sea.wind.speed=14", "sky.exposure=-2")
LIGHT = [name for name in DEBUG_VIEWS if name.startswith("light-")]


def show(renderer, time=20.0, **values):
    """Return the values that a debug view shows, (height, width, 4)."""
    renderer.apply(with_values(renderer.settings, {f"stage.{key}": value for key, value in values.items()}))
    renderer.render(time)
    return debug_values(renderer).astype("f8")


@pytest.fixture(scope="module")
def above_foam(context):
    """Yield a renderer that looks from some height at a sea with foam."""
    settings = load_settings(config("software"), overrides=[*SMALL, *SEA, "view.altitude=5"])
    with pytest.MonkeyPatch.context() as patch:
        make_tables_coarse(patch)
        renderer = FrameRenderer(context, settings, (240, 135))
    for i in range(10):
        renderer.sea.update(17.0 + i / 10, (0.0, 0.0))
    yield renderer, settings
    renderer.release()


@pytest.fixture
def seen(above_foam):
    """Return the renderer of `above_foam` with its first settings."""
    renderer, settings = above_foam
    renderer.apply(settings)
    return renderer


FIRST = {view.scale: name for name, view in reversed(DEBUG_VIEWS.items())}.values()
"""One debug view for each scale. Each other view compiles one more program."""


@pytest.mark.parametrize(("name", "expected"), [("spectrum", set()), ("slopes", {"ride", "mesh", "environment"})])
def test_views_of_a_tile_run_no_passes_of_view_and_sky(seen, name, expected):
    show(seen, view=name)
    assert {step.name for step in seen.passes} & {"ride", "mesh", "raster", "environment", "sky"} == expected


@pytest.mark.parametrize(
    "names", [FIRST, slow([name for name in DEBUG_VIEWS if name not in FIRST])], ids=["scales", "all"]
)
def test_each_view_shows_its_values_in_the_colours_of_its_legend(seen, names):
    seen.apply(with_values(seen.settings, {"foam.spray": 5.0}))
    for name, view in ((name, DEBUG_VIEWS[name]) for name in names):
        values = show(seen, view=name)
        picture = read_picture(seen).astype(float)
        low, high = seen.debug.range(seen.scene)
        expected = 255 * coloured(view.scale, values[..., :3], low, high)
        rows, columns, _ = seen.debug.legend(seen.scene).shape
        there = values[..., 3] > 0
        there[len(there) - MARGIN - rows :, there.shape[1] - MARGIN - columns :] = False  # the legend
        assert there.any(), name
        # The difference is a palette's next colour, where a value lies between two, or rounding.
        near = np.abs(picture - expected)[there].max(axis=-1) <= (
            6 if view.scale in ("linear", "log", "signed", "edges") else 2
        )
        assert near.mean() > 0.999, name
        assert np.isfinite(values).all(), name
        assert picture[there].max() > 30, name
        assert seen.ctx.error == "GL_NO_ERROR", name


def test_the_legend_lies_in_the_lower_right_corner_and_fits(make_renderer):
    for size in ((320, 180), (64, 40)):
        renderer = make_renderer(size=size)
        show(renderer, view="jacobian")
        drawn = renderer.debug.legend(renderer.scene).astype(float)
        picture = read_picture(renderer)
        if size[0] > drawn.shape[1] + 2 * MARGIN:
            rows, columns = drawn.shape[:2]
            shown = picture[size[1] - MARGIN - rows : size[1] - MARGIN, size[0] - MARGIN - columns : size[0] - MARGIN]
            opaque = drawn[..., 3] == 255
            np.testing.assert_allclose(shown[opaque], drawn[..., :3][opaque], atol=1)
            assert opaque.sum() > 200


@pytest.mark.parametrize("size", [(400, 200), (330, 620), (470, 620)])  # the last is the view of software's window
def test_legend_and_map_do_not_cover_each_other(make_renderer, size):
    renderer = make_renderer(size=size)
    there = show(renderer, view="packed")[..., 3] > 0
    rows, columns, _ = renderer.debug.legend(renderer.scene).shape
    assert not there[size[1] - MARGIN - rows :, size[0] - MARGIN - columns :].any()
    assert there.sum() > (0.8 * min(size)) ** 2


@pytest.mark.parametrize("fused", ["true", "false"])
def test_views_of_waves_and_maps_agree_with_the_reference(make_renderer, rng, fused):
    renderer = make_renderer(*SEA, f"fft.fused={fused}", size=(64, 64))
    time = float(rng.uniform(0, 1e5))
    for cascade in (0, 1, 2):
        values = {name: show(renderer, time, view=name, cascade=cascade + 1) for name in ("amplitudes", "spectrum")}
        waves = renderer.sea.spectrum.waves[cascade]
        H = reference.spectrum(waves.h0, waves.steps, reference.ticks_of(time, waves.period))
        for name, exact in (("amplitudes", waves.h0), ("spectrum", H)):
            np.testing.assert_allclose(as_complex(values[name]), exact, atol=1e-5 * np.abs(exact).max())
        factors = reference.transfers(waves.tile, 64, waves.depth, waves.dispersion)
        pairs = zip(FIELDS[::2], FIELDS[1::2], strict=True)
        packed = [H * factors[real] + 1j * H * factors[imaginary] for real, imaginary in pairs]
        for index in rng.permutation(8)[:4]:
            field = FIELDS[index]
            found = show(renderer, time, view="packed", field=field)
            np.testing.assert_allclose(
                as_complex(found), packed[index // 2], atol=1e-5 * np.abs(packed[index // 2]).max()
            )
            found = show(renderer, time, view="field", field=field)
            np.testing.assert_array_equal(found[..., 0], renderer.sea.fields()[field][cascade])


def test_views_of_waves_end_at_the_band_of_the_cascade(make_renderer):
    renderer = make_renderer(*SEA, "fft.size=128", size=(116, 116))
    shown = show(renderer, view="amplitudes")[..., 0]
    exact = np.abs(renderer.sea.spectrum.waves[0].h0)
    np.testing.assert_allclose(shown, np.fft.fftshift(exact)[6:-6, 6:-6], atol=1e-5 * exact.max())
    assert shown.sum() == pytest.approx(exact.sum(), rel=1e-5)
    assert all(edge.any() for edge in (shown[:3], shown[-3:], shown[:, :3], shown[:, -3:]))


def as_complex(values):
    """Return a view of wave vectors in FFT order."""
    modulus, z = values[..., 0], values[..., 1] + 1j * values[..., 2]
    np.testing.assert_allclose(modulus, np.abs(z), rtol=1e-6, atol=1e-15)
    return np.fft.ifftshift(z)


def test_views_of_the_surface_agree_with_the_maps_under_each_pixel(make_renderer, rng):
    """The camera looks straight down. Each pixel's ray meets the water at the point that the displacement of its
    triangle gives; the tolerance is 1/256 of a pixel, to which corners are rounded, because no displacement changes
    faster than its position. All other values equal the maps at that point, interpolated and blended as in the
    reference. Texture units may interpolate by 8 bits: half of the last bit along both axes, for copies whose weights
    add up to at most sqrt(3)."""
    above = "sea.wind.speed=9", "view.altitude=6", "view.pitch=-89", "view.field_of_view=10"
    renderer = make_renderer(*above, size=(160, 90))
    for place in rng.uniform(-500, 500, (3, 2)):
        view = {"view.x": place[0], "view.z": place[1], "view.heading": rng.uniform(0, 360)}
        renderer.apply(with_values(renderer.settings, view))
        rows, columns = (rng.integers(0, side, 50) for side in (90, 160))
        moved, normals, slopes, jacobian = (
            show(renderer, view=name)[rows, columns, :3] for name in ("displacement", "normals", "slopes", "jacobian")
        )
        sight = rays(renderer.settings.view, renderer.size)[rows, columns]
        eye = np.frombuffer(renderer.camera_block.read(), LAYOUT)["eye"][0, 1]  # a wave may have lifted it
        still = ((moved[:, 1] - eye)[:, None] / sight[:, 1:2] * sight - moved)[:, ::2]
        pixel = 2 * eye * np.tan(np.radians(5)) / 90  # m
        np.testing.assert_allclose(moved, displacement_between(still, *triangles(renderer)), atol=pixel / 256)
        sea, steps = interpolated(renderer.sea, *(still + place).T)
        D = sea["dxx"], sea["dzz"], sea["dxz"]
        near = np.sqrt(3) * 2**-8 * steps
        np.testing.assert_allclose(slopes[:, :2], np.stack([sea["slope_x"], sea["slope_z"]], -1), atol=near)
        np.testing.assert_allclose(jacobian[:, 0], reference.jacobian(*D, 1.0), atol=4 * near)
        np.testing.assert_allclose(normals, reference.normal(sea["slope_x"], sea["slope_z"], *D, 1.0), atol=4 * near)


def interpolated(sea, x, z):
    """Return the eight fields at world positions, linear between the maps' texels, with the slopes of the lifted
    surface; and the largest difference of a derivative between neighbouring texels."""
    each, steps = [], 0.0
    fields = sea.fields()
    for cascade, tile in enumerate(sea.tiles):
        maps = {name: fields[name][cascade].astype("f8") for name in FIELDS}
        each.append(reference.sea_at([(tile, maps)], x, z))
        derivatives = np.stack([maps[name] for name in ("dxz", "slope_x", "slope_z", "dxx", "dzz")])
        steps += max(np.abs(np.diff(derivatives, axis=axis)).max() for axis in (1, 2))
    total = {name: sum(one[name] for one in each) for name in FIELDS}
    now, along_x, along_z = (
        [np.stack([one[name] for name in names]) for one in each]
        for names in (("height", "dx", "dz"), ("slope_x", "dxx", "dxz"), ("slope_z", "dxz", "dzz"))
    )
    total["slope_x"] = total["slope_x"] + reference.lift_rate(sea.spectrum.lifts, now, along_x)
    total["slope_z"] = total["slope_z"] + reference.lift_rate(sea.spectrum.lifts, now, along_z)
    return total, steps


def test_parts_of_the_light_add_up_to_the_picture(seen):
    seen.apply(with_values(seen.settings, {"view.anisotropy": 2}))  # compute draws the picture, as it draws views
    each = np.array([show(seen, view=name) for name in LIGHT])
    parts = each.sum(axis=0)
    seen.apply(with_values(seen.settings, {"stage.view": PICTURE}))
    seen.render(20.0)
    light = read_light(seen)
    water = parts[..., 3] == len(LIGHT)
    assert water.mean() > 0.4
    # The picture's half floats keep 11 bits; parts are summed in another order.
    np.testing.assert_allclose(parts[water][:, :3], light[water], rtol=2**-10, atol=1e-6)
    assert (each[:, water, :3].max(axis=(1, 2)) > 1e-4).all()


def test_the_view_shows_the_level_of_the_mesh(make_renderer):
    renderer = make_renderer("sea.wind.speed=0", "view.pitch=-30", size=(128, 72))
    level = show(renderer, view="level")[60:]
    means = level[..., 0].mean(axis=1)
    assert (np.diff(means) <= 0).all()
    assert means[0] > means[-1]
    assert (np.log2(level[..., 1]) % 1 == 0).all()


def test_cascades_show_their_slopes(make_renderer):
    renderer = make_renderer(*SEA, "view.altitude=2", "view.pitch=-40", "sea.crests=first-order")
    slopes = show(renderer, view="slopes")
    parts = show(renderer, view="cascades")
    total = np.hypot(slopes[..., 0], slopes[..., 1])
    sums = parts[..., :3].sum(axis=-1)
    step = 2 * sums.max() / 256  # of a GPU's filter, whose weights have 8 bits along each axis
    assert (sums >= total - step).all()  # the triangle inequality
    assert (parts[..., :3].max(axis=(0, 1)) > 0.02).all()
    far = show(make_renderer(*SEA, "view.altitude=2000", "view.pitch=-5", size=(64, 36)), view="cascades")
    assert far[..., 2].max() == 0  # below a pixel


def test_the_pointer_is_read_without_waiting(seen, monkeypatch):
    monkeypatch.setattr(Fence, "wait", lambda self: pytest.fail("waited"))
    seen.debug.pointer = 100, 30
    for name in ("jacobian", "slopes"):
        values = show(seen, view=name)
        assert seen.debug.reading(seen.settings) is None  # none yet for this view
        seen.ctx.finish()
        seen.render(20.0)
        seen.ctx.finish()
        seen.render(20.0)
        reading = seen.debug.reading(seen.settings)
        assert reading.pixel == (100, 30)
        assert reading.values == pytest.approx(values[::-1][30, 100, : len(DEBUG_VIEWS[name].parts)])
        assert all(part in str(reading) for part in DEBUG_VIEWS[name].parts)
    seen.debug.pointer = 0, 134
    for _ in range(3):
        seen.render(20.0)
        seen.ctx.finish()
    assert str(seen.debug.reading(seen.settings)) == "nothing"  # the sky
    seen.debug.pointer = None
    assert seen.debug.reading(seen.settings) is None


def test_a_cascade_beyond_the_last_shows_the_last(make_renderer):
    renderer = make_renderer(*SEA, size=(64, 64))
    np.testing.assert_array_equal(show(renderer, view="field", cascade=8), show(renderer, view="field", cascade=3))
    assert "3 of 3" in renderer.debug.caption(renderer.scene)[0]


def test_breakers_leave_smooth_scars(seen):
    """Ripples around foam are damped by its strength as in the reference; other waves are not. Close pixels have
    scars of full depth: levels of the foam map before the last one that resolves breaking serve them."""
    seen.apply(with_values(seen.settings, {"foam.resolution": 256, "view.anisotropy": 2.0, "view.edge_pixels": 30.0}))
    for i in range(10):
        seen.sea.update(17.0 + i / 5, (0.0, 0.0))
    foam, scarred = (show(seen, view=view)[90:, :, 0] for view in ("foam", "slope-variance"))
    births = FoamRules().of(seen.settings, seen.sea.blend, seen.sea.foam.texels)[1]
    seen.apply(with_values(seen.settings, {"foam.amount": 0.0}))
    show(seen, time=0.0)  # resets the foam
    plain = show(seen)[90:, :, 0]
    ripples = np.minimum(seen.surface.roughness.ripple_variance / plain, 1.0)
    left = foam_reference.ripples_left(foam, births.ripples)
    assert left.min() < 0.4 < 1 < left.max() < 1.5
    np.testing.assert_allclose(scarred / plain, 1 + ripples * (left - 1), rtol=1e-5)


def test_views_follow_range_and_size_and_stay_finite(make_renderer):
    renderer = make_renderer("sea.wind.speed=0", size=(160, 90))
    for name in ("slope-variance", "spectrum", "jacobian", "foam"):
        assert np.isfinite(show(renderer, view=name)).all(), name
    low, high = renderer.debug.range(renderer.scene)
    show(renderer, range=10.0)
    assert renderer.debug.range(renderer.scene)[1] == pytest.approx(10 * high)
    renderer.resize((50, 90))
    assert show(renderer, view="jacobian").shape == (90, 50, 4)
    assert low == 0
