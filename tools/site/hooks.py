"""Hooks of mkdocs: pages from code, notebooks as pages, formulas as MathML. MathML needs no script and no other server,
and a formula that does not parse stops the build."""

import json
import os
import re
from html import unescape
from pathlib import Path

from latex2mathml.converter import convert
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from ocean.bench.rows import Bench
from ocean.bench.tables import markdown
from tools.site.command_line import command_line
from tools.site.notebooks import page as notebook_page
from tools.site.settings import settings

FORMULA = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', re.DOTALL)
TABLES = os.environ.get("SITE_TABLES") != "false"
"""Whether benches are pages with tables. They are two thirds of all text."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages without a file of their own."""
    for name, text in (("reference/commands.md", command_line()), ("reference/settings.md", settings())):
        files.append(File.generated(config, name, content=text))
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


def on_page_markdown(text: str, **_: object) -> str:
    """Link to the tables of a bench instead of its JSON."""
    return text.replace("/bench.json)", "/bench.md)") if TABLES else text


def on_page_content(html: str, **_: object) -> str:
    """Convert the formulas of a page to MathML."""
    return FORMULA.sub(_mathml, html)


def _mathml(found: re.Match[str]) -> str:
    return convert(unescape(found[3]), display="block" if found[2] == "[" else "inline")
