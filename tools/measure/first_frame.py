"""Time from the command to the first frame of the window without a display, on a GPU through EGL:

    python -m tools.measure.first_frame --quality high --out docs/measurements/DEVICE/start.json

The time ends when the GPU has drawn the first frame of the sea, with the panel. The window is the headless one of
moderngl-window; all else is the program. Caches of shaders are empty for the first start and full for the others.
Python's bytecode exists.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import time

from tools.measure.reports import write_report

ROUNDS = 5
CACHES = ("__GL_SHADER_DISK_CACHE_PATH", "MESA_SHADER_CACHE_DIR")


def start(quality: str) -> None:
    """Run the program for a frame in a headless window, and print its OpenGL and the time of the frame."""
    from moderngl_window.context.base import BaseKeys, BaseWindow
    from moderngl_window.context.headless.window import Window

    from ocean.cli import main
    from ocean.gpu.context import GL_VERSION, first_backend
    from ocean.settings import Settings
    from ocean.window import opening

    class Headless(Window):
        keys = type("Keys", (BaseKeys,), {name: name for name in dir(BaseKeys) if name.isupper()})  # type: ignore[assignment]
        shown = 0.0  # s, by the wall clock

        def swap_buffers(self) -> None:
            super().swap_buffers()
            self.ctx.finish()
            Headless.shown = time()

    def open_window(library: str, settings: Settings) -> BaseWindow:
        size = settings.window.width, settings.window.height
        window = first_backend(lambda kind: Headless(size=size, gl_version=GL_VERSION, aspect_ratio=None, backend=kind))
        print(json.dumps(dict(window.ctx.info)))
        return window

    opening.open_window = open_window
    sys.argv[1:] = ["window", "--quality", quality, "--quit-after", "2"]  # the second frame is never shown
    try:
        main()
    finally:
        print(Headless.shown)


def measure(quality: str, cache: str) -> tuple[float, dict[str, str]]:
    """Return the seconds to the first frame, and the facts of its OpenGL."""
    command = [sys.executable, "-m", "tools.measure.first_frame", "--quality", quality]
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    began = time()
    done = subprocess.run(command, env={**kept, **dict.fromkeys(CACHES, cache)}, check=True, stdout=subprocess.PIPE)
    info, *_, shown = done.stdout.splitlines()
    return round(float(shown) - began, 3), json.loads(info)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quality", default="high", help="software, low, high or ultra")
    parser.add_argument("--out", type=Path, help="the JSON file to write; without it one start, unmeasured")
    options = parser.parse_args()
    if options.out is None:
        start(options.quality)
        return
    with tempfile.TemporaryDirectory() as cache:
        starts = [measure(options.quality, cache) for _ in range(1 + ROUNDS)]
    (first, info), *others = starts
    others_s = [seconds for seconds, _ in others]
    write_report(options.out, "first_frame", info, quality=options.quality, empty_cache_s=first, full_cache_s=others_s)


if __name__ == "__main__":
    main()
