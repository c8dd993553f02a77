"""The table of the command `sea`: the predicted statistics of a spectrum."""

import json
from dataclasses import asdict

from rich.table import Table

from ocean.common.console import print_table
from ocean.settings import Settings
from ocean.validation.survey import sea_notes, survey_of


def show_sea(settings: Settings, as_json: bool) -> None:
    """Print the predicted statistics of a spectrum, as a table or as JSON."""
    survey = survey_of(settings)
    notes = sea_notes(settings, survey)
    if as_json:
        rows = [{key: value for key, value in asdict(row).items() if key != "measured"} for row in survey.quantities]
        print(json.dumps({"quantities": rows, "notes": notes}, indent=2, ensure_ascii=False))
        return
    size, count = settings.fft.size, settings.cascades.count
    table = Table("", "unit", "spectrum", f"{count} x {size}²", "sd of a draw", box=None)
    for column in table.columns[2:]:
        column.justify = "right"
    for row in survey.quantities:
        unit = "" if row.unit == "1" else row.unit
        table.add_row(row.name, unit, *(f"{value:.4g}" for value in (row.integral, row.expected, row.deviation)))
    print_table(table)
    for name, value in notes.items():
        print(f"{name}: {value}")
