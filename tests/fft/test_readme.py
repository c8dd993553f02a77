"""What the README says to type works."""

import re
import shutil
from pathlib import Path

import numpy as np

from ocean import fft
from ocean.gpu.shaders import SHADERS, ShaderLibrary

from .samples import noise, relative_error

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def code(language, sign):
    """The block of code that holds the sign."""
    return next(block for block in re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL) if sign in block)


def test_functions(ctx):
    names = {"ctx": ctx}
    exec(code("python", "fft.rfft2"), names)
    picture, spectrum = names["picture"], np.fft.rfft2(names["picture"])
    spectrum[..., 40:, :] = 0
    assert names["smooth"].shape == picture.shape
    assert names["smooth"].dtype == np.float32
    assert relative_error(names["smooth"], np.fft.irfft2(spectrum, picture.shape[1:])) < 4e-6  # there and back
    assert names["tone"].dtype == np.complex128
    assert relative_error(names["tone"], np.fft.fft(np.sin(np.arange(4096) / 10), norm="ortho")) < 1e-13


def test_a_backend_is_a_shader_and_a_class(ctx, monkeypatch, tmp_path):
    shutil.copytree(SHADERS, tmp_path / "shaders")
    (tmp_path / "shaders/fft/gentleman_sande.comp").write_text(code("glsl", "Gentleman"))
    library = ShaderLibrary(ctx, tmp_path / "shaders")
    monkeypatch.setattr("ocean.fft.kernels.shader_library", lambda ctx: library)
    names = {}
    exec(code("python", "class GentlemanSande"), names)
    monkeypatch.setitem(fft.BACKENDS, "gentleman-sande", names["GentlemanSande"])
    x = noise(3, 16, 32)
    result = fft.fft2(ctx, x, "gentleman-sande")
    assert relative_error(result, np.fft.fft2(x.astype("c16"))) < 1e-6
    library.release()
