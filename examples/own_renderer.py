"""The sea in a renderer of your own: your mesh, camera and light, and the maps of `ocean.Sea`, without a copy.

python -m pip install -e .        once, in the checkout
python examples/own_renderer.py sea.png
"""

import argparse

import moderngl
import numpy as np
from PIL import Image
from pyrr import Matrix44

from ocean import Sampler, Sea, load_settings, shader_source

VERTEX = shader_source("""
#version 430
#include "surface/sea.glsl"
in vec2 place;  // of still water [m], relative to the sea's origin
uniform mat4 camera;
uniform float steps;  // vertices of a ring
out vec2 still;
out vec3 world;
void main() {
    still = place;
    float spacing = 6.2832 * length(place) / steps;
    world = vec3(place.x, 0.0, place.y) + sea_displacement(place, spacing);
    gl_Position = camera * vec4(world, 1.0);
}
""")
FRAGMENT = shader_source("""
#version 430
#include "surface/sea.glsl"
in vec2 still;
in vec3 world;
uniform vec3 eye, sun;
uniform float breaking, texel;  // Jacobian below which foam is born, judged on a texel [m]
out vec4 colour;
vec3 sky(vec3 d) { return mix(vec3(0.75, 0.82, 0.9), vec3(0.2, 0.4, 0.75), sqrt(clamp(d.y, 0.0, 1.0))); }
void main() {
    float footprint = length(fwidth(still));
    vec3 normal = sea_normal(still, footprint).xyz, view = normalize(eye - world), mirrored = reflect(-view, normal);
    float fresnel = 0.02 + 0.98 * pow(1.0 - max(dot(view, normal), 0.0), 5.0);
    vec3 water = mix(vec3(0.0, 0.06, 0.09), sky(mirrored), fresnel);
    water += 4.0 * vec3(1.0, 0.9, 0.7) * pow(max(dot(mirrored, sun), 0.0), 400.0);
    float foam = smoothstep(0.05, -0.15, sea_normal(still, max(footprint, texel)).w - breaking);
    vec3 light = mix(water, vec3(0.85), foam);
    colour = vec4(mix(sky(vec3(0.0)), light, exp(-length(eye - world) / 2000.0)), 1.0);
}
""")


def rings(steps: int, nearest: float = 1.0, farthest: float = 5000.0) -> np.ndarray:
    """Return triangles (n, 3, 2) [m] of a disc around the eye, whose cells grow with their distance."""
    count = int(np.log(farthest / nearest) * steps / (2 * np.pi))
    radius = np.geomspace(nearest, farthest, count)[:, None]
    turn = np.linspace(0, 2 * np.pi, steps + 1)
    grid = np.stack([radius * np.sin(turn), radius * np.cos(turn)], -1)
    a, b, c, d = grid[:-1, :-1], grid[:-1, 1:], grid[1:, :-1], grid[1:, 1:]
    return np.stack([a, c, b, b, c, d], -2).astype("f4")


def main(path: str, size: tuple[int, int] = (960, 540), texels: int = 256, steps: int = 1200) -> None:
    ctx = moderngl.create_context(standalone=True, require=430, backend="egl")  # on Windows no backend
    sea = Sea(ctx, load_settings(overrides=["sea.wind.speed=12", f"fft.size={texels}"]))
    sea.update(12.5, focus=(0.0, 0.0))  # time [s], and the origin: the world (x, z) [m] below the eye

    program = ctx.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
    mesh = ctx.vertex_array(program, ctx.buffer(rings(steps)), "place")
    eye, ahead, sun = np.array([[0.0, 6.0, 0.0], [-0.6, -0.12, -0.8], [-0.55, 0.3, -0.78]])
    projection = Matrix44.perspective_projection(50.0, size[0] / size[1], 0.5, 10_000.0, dtype="f4")
    program["camera"].write(projection * Matrix44.look_at(eye, eye + ahead, (0, 1, 0), dtype="f4"))
    program["eye"], program["sun"] = tuple(eye), tuple(sun / np.linalg.norm(sun))
    program["steps"], program["breaking"], program["texel"] = steps, sea.foam_threshold, sea.breaking_texel

    target = ctx.simple_framebuffer(size)
    target.use()
    target.clear(0.75, 0.82, 0.9, depth=1.0)
    ctx.enable_only(moderngl.DEPTH_TEST)
    sea.bind()  # the uniform block: tiles, origin, choppiness
    sea.maps.use(Sampler.MAPS)
    sea.filtered.use(Sampler.FILTERED)
    mesh.render()
    Image.frombytes("RGB", size, target.read(components=3)).transpose(Image.Transpose.FLIP_TOP_BOTTOM).save(path)
    ctx.release()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    main(parser.parse_args().file)
