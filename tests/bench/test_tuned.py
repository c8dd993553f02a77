"""The cache of tuned plans: its readers, broken caches, and caches of another GPU."""

import json

import pytest

from ocean import fft
from ocean.fft import auto as tuned
from ocean.fft.auto import Auto, TunedPlan, crossovers
from ocean.fft.stockham import StockhamRadix2
from tests.messages import unnamed

from .conftest import picked, plans


def test_auto_uses_the_cache_unless_told_not_to(ctx, cache):
    assert tuned.read(ctx) is None
    assert tuned.save(ctx, plans(ctx)) == cache
    assert tuned.read(ctx) == plans(ctx)
    tuned.use_cache()
    assert picked(ctx) is StockhamRadix2
    tuned.use_cache(False)
    assert picked(ctx) is not StockhamRadix2


@pytest.mark.parametrize("changes", [{"gpu": "another"}, {"driver": "4.3 another"}])
def test_a_foreign_cache_is_ignored_with_one_warning(ctx, cache, changes, capsys):
    tuned.save(ctx, plans(ctx, **changes))
    tuned.use_cache()
    assert picked(ctx) is not StockhamRadix2
    assert capsys.readouterr().err.count("ocean: warning: ") == 1
    layers = fft.FieldLayers(ctx, 64, 2)
    fft.plan(ctx, "auto", layers).release()
    layers.release()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("text", ["", "{}", '{"gpu": 1}', "\x00"])
def test_a_broken_cache_is_ignored_with_one_warning(ctx, cache, text, capsys):
    cache.write_text(text)
    tuned.use_cache()
    assert picked(ctx) is not StockhamRadix2
    warning = capsys.readouterr().err
    assert unnamed(warning, "ocean: warning:", cache) == []
    assert warning.count("\n") == 1


@pytest.mark.parametrize(
    ("broken", "named"),
    [
        ({"backend": "stockham-nonsense"}, "stockham-nonsense"),
        ({"options": {"nonsense": 3}}, "stockham-radix2 options.nonsense"),
        ({"options": {"butterflies": 3}}, "stockham-radix2 options.butterflies 3 1 2 4 8"),
        (
            {"fused": {"backend": "stockham-radix2", "first": {"butterflies": 3}}},
            "stockham-radix2 options.butterflies 3 1 2 4 8",
        ),
        ({"fused": {"backend": "nonsense"}}, "nonsense"),
        ({"size": 48}, "stockham-radix2 power two 16 48"),
        ({"backend": "auto", "options": {}}, "auto"),
    ],
)
def test_only_a_broken_plan_is_ignored_with_a_warning(ctx, releasing, cache, capsys, broken, named):
    good = TunedPlan(size=32, layers=2, backend="stockham-shared")
    bad = TunedPlan(**{"size": 64, "layers": 2, "backend": "stockham-radix2", **broken})
    tuned.save(ctx, plans(ctx, plans=(good, bad)))
    tuned.use_cache()
    assert picked(ctx, 64) is fft.BACKENDS["stockham-registers"]
    warning = capsys.readouterr().err
    assert unnamed(warning, "ocean: warning:", cache, bad.size, named) == []
    assert warning.count("\n") == 1
    fft.use_tuned(ctx, tuned.read(ctx))
    layers = releasing(fft.FieldLayers(ctx, 32, 2))
    assert Auto.choose(layers, 32)[0] is fft.BACKENDS["stockham-shared"]


def test_new_plans_replace_those_of_their_size(ctx):
    def plan(size, backend):
        return TunedPlan(size=size, layers=2, backend=backend)

    merged = plans(ctx, plans=(plan(64, "dft"), plan(256, "stockham-shared"))).with_plans(
        [plan(64, "stockham-registers"), plan(1024, "stockham-shared")]
    )
    assert [(one.size, one.backend) for one in merged.plans] == [
        (64, "stockham-registers"),
        (256, "stockham-shared"),
        (1024, "stockham-shared"),
    ]
    assert crossovers(merged.plans, 2) == [(64, "stockham-registers"), (256, "stockham-shared")]
    assert merged.find(512, 2).backend == "stockham-shared"  # between two sizes with one backend
    assert merged.find(128, 2) is None  # between two sizes with different backends
    assert merged.find(2048, 2) is None


def test_a_command_uses_tuned_plans(ocean_here, ctx, cache):
    plan = TunedPlan(size=32, layers=1, backend="stockham-shared")
    cache.write_text(plans(ctx, plans=(plan,)).model_dump_json())

    def says(*more):
        done = ocean_here("transform", "-", *more, text="\n".join(map(str, range(32))))
        assert done.returncode == 0, done.stderr
        return done.stdout, done.stderr

    assert "stockham-shared (auto)" in says()[0]
    assert "stockham-registers (auto)" in says("--no-cache")[0]
    values = json.loads(cache.read_text())
    cache.write_text(json.dumps(values | {"driver": "another"}))
    out, err = says()
    assert "stockham-registers (auto)" in out
    assert err.count("ocean: warning: ") == 1
    assert says("--no-cache")[1] == ""
