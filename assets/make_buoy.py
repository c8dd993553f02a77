"""Makes buoy.ply, a small spar buoy: turned profiles in metres, y = 0 its water line. Run in this folder."""

import math
from pathlib import Path

SEGMENTS = 32
YELLOW, RED, STEEL, GLASS = (232, 170, 12), (128, 26, 20), (148, 152, 155), (240, 236, 214)

# Each profile is a smooth curve of (radius, height) from the bottom up, turned around the axis; edges lie between two.
PROFILES = [
    (RED, [(0.0, -0.3), (0.04, -0.295), (0.09, -0.25), (0.125, -0.18), (0.145, -0.09), (0.15, -0.03), (0.15, 0.0)]),
    (YELLOW, [(0.15, 0.0), (0.15, 0.06), (0.142, 0.1), (0.12, 0.13), (0.085, 0.148), (0.05, 0.155)]),
    (YELLOW, [(0.05, 0.155), (0.032, 0.4), (0.022, 0.8), (0.016, 1.25)]),
    (STEEL, [(0.016, 0.9), (0.11, 0.9)]),
    (YELLOW, [(0.11, 0.9), (0.105, 0.95), (0.09, 0.99), (0.065, 1.03), (0.03, 1.055), (0.0, 1.06)]),
    (STEEL, [(0.016, 1.25), (0.045, 1.25)]),
    (STEEL, [(0.045, 1.25), (0.045, 1.28)]),
    (GLASS, [(0.042, 1.28), (0.042, 1.34), (0.035, 1.365), (0.018, 1.38), (0.0, 1.384)]),
]


def turned(profile):
    """Vertices (position, normal) of a profile turned around the axis, ring by ring, and their triangles."""
    vertices, faces = [], []
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


def make_ply():
    """The text of the file."""
    vertices, faces = [], []
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
    Path("buoy.ply").write_text(make_ply(), encoding="ascii")
