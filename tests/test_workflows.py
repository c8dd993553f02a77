"""The workflows on GitHub: code of pull requests can write nothing, and actions can't change under their names."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

WORKFLOWS = {path.name: path for path in (Path(__file__).parents[1] / ".github/workflows").glob("*.yml")}


@pytest.mark.parametrize("name", sorted(WORKFLOWS))
def test_code_of_others_can_write_nothing(name: str) -> None:
    workflow: dict[Any, Any] = yaml.safe_load(WORKFLOWS[name].read_text("utf-8"))
    assert set(workflow["permissions"].items()) <= {("contents", "read")}
    for job in workflow["jobs"].values():
        uses = [step for step in job["steps"] if "uses" in step]
        for step in uses:
            assert re.search(r"@[0-9a-f]{40}$", step["uses"])
        checkouts = [step for step in uses if step["uses"].startswith("actions/checkout@")]
        assert all(step["with"]["persist-credentials"] is False for step in checkouts)
        writes = [what for what, how in job.get("permissions", {}).items() if how == "write"]
        others = [step for step in uses if "run-id" in step.get("with", {})]  # artifacts of jobs that run such code
        assert not (writes and (checkouts or others))


def test_only_the_push_of_a_tag_publishes() -> None:
    workflow: dict[Any, Any] = yaml.safe_load(WORKFLOWS["release.yml"].read_text("utf-8"))
    assert workflow[True]["push"] == {"tags": ["v*"]}  # YAML reads the key `on` as true
    identified = [job for job in workflow["jobs"].values() if "id-token" in job.get("permissions", {})]
    assert [(job["if"], job["needs"]) for job in identified] == [("github.event_name == 'push'", ["build", "try"])]
