"""Notebooks as pages: text, code, and outputs of their last run."""

import base64
from collections.abc import Mapping
from typing import Any


def page(notebook: Mapping[str, Any], name: str) -> tuple[str, dict[str, bytes]]:
    """Return the Markdown of a notebook at `name` (a path without suffix), and its pictures by path."""
    parts: list[str] = []
    pictures: dict[str, bytes] = {}
    folder, _, stem = name.rpartition("/")
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else fenced(source, "python"))
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if output["output_type"] == "stream":
                parts.append(fenced("".join(output["text"]), "text"))
            elif "image/png" in data:
                picture = f"{stem}-{len(pictures) + 1}.png"
                pictures[f"{folder}/{picture}" if folder else picture] = base64.b64decode("".join(data["image/png"]))
                parts.append(f"![What this cell draws]({picture})")
            elif "text/plain" in data:
                parts.append(fenced("".join(data["text/plain"]), "text"))
    parts.insert(1, f"This page is the notebook [`{stem}.ipynb`]({stem}.ipynb).")
    return "\n\n".join(parts) + "\n", pictures


def fenced(text: str, language: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```"
