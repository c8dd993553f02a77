"""Make assets/buoy.ply, a small spar buoy: python -m tools.assets.make_buoy

Profiles are in metres, with y = 0 at the water line, and turn about the axis.
"""

import math
from pathlib import Path

Profile = list[tuple[float, float]]
SEGMENTS = 32
YELLOW, RED, STEEL, GLASS = (232, 170, 12), (128, 26, 20), (148, 152, 155), (240, 236, 214)

# Each profile is a smooth curve of (radius, height), from the bottom up. Edges lie between two profiles.
PROFILES: list[tuple[tuple[int, int, int], Profile]] = [
    (RED, [(0.0, -0.28), (0.035, -0.275), (0.075, -0.23), (0.102, -0.17), (0.116, -0.09), (0.12, -0.03), (0.12, 0.0)]),
    (YELLOW, [(0.12, 0.0), (0.12, 0.06), (0.114, 0.09), (0.098, 0.115), (0.07, 0.132), (0.04, 0.138)]),
    (YELLOW, [(0.04, 0.138), (0.027, 0.4), (0.02, 0.8), (0.015, 1.25)]),
    (STEEL, [(0.015, 0.92), (0.09, 0.92)]),
    (YELLOW, [(0.09, 0.92), (0.086, 0.96), (0.074, 0.995), (0.053, 1.025), (0.025, 1.045), (0.0, 1.05)]),
    (STEEL, [(0.015, 1.25), (0.045, 1.25)]),
    (STEEL, [(0.045, 1.25), (0.045, 1.28)]),
    (GLASS, [(0.042, 1.28), (0.042, 1.34), (0.035, 1.365), (0.018, 1.38), (0.0, 1.384)]),
]


def turned(profile: Profile) -> tuple[list[tuple[float, ...]], list[tuple[int, int, int]]]:
    """Return vertices (position, normal) of a profile turned around the axis, ring by ring, and their triangles."""
    vertices: list[tuple[float, ...]] = []
    faces: list[tuple[int, int, int]] = []
    for i, (radius, height) in enumerate(profile):
        before, after = profile[max(i - 1, 0)], profile[min(i + 1, len(profile) - 1)]
        along = after[0] - before[0], after[1] - before[1]
        length = math.hypot(*along)
        outwards, up = along[1] / length, -along[0] / length
        for s in range(SEGMENTS):
            c, d = math.cos(2 * math.pi * s / SEGMENTS), math.sin(2 * math.pi * s / SEGMENTS)
            vertices.append((radius * c, height, radius * d, outwards * c, up, outwards * d))
    for i in range(len(profile) - 1):
        for s in range(SEGMENTS):
            a, b = i * SEGMENTS + s, i * SEGMENTS + (s + 1) % SEGMENTS
            c, d = a + SEGMENTS, b + SEGMENTS
            if profile[i][0] > 0:
                faces.append((a, c, b))
            if profile[i + 1][0] > 0:
                faces.append((b, c, d))
    return vertices, faces


def make_ply() -> str:
    vertices: list[str] = []
    faces: list[str] = []
    for colour, profile in PROFILES:
        first = len(vertices)
        new, triangles = turned(profile)
        vertices += [" ".join(f"{value:.5g}" for value in vertex) + " {} {} {}".format(*colour) for vertex in new]
        faces += [f"3 {first + a} {first + b} {first + c}" for a, b, c in triangles]
    header = ["ply", "format ascii 1.0", f"element vertex {len(vertices)}"]
    header += [f"property float {name}" for name in ("x", "y", "z", "nx", "ny", "nz")]
    header += [f"property uchar {name}" for name in ("red", "green", "blue")]
    header += [f"element face {len(faces)}", "property list uchar int vertex_indices", "end_header"]
    return "\n".join([*header, *vertices, *faces]) + "\n"


if __name__ == "__main__":
    Path("assets/buoy.ply").write_text(make_ply(), encoding="ascii")
