"""Breaking changes of Python packages between releases against griffe, by object.

griffe calls a changed default, a changed value and a changed annotation of a result a breakage; we call them unclear,
since signatures alone do not tell whether anybody notices. Theirs therefore counts as agreed where we say breaking or
unclear, and ours as agreed where we say breaking and they say anything.

griffe is asked in the Python that $IDUMB_GRIFFE_PYTHON names (this one unless set): pip install griffe.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from idumb_brain.graph.api import api_changes, rules
from idumb_brain.graph.exposure import exposed_names, with_reexports
from idumb_brain.model.changes import BREAKING, UNCLEAR, FileApi
from idumb_brain.model.code import FileFacts
from idumb_brain.scan.languages import load_languages, query_folders
from idumb_brain.scan.read import ReadLimits
from idumb_brain.scan.worker import facts_of
from tests.accuracy.measure import Score, main
from tests.accuracy.trees import Unobtainable, run, wheel

_RELEASES = {
    "httpx": ("0.26.0", "0.28.1"),
    "click": ("8.0.4", "8.2.1"),
    "flask": ("2.2.5", "3.1.0"),
    "jinja2": ("2.11.3", "3.1.6"),
    "rich": ("12.6.0", "14.0.0"),
}
_RECALL_BAR = 0.85
_ASK_GRIFFE = """
import json, sys
import griffe
sides = [griffe.load(sys.argv[1], search_paths=[place], allow_inspection=False, resolve_aliases=True) for place in sys.argv[2:4]]
def base(b):
    return [str(one) for one in b.old_value] if isinstance(b.old_value, list) else []
found = griffe.find_breaking_changes(*sides)
print(json.dumps([(b.kind.value, b.obj.canonical_path, sorted(b.obj.labels), base(b)) for b in found]))
"""
_UNSEEN = {"instance-attribute"}  # self.x = …: the code map has no symbol for it
_SAME = ["object"]  # class X(object) became class X: the same in Python 3
_EXPLAINED = {
    r"Positional parameter was moved: .*__init__$": "an __init__ that @dataclass makes; we tell of its fields",
    r"no longer a ": "griffe looks at whether any base went; a base replaced by another is none to it",
    r"moved to ": "griffe takes what the old module still imports for its own to pass on only where __all__ says so",
}


def measure() -> Iterator[Score]:
    python = os.environ.get("IDUMB_GRIFFE_PYTHON") or sys.executable
    for package, (old, new) in _RELEASES.items():
        roots = [wheel(f"{package}=={version}") for version in (old, new)]
        try:
            told = json.loads(run(python, "-c", _ASK_GRIFFE, package, *map(str, roots)))
        except Unobtainable as error:
            raise Unobtainable(f"{error}; griffe comes with: pip install griffe, see $IDUMB_GRIFFE_PYTHON") from error
        told = [one for one in told if one[3] != _SAME]
        theirs = {canonical: kind for kind, canonical, labels, _ in told if not _UNSEEN & set(labels)}
        unseen = sum(bool(_UNSEEN & set(labels)) for _, _, labels, _ in told)
        before, after = (_files(root, package) for root in roots)
        changes = api_changes(before, after, rules(query_folders()))
        ours = {_dotted(one.file, one.name): one for one in changes}
        breaking = {name for name, one in ours.items() if one.verdict == BREAKING}
        noticed = {name for name, one in ours.items() if one.verdict in (BREAKING, UNCLEAR)}
        missed = [f"{kind}: {name}" for name, kind in sorted(theirs.items()) if not _told(name, noticed)]
        modules = {name for name, kind in theirs.items() if "removed" in kind}
        alone = [
            f"{ours[name].reason[:70]}: {name}"
            for name in sorted(breaking)
            if name not in theirs and not any(name.startswith(module + ".") for module in modules)
        ]
        both = len(theirs) - len(missed)
        counted = f"{len(breaking)} breaking, {len(noticed) - len(breaking)} unclear of ours; {len(theirs)} of theirs"
        notes = [f"{counted}, {unseen} more of attributes set in methods"]
        tree = f"{package} {old}..{new}"
        yield Score("API breaks", "griffe", tree, len(after), both, alone, missed, None, _RECALL_BAR, notes, _EXPLAINED)


def _told(name: str, noticed: set[str]) -> bool:
    """Of a module that is gone griffe tells once, we of all that was in it; of a class that is gone it is the other way round."""
    return name in noticed or name.rpartition(".")[0] in noticed or any(one.startswith(name + ".") for one in noticed)


def _files(root: Path, package: str) -> list[FileApi]:
    languages = load_languages(query_folders())
    table = rules(query_folders())
    found = {}
    for file in sorted((root / package).rglob("*.py")):
        path = file.relative_to(root).as_posix()
        facts = FileFacts(*facts_of(path, "", languages, ReadLimits(generated=True), False, file.read_bytes()))
        found[path] = FileApi(path, facts.language, facts.package, facts.symbols, facts.imports)
    return [with_reexports(exposed_names(api, found, table), table) for api in found.values()]


def _dotted(path: str, name: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".") + "." + name


if __name__ == "__main__":
    sys.exit(main(measure, __doc__))
