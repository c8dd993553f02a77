"""The reference for spray: the flight of drops, and the optical depth of the picture, as `shaders/spray` has them."""

import numpy as np

from ocean.waves.spray import KARMAN

DROPS, FADES, WIDTH, WIDENS, NARROWEST, LENGTH, LASTS, SPREAD, THROWN = 32, 0.5, 0.05, 2.0, 0.03, 2.0, 0.2, 0.12, 0.25
GUSTS, SHUTTER, LARGEST, LONGEST = np.array([2.4, 1.25, 1.9]), 1 / 250, 96.0, 256.0


def air_speed(friction, roughness, height):
    """Return the wind [m/s] at a height [m] over the water."""
    return friction / KARMAN * np.log(np.maximum(height / roughness, 1.0))


def flight(time, fall, relaxation, start, air):
    """Return the displacement [m] and velocity [m/s], (..., 3), of drops a `time` [s] after they left with the velocity
    `start`, in air of a constant velocity. The difference from the final velocity, the air's without `fall`, fades to
    1/e in `relaxation` [s]."""
    time, relaxation = np.asarray(time)[..., None], np.asarray(relaxation)[..., None]
    final = np.asarray(air) - np.asarray(fall)[..., None] * np.array([0.0, 1.0, 0.0])
    left = np.exp(-time / relaxation)
    slip = np.asarray(start) - final
    return final * time + relaxation * (1 - left) * slip, final + left * slip


def random(keys):
    """Return four numbers in [0, 1) for each key (n, 4) (PCG4D)."""
    v = [np.asarray(part, np.uint32) * np.uint32(1664525) + np.uint32(1013904223) for part in np.transpose(keys)]
    for _ in range(2):
        v[0] = v[0] + v[1] * v[3]
        v[1] = v[1] + v[2] * v[0]
        v[2] = v[2] + v[0] * v[1]
        v[3] = v[3] + v[1] * v[2]
        v = [part ^ part >> np.uint32(16) for part in v]
    return np.stack(v, axis=-1) >> np.uint32(8)


def deviates(numbers):
    return 2 * (numbers[:, :3].sum(axis=1) - 1.5)


class Drops:
    """The drops of cells at a time: positions of both ends (n, 2, 3) [m], radius [m] and extinction [m²].

    `crest`, `state` and `key`, (m, 4) each, are the cells, `block` is the uniform block.
    """

    def __init__(self, crest, state, key, block):
        slot = np.tile(np.arange(DROPS, dtype=np.uint32), len(state))
        side, most = state[:, 1:3].astype(float).repeat(DROPS, axis=0).T
        crest, key = np.repeat(crest.astype(float), DROPS, axis=0), np.repeat(key, DROPS, axis=0)
        life, wind, crests = float(block["life"]), block["wind"].astype(float), block["crests"][:2].astype(float)
        first = random(np.column_stack([key[:, :3], slot + np.uint32(1)]))[:, 0] / 2**24
        phase = np.float32(block["cycle"]) + (slot + first.astype("f4")) / np.float32(DROPS)
        age = life * (phase - np.floor(phase)).astype(float)
        born = (int(block["generation"]) + np.floor(phase).astype(int)) % int(block["generations"])
        words = [random(np.column_stack([key[:, :2], key[:, 2] << np.uint32(8) | slot, born.astype(np.uint32)]))]
        for _ in range(3):
            words.append(random(words[-1]))
        a, b, c, d = (word / 2**24 for word in words)
        foam = crest[:, 3] / most
        share = np.minimum(foam, 1)
        emits = a[:, 0] < share
        share = 2 * (1 - a[:, 0] / share) * np.maximum(foam, 1) * most
        along, across = wind[:2], np.array([-wind[1], wind[0]])
        gust = wind[2] * GUSTS * np.stack([deviates(b), deviates(c), deviates(d)], axis=-1)
        flat = air_speed(*wind[2:], np.maximum(crest[:, 1], 0) + 1)[:, None] * along
        flat = flat + gust[:, :1] * along + gust[:, 2:] * across
        air = np.stack([flat[:, 0], gust[:, 1], flat[:, 1]], axis=-1)
        up = -np.log(1 - 0.999 * a[:, 2]) * THROWN * np.hypot(*crests)
        start = np.stack([np.full_like(up, crests[0]), up, np.full_like(up, crests[1])], axis=-1)
        lasts = np.minimum(LENGTH * side / np.maximum(np.linalg.norm(flat - crests, axis=-1), 1), LASTS * life)
        younger, sizes = np.maximum(age - lasts, 0), block["sizes"].astype(float)
        at = a[:, 1] * (len(sizes) - 2)
        where = [np.stack([np.interp(at + n, np.arange(len(sizes)), sizes[:, i]) for i in (0, 1)]) for n in (0, 1)]
        old, velocity = flight(age, *where[0], start, air)
        young, _ = flight(younger, *where[1], start, air)
        place = crest[:, :3] + side[:, None] * np.stack([a[:, 3] - 0.5, np.zeros_like(age), b[:, 3] - 0.5], axis=-1)
        moving = np.array([crests[0], 0.0, crests[1]])
        ends = place + old - age[:, None] * moving + SHUTTER * velocity, place + young - younger[:, None] * moving
        self.ends = np.stack(ends, axis=1)[emits]
        middle = 0.5 * (age + younger)
        self.radius = (NARROWEST + WIDTH * side * (1 + WIDENS * middle / life) + SPREAD * wind[2] * middle)[emits]
        thins = np.minimum((1 - age / life) / (1 - FADES), 1)
        self.extinction = (share * float(block["emitted"]) * side**2 * life / DROPS * thins)[emits]

    def picture(self, view_projection, size):
        """Return the optical depth (height, width) of all drops from 2 m on, without grains and without water."""
        width, height = size
        matrix = view_projection.astype(float)
        scale = 0.5 * height * np.linalg.norm(matrix[:3, 1])
        depths = np.zeros((height, width))
        x, y = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
        clips = np.concatenate([self.ends, np.ones_like(self.ends[..., :1])], axis=-1) @ matrix
        for clip, radius, extinction in zip(clips, self.radius, self.extinction, strict=True):
            if clip[:, 3].min() < 2:
                continue
            p, q = (clip[:, :2] / clip[:, 3:] * 0.5 + 0.5) * size
            away = clip[:, 3].mean()
            r, half = np.clip(radius * scale / away, 1, LARGEST), 0.5 * np.hypot(*(q - p))
            long = min(half + r, LONGEST)
            u = 0.5 * (q - p) / half if half > 0.01 else np.array([1.0, 0.0])
            east, up = x - (p + q)[0] / 2, y - (p + q)[1] / 2
            inside = 1 - ((east * u[0] + up * u[1]) / long) ** 2 - ((east * u[1] - up * u[0]) / r) ** 2
            depths += extinction * (scale / away) ** 2 * 3 / (np.pi * long * r) * np.maximum(inside, 0) ** 2
        return depths
