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
from mkdocs.structure.pages import Page

from tools.site.command_line import command_line
from tools.site.notebooks import page as notebook_page
from tools.site.settings import settings

FORMULA = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', re.DOTALL)
SINGLE_RUN = re.compile(r"measurements/[^/]+/[^/]+/[^/]+\.md")


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
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Leave out the tables of single runs if SITE_TABLES is `false`: they are two thirds of all text, and no page links
    to them."""
    if os.environ.get("SITE_TABLES") == "false" and SINGLE_RUN.fullmatch(page.file.src_uri):
        return re.sub(r"^\|.*\n", "", markdown, flags=re.MULTILINE)
    return markdown


def on_page_content(html: str, **_: object) -> str:
    """Convert the formulas of a page to MathML."""
    return FORMULA.sub(_mathml, html)


def _mathml(found: re.Match[str]) -> str:
    return convert(unescape(found[3]), display="block" if found[2] == "[" else "inline")
