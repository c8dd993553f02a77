"""An extension of griffe, which reads code without running it: it finds functions that a factory makes."""

import inspect
from importlib import import_module
from typing import Any

import griffe

MODULES = ("ocean.fft.arrays", "ocean.fft.real")


class MadeFunctions(griffe.Extension):
    """Extension that turns module attributes into functions with signature and docstring."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Replace the attributes of MODULES."""
        for path in MODULES:
            module = pkg[path.removeprefix(f"{pkg.path}.")]
            for name, member in list(module.members.items()):
                made = getattr(import_module(path), name, None)
                if isinstance(member, griffe.Attribute) and inspect.isfunction(made):
                    module.set_member(name, function(name, made))


def function(name: str, made: Any) -> griffe.Function:
    parameters = [
        griffe.Parameter(
            one.name,
            annotation=None,
            kind=griffe.ParameterKind(one.kind.description),
            default=None if one.default is one.empty else repr(one.default),
        )
        for one in inspect.signature(made).parameters.values()
    ]
    docstring = griffe.Docstring(inspect.getdoc(made) or "", parser="google")
    return griffe.Function(name, parameters=griffe.Parameters(*parameters), docstring=docstring)
