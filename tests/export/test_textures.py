"""Textures for engines, read by external programs, and the sidecar that describes them."""

import json
import re
import struct

import numpy as np
import png
import pytest

from ocean.export.plan import ExportError
from ocean.export.run import export
from ocean.export.sources import MapSource, open_source
from ocean.gpu.context import release_framebuffer
from ocean.sea.host import HostSea, area_means
from tests.messages import naming
from tests.reference.sea import WaveSum

from ..commands import ROOT
from .plans import plan

ALL = ("displacement", "normal", "foam")
ONE_TILE = ("cascades.count=1", "cascades.blended=0", "foam.amount=3")
N = 32


def textures(form, *overrides, maps=ALL, **options):
    return plan(*ONE_TILE, *overrides, format=form, maps=maps, frames=3, **options)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Return a function that exports in a format, once, and returns the folder."""
    made = {}

    def make(form):
        if form not in made:
            made[form] = tmp_path_factory.mktemp(form)
            assert export(textures(form), made[form]) == 0
        return made[form]

    return make


@pytest.fixture(scope="module")
def expected():
    """Return values of the textures (frame, z, x, channel), from the sum over all waves and the foam of a sea."""
    wanted = textures("raw")
    source = MapSource(wanted, HostSea(wanted.settings))
    values = {name: [] for name in ALL}
    x, z = wanted.foam_patch.points
    for index in range(3):
        foam = source.frame(index).cascades["foam"][0]
        spectrum = source.sea.spectrum
        waves = WaveSum(spectrum.waves, wanted.time(index), wanted.settings.sea.choppiness, spectrum.lifts)
        moved = np.stack(waves.displacement(x, z), -1)
        values["displacement"].append(moved)
        values["normal"].append(waves.at_rest(x.ravel(), z.ravel()).normal.reshape(moved.shape))
        values["foam"].append(foam[..., None])
    return {name: np.stack(frames) for name, frames in values.items()}


def described(folder, name):
    record = json.loads((folder / "maps.json").read_text())
    return record, next(one for one in record["textures"] if one["map"] == name)


def read(path):
    """Return the values of a PNG, (height, width, channels), by pypng."""
    width, height, rows, info = png.Reader(bytes=path.read_bytes()).read()
    assert info["bitdepth"] == 16
    return np.array([list(row) for row in rows]).reshape(height, width, info["planes"])


@pytest.mark.parametrize("name", ALL)
def test_png16_holds_the_values_to_half_a_step(folders, expected, name):
    folder = folders("png16")
    record, texture = described(folder, name)
    step = texture["scale"] / 65535
    book = texture["flip_book"]
    pixels = read(folder / book["file"])
    assert pixels.shape[:2] == (book["rows"] * N, book["columns"] * N)
    for index in range(record["frames"]):
        single = read(folder / (texture["frames"] % index))
        row, column = divmod(index, book["columns"])
        cell = pixels[row * N : (row + 1) * N, column * N : (column + 1) * N]
        np.testing.assert_array_equal(cell, single)
        values = texture["offset"] + step * single.astype("f8")
        assert np.abs(values - expected[name][index]).max() <= 0.5 * step + 1e-4


def test_png16_of_a_still_sea_is_flat(tmp_path):
    assert (
        export(plan("sea.wind.speed=0", "fft.size=16", *ONE_TILE, format="png16", maps=("displacement",)), tmp_path)
        == 0
    )
    _, texture = described(tmp_path, "displacement")
    assert (texture["offset"] + texture["scale"] * read(tmp_path / "displacement0.000000.png") == 0).all()


@pytest.mark.parametrize("name", ALL)
def test_numpy_reads_raw_arrays(folders, expected, name):
    folder = folders("raw")
    _, texture = described(folder, name)
    array = np.fromfile(folder / texture["array"]["file"], "<f4").reshape(3, N, N, texture["stored_channels"])
    channels = len(texture["channels"])
    np.testing.assert_allclose(array[..., :channels], expected[name], atol=1e-4)
    assert (array[..., channels:] == 1).all()
    np.testing.assert_array_equal(np.fromfile(folder / (texture["frames"] % 1), "<f4"), array[1].ravel())


def levels_of(values):
    """Return the mip levels of an array (frame, z, x, channel): means over squares of four texels."""
    levels = [values]
    while levels[-1].shape[1] > 1:
        levels.append(area_means(area_means(levels[-1], 1), 2))
    return levels


def stored(values):
    """Return the values as stored: a fourth channel is added to three."""
    return values if values.shape[-1] == 1 else np.concatenate([values, np.ones_like(values[..., :1])], -1)


@pytest.mark.parametrize("name", ALL)
def test_dds_holds_layers_with_their_levels(folders, expected, name):
    """Offsets and numbers follow Microsoft's DDS_HEADER and DDS_HEADER_DXT10."""
    data = (folders("dds") / f"{name}0.dds").read_bytes()
    assert data[:4] == b"DDS "
    size, _, height, width, pitch, depth, mips = struct.unpack_from("<7I", data, 4)
    assert (size, height, width, depth, mips) == (124, N, N, 1, 6)
    assert data[84:88] == b"DX10"
    form, dimension, _, layers, _ = struct.unpack_from("<5I", data, 128)
    channels = 1 if name == "foam" else 4
    assert (form, dimension, layers, pitch) == (41 if name == "foam" else 2, 3, 3, N * channels * 4)
    levels = levels_of(stored(expected[name]))
    texels = np.concatenate([level[layer].ravel() for layer in range(3) for level in levels])
    np.testing.assert_allclose(np.frombuffer(data, "<f4", offset=148), texels, atol=1e-4)


@pytest.mark.parametrize("name", ALL)
def test_ktx2_holds_levels_with_their_layers(folders, expected, name):
    """Offsets and numbers follow the KTX 2.0 specification; levels begin at multiples of a texel's bytes."""
    data = (folders("ktx2") / f"{name}0.ktx2").read_bytes()
    assert data[:12] == b"\xabKTX 20\xbb\r\n\x1a\n"
    header = struct.unpack_from("<9I", data, 12)
    assert header == (100 if name == "foam" else 109, 4, N, N, 0, 3, 1, 6, 0)
    texel = 4 if name == "foam" else 16
    for number, level in enumerate(levels_of(stored(expected[name]))):
        offset, length, plain = struct.unpack_from("<3Q", data, 80 + 24 * number)
        assert offset % texel == 0
        assert length == plain == level.size * 4
        texels = np.frombuffer(data, "<f4", level.size, offset)
        np.testing.assert_allclose(texels, level.ravel(), atol=1e-4)


def numbers(folder):
    """Return the side of the tile [m] and the seconds between frames, found as the documentation describes."""
    record = json.loads((folder / "maps.json").read_text())
    return record["tiles"][0]["side"], record["time_step"]


def test_the_shader_of_the_page_on_godot_draws_the_sea(ctx, folders, expected):
    """Godot's language is GLSL except for its header, hints of samplers, and built-in variables."""
    text = re.search(r"```glsl\n(.*?)```", (ROOT / "docs/how-to/godot.md").read_text("utf-8"), re.S)[1]
    text = re.sub(r"shader_type spatial;|varying (?=vec2)|(?<=\w) : filter_linear_mipmap, repeat_enable", "", text)
    program = ctx.program(
        vertex_shader=f"""#version 430
            uniform float TIME; uniform mat4 MODEL_MATRIX, VIEW_MATRIX;
            in vec3 place; out vec3 moved, normal, colour;
            vec3 VERTEX, NORMAL, ALBEDO; float ROUGHNESS, SPECULAR;
            {text}
            void main() {{
                VERTEX = place; vertex(); fragment();
                moved = VERTEX - place; normal = NORMAL; colour = ALBEDO;
            }}""",
        varyings=("moved", "normal", "colour"),
    )
    folder = folders("dds")
    side, step = numbers(folder)
    arrays = []
    for unit, (uniform, name) in enumerate([("displacement", "displacement"), ("normals", "normal"), ("foam", "foam")]):
        channels = 1 if name == "foam" else 4
        data = np.frombuffer((folder / f"{name}0.dds").read_bytes(), "<f4", offset=148).reshape(3, -1)
        arrays.append(ctx.texture_array((N, N, 3), channels, data[:, : N * N * channels].tobytes(), dtype="f4"))
        program[uniform] = unit
        arrays[-1].use(unit)
    row, column = (grid.ravel() for grid in np.mgrid[:N, :N])
    places = np.stack([column * side / N, 0 * row, row * side / N], -1) - [side, 0, 2 * side]  # any tile
    for name in ("MODEL_MATRIX", "VIEW_MATRIX"):
        program[name].write(np.eye(4, dtype="f4").tobytes())
    program["side"], program["texels"], program["time_step"], program["frames"] = side, N, step, 3
    program["TIME"] = (3 + 2.5) * step  # halfway from the last frame to the first, in the second loop
    points, found = ctx.buffer(places.astype("f4").tobytes()), ctx.buffer(reserve=N * N * 36)
    mesh, target = ctx.vertex_array(program, points, "place"), ctx.simple_framebuffer((1, 1))
    target.use()
    mesh.transform(found, mode=ctx.POINTS)
    moved, normal, colour = np.frombuffer(found.read(), "f4").reshape(N, N, 3, 3).transpose(2, 0, 1, 3)
    release_framebuffer(target)
    for part in (mesh, points, found, program, *arrays):
        part.release()
    middle = {name: (values[2] + values[0]) / 2 for name, values in expected.items()}
    np.testing.assert_allclose(moved, middle["displacement"], atol=1e-3)
    lengths = np.linalg.norm(middle["normal"], axis=-1, keepdims=True)
    np.testing.assert_allclose(normal, middle["normal"] / lengths, atol=1e-3)
    np.testing.assert_allclose(colour[..., 0], 0.85 * middle["foam"][..., 0], atol=1e-3)


@pytest.mark.parametrize("name", ["displacement", "normal"])
@pytest.mark.parametrize("engine", ["unity", "unreal"])
def test_documented_texture_coordinates_find_the_right_texel(folders, expected, engine, name):
    """Engines count rows differently: Unity's v grows upwards from the last row, Unreal's downwards."""
    folder = folders("png16" if engine == "unity" else "dds")
    side, _ = numbers(folder)
    column, row = np.random.default_rng().integers(-2 * N, 2 * N, (2, 50))
    east, south = np.array([column, row]) * side / N
    if engine == "unity":  # z points north
        _, texture = described(folder, name)
        texels = texture["offset"] + texture["scale"] * read(folder / f"{name}0.000001.png")[::-1] / 65535
        u, v = np.array([east, -south]) / side + np.array([[0.5], [-0.5]]) / N
    else:  # centimetres, y points south
        data = np.frombuffer((folder / f"{name}0.dds").read_bytes(), "<f4", offset=148).reshape(3, -1)
        texels = data[1, : N * N * 4].reshape(N, N, 4)[..., :3]
        u, v = np.array([100 * east, 100 * south]) / (100 * side) + 0.5 / N
    found = texels[np.floor(v % 1 * N).astype(int), np.floor(u % 1 * N).astype(int)]
    np.testing.assert_allclose(found, expected[name][1][row % N, column % N], atol=1e-3)


@pytest.mark.parametrize("form", ["raw", "dds", "ktx2"])
def test_textures_can_be_half_floats(tmp_path, form):
    wanted = textures(form, maps=("displacement",), half=True)
    assert export(wanted, tmp_path) == 0
    _, texture = described(tmp_path, "displacement")
    assert texture["type"] == "float16"
    whole = np.fromfile(tmp_path / (texture["frames"] % 0), "<f2").reshape(N, N, 4)
    fields = MapSource(wanted, HostSea(wanted.settings)).frame(0).cascades
    np.testing.assert_allclose(whole[..., 0], fields["dx"][0], rtol=2**-11, atol=1e-6)
    assert (tmp_path / texture["array"]["file"]).stat().st_size >= 3 * N * N * 4 * 2


def test_the_sidecar_lists_times_and_tiles(tmp_path):
    wanted = plan("sea.loop_period=60", format="raw", maps=("displacement",), fps=0.05, start=5.0, frames=3)
    assert export(wanted, tmp_path) == 0
    record, _ = described(tmp_path, "displacement")
    assert (record["frames"], record["time_step"], record["start"], record["loop"]) == (3, 20.0, 5.0, 60.0)
    assert record["closes"]
    assert [tile["side"] for tile in record["tiles"]] == [tile.side for tile in wanted.tiles]
    assert [tile["rotation"] for tile in record["tiles"]] == [tile.rotation for tile in wanted.tiles]
    assert len(record["textures"]) == 2


@pytest.mark.parametrize("device", ["cpu", "gpu"])
def test_foam_of_a_tile_repeats_over_its_side(ctx, device):
    """A sea that is moved by one side has equal foam at equal texels."""
    wanted = textures("raw", device=device, maps=("foam",))
    side = wanted.tiles[0].side
    found = []
    for shift in (0.0, side):
        with open_source(wanted, ctx if device == "gpu" else None) as source:
            patch = wanted.foam_patch
            moved = type(patch)(patch.width, patch.depth, patch.spacing, tuple(c + shift for c in patch.centre))
            source.foam.release()
            source.foam = type(source.foam)(source.sea, moved)
            found.append(source.frame(0).cascades["foam"])
    assert found[0].max() > 0.1
    np.testing.assert_allclose(found[0], found[1], atol=0.02)  # positions are rounded differently, and foam has edges


def test_foam_of_several_cascades_is_refused_with_the_remedy():
    with pytest.raises(ExportError, match=naming("--set cascades.count=1")) as error:
        plan(format="png16", maps=("foam",))
    remedy = str(error.value).partition("--set ")[2].replace("--set ", "").split()
    assert plan(*remedy, format="png16", maps=("foam",)).maps == ("foam",)
