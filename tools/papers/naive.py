"""One run of Rao's transform of a long line, which takes too long for the rounds of a bench:

python -m tools.papers.naive 24 26
"""

import sys
import time

import numpy as np

from ocean import __version__, fft
from ocean.gpu.context import create_headless_context

INVOCATIONS = "one-per-butterfly", "one-per-group"


def main(powers: list[int]) -> None:
    ctx = create_headless_context()
    print("ocean", __version__, "|", ctx.info["GL_RENDERER"], ctx.info["GL_VERSION"])
    for power in powers:
        x = np.random.default_rng(power).standard_normal(2 << power, np.float32).view(np.complex64)
        exact = np.fft.fft(x.astype(np.complex128))
        for invocations in INVOCATIONS:
            line = fft.FieldBuffers(ctx, (1, len(x)), layers=1, packed=1)
            plan = fft.plan(ctx, "naive", line, {"invocations": invocations}, axes=(fft.ROWS,))
            line.write(x[None, None])
            ctx.finish()
            start = time.perf_counter()
            plan.forward()
            ctx.finish()
            seconds = time.perf_counter() - start
            error = np.linalg.norm(line.read().reshape(-1) - exact) / np.linalg.norm(exact)
            took = f"one run {seconds:.2f} s by the wall clock, relative L2 error {error:.1e}"
            print(f"naive, invocations={invocations}, one line of 2^{power}: {took}", flush=True)
            plan.release()
            line.release()


if __name__ == "__main__":
    main([int(power) for power in sys.argv[1:]])
