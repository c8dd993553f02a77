"""An exported sea, against formulas outside of the program; `tools.measure.exported_seas` prints the whole table."""

from tools.measure import exported_seas


def test_an_exported_sea_agrees_with_published_formulas(tmp_path, ocean_here, monkeypatch):
    monkeypatch.setattr(exported_seas, "run", ocean_here)
    sea = exported_seas.seas(tmp_path)[2]  # JONSWAP at 15 m/s
    rows = {row[1]: row[2:] for row in exported_seas.compare(sea, tmp_path, seeds=4, size=128)}
    phase = rows.pop("phase speed, rms error [%]")
    assert phase[1] < 0.01
    scatter = {"Hs [m]": 0.024, "slope variance": 0.033, "direction off the wind [°]": 0.9, "spread [°]": 0.6}
    for name, (expected, found, _) in rows.items():  # standard deviations of one draw, from the table of 24 draws
        one = scatter[name] * (1 if "°" in name else expected)
        assert abs(found - expected) < 4 * one / 4**0.5, name
