"""Panoramas: both formats, the sun that is cut out, and errors for unusable files."""

import os
from pathlib import Path

import numpy as np
import pytest

from ocean.common.errors import shown
from ocean.common.pictures import read_panorama, to_rec709
from ocean.light.panorama import directions, without_sun
from ocean.settings import SettingsError, load_settings, with_values
from ocean.settings.files import resolve
from tests.messages import naming, unnamed


def write_hdr(path, picture, compressed):
    """Write a Radiance picture in Ward's format (1991), with runs of equal bytes if `compressed`."""
    rows, columns, _ = picture.shape
    exponent = np.ceil(np.log2(np.maximum(picture.max(axis=2), 1e-30)) + 1e-9).astype(int)
    mantissa = np.floor(picture / 2.0 ** (exponent - 8)[..., None]).astype("u1")
    rgbe = np.concatenate([mantissa, (exponent + 128)[..., None].astype("u1")], axis=2)
    body = bytearray()
    for row in rgbe:
        if not compressed:
            body += row.tobytes()
            continue
        body += bytes([2, 2, columns >> 8, columns & 255])
        for channel in row.T:
            start = 0
            while start < columns:
                end = start + 1
                while end < min(columns, start + 127) and channel[end] == channel[start]:
                    end += 1
                body += bytes([128 + end - start, channel[start]]) if end - start > 2 else bytes([1, channel[start]])
                start = end if end - start > 2 else start + 1
    path.write_bytes(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n" % (rows, columns) + bytes(body))


def sky_with_sun(rows=64, heading=90.0, elevation=30.0, power=5000.0):
    """Return the picture of a plain sky with a sun in one pixel, the sun's direction and its irradiance."""
    towards = directions(rows, 2 * rows)
    h, e = np.radians([heading, elevation])
    sun = np.array([np.cos(e) * np.sin(h), np.sin(e), -np.cos(e) * np.cos(h)])
    picture = np.full((rows, 2 * rows, 3), (0.5, 0.7, 1.0))
    at = np.unravel_index((towards @ sun).argmax(), (rows, 2 * rows))
    picture[at] += power
    solid_angle = (np.pi / rows) ** 2 * np.cos(np.arcsin(towards[at][1]))
    return picture, sun, power * solid_angle


@pytest.mark.parametrize("name", ["flat.hdr", "runs.hdr", "open.exr"])
def test_both_formats_are_read_and_the_sun_found(tmp_path, name):
    """Values agree within 1/128 of the largest channel, because RGBE holds 8 bits. The sun's direction agrees within a
    pixel."""
    picture, sun, irradiance = sky_with_sun()
    path = tmp_path / name
    if path.suffix == ".exr":
        OpenEXR = pytest.importorskip("OpenEXR")
        header = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage}
        with OpenEXR.File(header, {"RGB": picture.astype("f4")}) as file:
            file.write(str(path))
    else:
        write_hdr(path, picture, compressed=name == "runs.hdr")
    found = without_sun(read_panorama([path]))
    assert np.abs(found.picture - (0.5, 0.7, 1.0)).max() < 1 / 128 + 1e-6
    assert np.degrees(np.arccos(np.dot(found.sun, sun))) < 180 / 64
    np.testing.assert_allclose(found.irradiance, irradiance, rtol=1 / 100)


INPUTS = Path(__file__).parent / "inputs"
MEANS = {
    "hdr-mixed-lines.hdr": 1.525, "hdr-old-rle.hdr": 1.512, "hdr-exposure-2.hdr": 1.525 / 2,
    "exr-layer.exr": 0.9885, "exr-mixed-types.exr": 0.9885,
}  # fmt: skip


@pytest.mark.parametrize("name", MEANS)
def test_pictures_of_other_programs_are_read(name):
    """The files have invented light, in layouts that other programs write."""
    if name.endswith(".exr"):
        pytest.importorskip("OpenEXR")
    assert read_panorama([INPUTS / name]).pixels.mean() == pytest.approx(MEANS[name], rel=1e-3)


@pytest.mark.parametrize(
    "size", ["-Y 4 +X 8", "+Y 4 +X 8", "-Y 4 -X 8", "+Y 4 -X 8", "-X 8 +Y 4", "+X 8 -Y 4", "+X 8 +Y 4"]
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_all_orientations_are_read(tmp_path, size, end):
    """-Y 4 +X 8 has rows from the top, each from the left. Exposures multiply, except those of other pictures,
    which are indented; light is divided by them."""
    picture = np.random.default_rng(1).integers(2, 255, (4, 8, 4)).astype("u1")
    picture[..., 3] = 129
    first, _, second, _ = size.split()
    stored = picture.transpose(1, 0, 2) if first[1] == "X" else picture
    stored = stored[::-1] if first in ("+Y", "-X") else stored
    stored = stored[:, ::-1] if second in ("+Y", "-X") else stored
    head = (
        "#?RADIANCE\nGAMMA=1\nEXPOSURE=2\nEXPOSURE= 0.25\n\tEXPOSURE=8\nCOLORCORR= 2 1 0.5\nFORMAT=32-bit_rle_rgbe\n\n"
    )
    head = f"{head}{size}\n".replace("\n", end)
    (tmp_path / "sky.hdr").write_bytes(head.encode() + stored.tobytes())
    expected = (picture[..., :3] + 0.5) / 128 / 0.5 / (2, 1, 0.5)
    np.testing.assert_allclose(read_panorama([tmp_path / "sky.hdr"]).pixels, expected, rtol=1e-6)


WIDE = 0.708, 0.292, 0.170, 0.797, 0.131, 0.046, 0.3127, 0.3290
TO_WIDE = ((0.6274, 0.3293, 0.0433), (0.0691, 0.9195, 0.0114), (0.0164, 0.0880, 0.8956))
"""Chromaticities of ITU-R BT.2020, and the matrix from BT.709 to it (ITU-R BT.2087-0)."""


@pytest.mark.parametrize("name", ["sky.exr", "sky.hdr"])
def test_wide_primaries_become_those_of_the_program(tmp_path, name):
    """RGBE holds the values within 1/128 of the largest channel, which the inverse matrix enlarges by at most 2."""
    light = np.random.default_rng(2).uniform(0.2, 1.0, (8, 16, 3))
    wide = light @ np.transpose(TO_WIDE)
    if name == "sky.exr":
        write_exr(tmp_path / name, {"chromaticities": WIDE}, **dict(zip("RGB", np.moveaxis(wide, 2, 0), strict=True)))
    else:
        write_hdr(tmp_path / name, wide, compressed=False)
        content = (tmp_path / name).read_bytes()
        line = f"PRIMARIES={' '.join(map(str, WIDE))}\n".encode()
        (tmp_path / name).write_bytes(content.replace(b"FORMAT", line + b"FORMAT", 1))
    tolerance = 2 / 128 if name == "sky.hdr" else 1e-3
    np.testing.assert_allclose(read_panorama([tmp_path / name]).pixels, light, atol=tolerance)


@pytest.mark.parametrize("name", ["sky.exr", "sky.hdr"])
def test_xyz_becomes_red_green_and_blue(tmp_path, name):
    """By Radiance's own matrix to its primaries, and from these to those of the program."""
    light = np.random.default_rng(2).uniform(0.2, 1.0, (8, 16, 3))
    light[:, :4] = 0.5  # grey stays grey
    to_rgb = np.array([[2.5653, -1.1668, -0.3984], [-1.0221, 1.9783, 0.0438], [0.0747, -0.2519, 1.1772]])
    xyz = light @ np.linalg.inv(to_rgb).T
    if name == "sky.exr":
        chromaticities = 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1 / 3, 1 / 3
        write_exr(
            tmp_path / name, {"chromaticities": chromaticities}, **dict(zip("RGB", np.moveaxis(xyz, 2, 0), strict=True))
        )
    else:
        write_hdr(tmp_path / name, xyz, compressed=False)
        (tmp_path / name).write_bytes((tmp_path / name).read_bytes().replace(b"rgbe", b"xyze", 1))
    found = read_panorama([tmp_path / name]).pixels
    expected = light @ to_rec709((0.64, 0.33, 0.29, 0.60, 0.15, 0.06, 1 / 3, 1 / 3)).T
    np.testing.assert_allclose(found, expected, atol=0.03 if name == "sky.hdr" else 1e-3)
    np.testing.assert_allclose(found[:, :4], 0.5, atol=0.02)


@pytest.mark.parametrize("wrong", [(0.3, 0.3, 0.4, 0.4, 0.5, 0.5, 0.3127, 0.329), (*WIDE[:6], 0.3, 0.0)])
def test_impossible_primaries_are_refused(tmp_path, wrong):
    write_exr(tmp_path / "x.exr", {"chromaticities": wrong}, Y=np.ones((4, 8), "f4"))
    with pytest.raises(ValueError, match=naming("chromaticities 0.3")):
        read_panorama([tmp_path / "x.exr"])


@pytest.mark.parametrize(("x", "y", "columns", "rows"), [(3, 1, 4, 2), (-2, -1, 12, 6), (-2, 1, 12, 2)])
def test_the_data_of_an_exr_have_their_place_in_the_picture(tmp_path, x, y, columns, rows):
    """Programs leave out black borders, or keep more than the picture."""
    data = np.arange(1, columns * rows + 1, dtype="f4").reshape(rows, columns)
    corners = lambda *at: (np.array(at[:2], "i4"), np.array(at[2:], "i4"))  # noqa: E731
    windows = {"displayWindow": corners(0, 0, 7, 3), "dataWindow": corners(x, y, x + columns - 1, y + rows - 1)}
    write_exr(tmp_path / "x.exr", windows, Y=data)
    expected = np.pad(data, 8)[8 - y : 12 - y, 8 - x : 16 - x]
    np.testing.assert_array_equal(read_panorama([tmp_path / "x.exr"]).pixels[..., 0], expected)


def test_the_picture_comes_before_other_layers(tmp_path):
    layers = {f"ViewLayer.{name}.{colour}": np.full((4, 8), value, "f4")
              for name, value in (("AO", 7.0), ("Combined", 5.0)) for colour in "RGB"}  # fmt: skip
    write_exr(tmp_path / "layers.exr", **layers)
    assert read_panorama([tmp_path / "layers.exr"]).pixels.max() == 5.0
    composite = {f"Composite.Combined.{colour}": np.ones((4, 8), "f4") for colour in "RGB"}
    write_exr(tmp_path / "layers.exr", **layers, **composite)
    assert read_panorama([tmp_path / "layers.exr"]).pixels.max() == 1.0


@pytest.mark.parametrize(("main", "colours"), [("Combined", "RGB"), ("rgba", "rgb"), ("Composite.Combined", "RGB")])
def test_names_of_parts_are_layers(tmp_path, main, colours):
    """The parts of a file are in any order. Integers are numbers of objects."""
    OpenEXR = pytest.importorskip("OpenEXR")
    named = {"DiffDir": np.full((4, 8), 7.0, "f4"), main: np.ones((4, 8), "f4"), "ids": np.full((4, 8), 9, "u4")}
    parts = [
        OpenEXR.Part({"name": name, "type": OpenEXR.scanlineimage}, dict.fromkeys(colours, values))
        for name, values in named.items()
    ]
    with OpenEXR.File(parts) as file:
        file.write(str(tmp_path / "parts.exr"))
    assert read_panorama([tmp_path / "parts.exr"]).pixels.max() == 1.0
    del parts[1]
    with OpenEXR.File([*parts, OpenEXR.Part({"name": "AO", "type": OpenEXR.scanlineimage}, parts[0].channels)]) as file:
        file.write(str(tmp_path / "parts.exr"))
    with pytest.raises(ValueError, match=naming("several AO DiffDir")):
        read_panorama([tmp_path / "parts.exr"])


@pytest.mark.parametrize(
    ("names", "named"),
    [
        (("N.X", "N.Y", "N.Z"), "N.X N.Y N.Z"),
        (("X", "Y", "Z"), "X Y Z"),
        (("Y", "RY", "BY"), "Y RY BY"),
        ([f"{layer}.{colour}" for layer in ("AO", "DiffCol") for colour in "RGB"], "several AO DiffCol"),
        (("overR", "overG", "overB"), "overR overG overB"),
    ],
)
def test_channels_that_are_no_picture_are_refused_by_name(tmp_path, names, named):
    write_exr(tmp_path / "x.exr", **dict.fromkeys(names, np.ones((4, 8), "f4")))
    with pytest.raises(ValueError, match=naming(named)):
        read_panorama([tmp_path / "x.exr"])


def write_exr(path, header=None, **channels):
    OpenEXR = pytest.importorskip("OpenEXR")
    whole = {name: np.ascontiguousarray(values, "f4") for name, values in channels.items()}
    with OpenEXR.File({"type": OpenEXR.scanlineimage} | (header or {}), whole) as file:
        file.write(str(path))


def test_values_beside_light_are_replaced_with_a_remark(tmp_path):
    light = np.full((4, 8), 100.0, "f4")
    light[1, 2], light[2, 3], light[3, 0] = -0.5, -0.1, np.inf
    write_exr(tmp_path / "grey.exr", Y=light)
    found = read_panorama([tmp_path / "grey.exr"])
    assert found.pixels[[1, 2, 3], [2, 3, 0]].tolist() == [[0.0] * 3, [0.0] * 3, [100.0] * 3]
    assert unnamed(found.remark, "-0.5 column 2 row 1 5 more inf column 0 row 3 100") == []
    for value in (np.nan, -2.0):
        light[1, 2] = value
        write_exr(tmp_path / "wrong.exr", Y=light)
        with pytest.raises(ValueError, match=naming("light column 2 row 1")):
            read_panorama([tmp_path / "wrong.exr"])


def test_an_overcast_picture_has_no_sun(tmp_path):
    picture = np.random.default_rng(3).uniform(0.5, 2.0, (16, 32, 3))
    write_hdr(tmp_path / "grey.hdr", picture, compressed=True)
    assert without_sun(read_panorama([tmp_path / "grey.hdr"])).irradiance == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("name", "content", "named"),
    [
        ("sky.png", b"", "HDR OpenEXR"),
        ("absent.hdr", None, "no such file .hdr .exr"),
        ("text.hdr", b"#?hello", "not Radiance"),
        ("short.hdr", b"#?RADIANCE\n\n-Y 16 +X 32\nabc", "truncated"),
        ("runs.hdr", b"#?RADIANCE\n\n-Y 16 +X 32\n\x02\x02\x00\x20\x05ab", "truncated"),
        ("square.hdr", b"#?RADIANCE\n\n-Y 4 +X 4\n" + bytes(64), "twice 4x4"),
        ("two.hdr", b"#?RADIANCE\nEXPOSURE=two\n\n-Y 4 +X 8\n" + bytes(128), "EXPOSURE=two"),
        ("none.hdr", b"#?RADIANCE\nEXPOSURE=0\n\n-Y 4 +X 8\n" + bytes(128), "EXPOSURE=0"),
        ("gamma.hdr", b"#?RADIANCE\nGAMMA=2.2\n\n-Y 4 +X 8\n" + bytes(128), "GAMMA=2.2"),
        ("rows.hdr", b"#?RADIANCE\n\n-Y 214748364 +X 429496728\n", "2 16384 columns"),
        ("vast.hdr", b"#?RADIANCE\n\n-Y 16383 +X 32766\n" + bytes(64), "2 16384 columns"),
        ("dark.hdr", b"#?RADIANCE\n\n-Y 4 +X 8\n" + bytes(128), "light"),
        ("text.exr", b"\x76\x2f\x31\x01hello", "not EXR"),
        (f"{'x' * 300}.hdr", None, "no such file"),
    ],
)
def test_unusable_panoramas_are_refused_in_one_sentence(tmp_path, name, content, named, capfd):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SettingsError) as error:
        resolve(load_settings(overrides=[f'sky.panorama="{path}"']))
    assert unnamed(str(error.value), "sky.panorama", shown(str(path)), named) == []
    assert "\n" not in str(error.value)


def test_an_unreadable_panorama_is_refused_in_one_sentence(tmp_path):
    (tmp_path / "memory.hdr").symlink_to("/proc/self/mem")  # nobody can read what a process has at address 0
    with pytest.raises(SettingsError, match=naming("memory.hdr input/output error")):
        resolve(load_settings(overrides=[f'sky.panorama="{tmp_path}/memory.hdr"']))


def test_a_panorama_damaged_later_stops_no_change_and_no_frame(tmp_path):
    path = tmp_path / "sky.hdr"
    path.write_bytes(b"#?RADIANCE\n\n-Y 4 +X 8\n" + bytes([9, 9, 9, 128]) * 32)
    settings = resolve(load_settings(overrides=[f'sky.panorama="{path}"']))
    path.write_bytes(b"rubbish")
    os.utime(path, (1, 1))
    assert resolve(with_values(settings, {"sky.sun_elevation": 3.0})).sky.picture is settings.sky.picture
    with pytest.raises(SettingsError, match=naming("sky.panorama")):
        resolve(with_values(settings, {"sky.panorama": str(path)}))
