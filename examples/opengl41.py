"""The processor's sea, drawn with OpenGL 4.1 and without compute shaders, as on a Mac. It moves and is lit, but has no
clouds, foam or panel.

    python -m pip install -e .             once, in the checkout
    python examples/opengl41.py            a window
    python examples/opengl41.py sea.png    a picture
"""

import argparse
import sys

import moderngl
import moderngl_window
import numpy as np
from moderngl_window.context.base import WindowConfig
from PIL import Image
from pyrr import Matrix44

from ocean import load_settings, make_sea

SKY = "vec3 sky(vec3 d) { return mix(vec3(0.75, 0.82, 0.9), vec3(0.2, 0.4, 0.75), sqrt(clamp(d.y, 0.0, 1.0))); }"
TILES = """#version 410
uniform sampler2DArray maps;  // two layers a cascade: (c Dx, h, c Dz, c Dxz), (hx, hz, c Dxx, c Dzz)
uniform vec4 tiles[4];        // cosine and sine of the rotation, side [m], texels
uniform int count;
vec3 at(int c, vec2 p) {
    vec4 t = tiles[c];
    return vec3(vec2(t.x * p.x + t.y * p.y, t.x * p.y - t.y * p.x) / t.z + 0.5 / t.w, 2 * c);
}
"""
VERTEX = f"""{TILES}
in vec2 place;
uniform mat4 camera;
out vec2 still;
out vec3 world;
void main() {{
    still = place;
    world = vec3(place.x, 0.0, place.y);
    float spacing = 6.2832 * length(place) / 900.0;
    for (int c = 0; c < count; ++c) {{
        float lod = log2(spacing * tiles[c].w / tiles[c].z);
        world += textureLod(maps, at(c, place), lod).xyz;
    }}
    gl_Position = camera * vec4(world, 1.0);
}}
"""
FRAGMENT = f"""{TILES}{SKY}
in vec2 still;
in vec3 world;
uniform vec3 eye, sun;
out vec4 colour;
void main() {{
    vec4 a = vec4(0.0), b = vec4(0.0);
    for (int c = 0; c < count; ++c) {{
        vec3 uv = at(c, still);
        a += texture(maps, uv);
        b += texture(maps, uv + vec3(0.0, 0.0, 1.0));
    }}
    vec3 along_x = vec3(1.0 + b.z, b.x, a.w), along_z = vec3(a.w, b.y, 1.0 + b.w);
    vec3 normal = normalize(cross(along_z, along_x)), view = normalize(eye - world), mirrored = reflect(-view, normal);
    float fresnel = 0.02 + 0.98 * pow(1.0 - max(dot(view, normal), 0.0), 5.0);
    vec3 light = mix(vec3(0.0, 0.06, 0.09), sky(mirrored), fresnel);
    light += 4.0 * vec3(1.0, 0.9, 0.7) * pow(max(dot(mirrored, sun), 0.0), 400.0);
    colour = vec4(mix(sky(vec3(0.0)), light, exp(-length(eye - world) / 2000.0)), 1.0);
}}
"""


class CpuSea:
    """The sea of the processor and its mesh in a context of OpenGL 4.1."""

    def __init__(self, ctx: moderngl.Context, texels: int = 128) -> None:
        self.ctx, self.sea = ctx, make_sea(load_settings(overrides=["sea.wind.speed=9", f"fft.size={texels}"]))
        self.maps = ctx.texture_array((texels, texels, 2 * len(self.sea.tiles)), 4, dtype="f4")
        self.program = ctx.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
        radius, turn = np.geomspace(1.0, 5000.0, 900)[:, None], np.linspace(0, 2 * np.pi, 901)
        grid = np.stack([radius * np.sin(turn), radius * np.cos(turn)], -1).astype("f4")
        a, b, c, d = grid[:-1, :-1], grid[:-1, 1:], grid[1:, :-1], grid[1:, 1:]
        self.mesh = ctx.vertex_array(self.program, ctx.buffer(np.stack([a, c, b, b, c, d], -2).tobytes()), "place")
        tiles = [(np.cos(t.rotation), np.sin(t.rotation), t.side, texels) for t in self.sea.tiles]
        self.program["tiles"].write(np.resize(np.array(tiles, "f4"), (4, 4)).tobytes())
        self.program["count"] = len(tiles)

    def draw(self, time: float, aspect: float) -> None:
        self.sea.update(time)
        f, c = self.sea.fields(), self.sea.settings.sea.choppiness
        first = np.stack([c * f["dx"], f["height"], c * f["dz"], c * f["dxz"]], -1)
        second = np.stack([f["slope_x"], f["slope_z"], c * f["dxx"], c * f["dzz"]], -1)
        self.maps.write(np.stack([first, second], 1).astype("f4").tobytes())
        self.maps.build_mipmaps()
        self.maps.use(0)
        eye, ahead, sun = np.array([[0.0, 5.0, 0.0], [-0.6, -0.12, -0.8], [-0.55, 0.3, -0.78]])
        projection = Matrix44.perspective_projection(50.0, aspect, 0.5, 10_000.0, dtype="f4")
        self.program["camera"].write(projection * Matrix44.look_at(eye, eye + ahead, (0, 1, 0), dtype="f4"))
        self.program["eye"], self.program["sun"] = tuple(eye), tuple(sun / np.linalg.norm(sun))
        self.ctx.enable_only(moderngl.DEPTH_TEST)
        self.ctx.clear(0.75, 0.82, 0.9, depth=1.0)
        self.mesh.render()


class Window(WindowConfig):
    gl_version, title, window_size = (4, 1), "The sea by OpenGL 4.1", (960, 540)

    def on_render(self, time: float, frame_time: float) -> None:
        if "sea" not in self.__dict__:
            self.sea = CpuSea(self.ctx)
        self.sea.draw(time, self.wnd.aspect_ratio)


def picture(path: str, size: tuple[int, int] = (960, 540), texels: int = 128) -> None:
    backend = {"backend": "egl"} if sys.platform == "linux" else {}
    ctx = moderngl.create_context(standalone=True, require=410, **backend)
    target = ctx.simple_framebuffer(size)
    target.use()
    CpuSea(ctx, texels).draw(12.5, size[0] / size[1])
    Image.frombytes("RGB", size, target.read(components=3)).transpose(Image.Transpose.FLIP_TOP_BOTTOM).save(path)
    print(f"OpenGL {ctx.version_code // 100}.{ctx.version_code // 10 % 10}, {ctx.error}")
    ctx.release()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?")
    if path := parser.parse_args().file:
        picture(path)
    else:
        moderngl_window.run_window_config(Window, args=[])
