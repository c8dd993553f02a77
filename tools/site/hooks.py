"""Hooks of mkdocs: pages from code, notebooks as pages, formulas as MathML. MathML needs no script and no other server,
and a formula that does not parse stops the build."""

import base64
import json
import os
import re
from collections.abc import Mapping
from html import unescape
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from ocean.bench.rows import Bench
from ocean.bench.tables import markdown
from ocean.export.formats.page import page
from ocean.settings import load_settings

FORMULA = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', re.DOTALL)
LIVE_SEA = '<iframe class="sea" src="live-sea.html" title="A gale, live" loading="lazy" allowfullscreen></iframe>'
TABLES = os.environ.get("SITE_TABLES") != "false"
"""Whether benches are pages with tables. They are two thirds of all text."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages without a file of their own, and the page with the sea that the first page shows."""
    files.append(File.generated(config, "live-sea.html", content=page(load_settings("gale"), "gale")))
    for file in list(files):
        if file.src_uri.endswith(".ipynb") and file.abs_src_path:
            name = file.src_uri.removesuffix(".ipynb")
            text, pictures = notebook_page(json.loads(Path(file.abs_src_path).read_text(encoding="utf-8")), name)
            files.append(File.generated(config, f"{name}.md", content=text))
            for picture, content in pictures.items():
                files.append(File.generated(config, picture, content=content))
        if TABLES and file.src_uri.endswith("/bench.json") and file.abs_src_path:
            tables = markdown(Bench.read(Path(file.abs_src_path)))
            files.append(File.generated(config, file.src_uri.replace(".json", ".md"), content=tables))
    return files


def notebook_page(notebook: Mapping[str, Any], name: str) -> tuple[str, dict[str, bytes]]:
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


def on_page_markdown(text: str, **_: object) -> str:
    """Link to the tables of a bench instead of its JSON, and show the page of a sea, which a checkout lacks."""
    text = text.replace("<!-- live sea -->", LIVE_SEA)
    return text.replace("/bench.json)", "/bench.md)") if TABLES else text


def on_page_content(html: str, **_: object) -> str:
    return FORMULA.sub(_mathml, html)


def _mathml(found: re.Match[str]) -> str:
    return convert(unescape(found[3]), display="block" if found[2] == "[" else "inline")
