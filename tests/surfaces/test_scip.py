"""The SCIP file, read back by the protobuf runtime: every place must hold the word it claims to."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.unknown_fields import UnknownFieldSet

from idumb_brain.render.scip import symbol_names
from tests.conftest import FIXTURES
from tests.surfaces.test_cli import data, error, run

# The parts of scip.proto that are written: message → field → (number, type); [] is repeated.
MESSAGES = {
    "Index": {"metadata": (1, "Metadata"), "documents": (2, "[Document]"), "external_symbols": (3, "[SymbolInformation]")},
    "Metadata": {"tool_info": (2, "ToolInfo"), "project_root": (3, "string"), "text_document_encoding": (4, "int32")},
    "ToolInfo": {"name": (1, "string"), "version": (2, "string")},
    "Document": {
        "relative_path": (1, "string"),
        "occurrences": (2, "[Occurrence]"),
        "symbols": (3, "[SymbolInformation]"),
        "language": (4, "string"),
        "position_encoding": (6, "int32"),
        "text": (5, "string"),
    },
    "Occurrence": {
        "range": (1, "[int32]"),
        "symbol": (2, "string"),
        "symbol_roles": (3, "int32"),
        "enclosing_range": (7, "[int32]"),
    },
    "SymbolInformation": {
        "symbol": (1, "string"),
        "documentation": (3, "[string]"),
        "relationships": (4, "[Relationship]"),
        "kind": (5, "int32"),
        "display_name": (6, "string"),
        "signature_documentation": (7, "Document"),
    },
    "Relationship": {"symbol": (1, "string"), "is_implementation": (3, "bool")},
}
DEFINITION, IMPORT = 1, 2


def decoded(file: Path) -> Any:
    schema = FileDescriptorProto(name="scip.proto", package="scip", syntax="proto3")
    for name, fields in MESSAGES.items():
        message = schema.message_type.add(name=name)
        for called, (number, kind) in fields.items():
            many, kind = kind.startswith("["), kind.strip("[]")
            field = message.field.add(name=called, number=number, label=3 if many else 1)
            if kind in MESSAGES:
                field.type, field.type_name = FieldDescriptorProto.TYPE_MESSAGE, f".scip.{kind}"
            else:
                field.type = getattr(FieldDescriptorProto, f"TYPE_{kind.upper()}")
    pool = DescriptorPool()
    pool.Add(schema)
    index = GetMessageClass(pool.FindMessageTypeByName("scip.Index"))()
    index.ParseFromString(file.read_bytes())
    assert len(UnknownFieldSet(index)) == 0
    return index


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("scip") / "all of it"
    shutil.copytree(FIXTURES / "languages", root / "languages", ignore=shutil.ignore_patterns("*.expected"))
    shutil.copytree(FIXTURES / "projects" / "reading_room", root / "reading_room")
    (root / ".idumb").mkdir()
    run("scan", cwd=root)
    return root


def test_every_place_holds_its_word(project: Path) -> None:
    told = data("codemap", "scip", cwd=project)
    index = decoded(project / "index.scip")
    assert index.metadata.project_root == project.as_uri() and index.metadata.tool_info.name == "idumb-brain"
    assert told["documents"] == len(index.documents) > 20 and told["leftOut"] == []
    displayed = {one.symbol: one.display_name for document in index.documents for one in document.symbols}
    known = displayed.keys() | {one.symbol for one in index.external_symbols}
    places: Counter[str] = Counter()
    for document in index.documents:
        assert document.position_encoding == 3 and document.language
        raw = (project / document.relative_path).read_bytes()
        lines = raw.decode("latin-1" if b"coding: latin-1" in raw[:60] else "utf-8").split("\n")
        for one in document.occurrences:
            line, start, end = one.range
            assert one.symbol in known
            here = lines[line][start:end]
            if one.symbol_roles == DEFINITION and end:
                assert here == displayed.get(one.symbol, here)
                first, _, last = (
                    (one.enclosing_range[0], one.enclosing_range[1], one.enclosing_range[-2])
                    if one.enclosing_range
                    else (line, 0, line)
                )
                assert first <= line and (len(one.enclosing_range) == 3 or line <= last)
            places[{DEFINITION: "definition", IMPORT: "import"}.get(one.symbol_roles, "use")] += 1
    assert places["definition"] > 500 and places["use"] > 100 and places["import"] > 20


def test_uses_lead_to_what_they_mean(project: Path) -> None:
    data("codemap", "scip", "told.scip", cwd=project)
    index = decoded(project / "told.scip")
    [readers] = [one for one in index.documents if one.relative_path == "reading_room/library/readers.py"]
    lines = (project / readers.relative_path).read_text().split("\n")
    seen = {
        (one.symbol_roles, lines[one.range[0]][one.range[1] : one.range[2]]): one.symbol.rpartition("/")[2]
        for one in readers.occurrences
    }
    assert seen[0, "overdue"] == seen[IMPORT, "overdue"] == "overdue()."
    assert seen[DEFINITION, "may_borrow"] == "Reader#may_borrow()."


def test_the_same_index_gives_the_same_file(project: Path) -> None:
    data("codemap", "scip", "one.scip", cwd=project)
    data("codemap", "scip", "two.scip", cwd=project)
    assert (project / "one.scip").read_bytes() == (project / "two.scip").read_bytes()


def test_what_changed_since_the_scan_is_left_out(project: Path) -> None:
    file = project / "reading_room" / "library" / "loans.py"
    before = file.read_text()
    file.write_text("# all new\n" + before)
    try:
        told = data("codemap", "scip", cwd=project)
        assert told["leftOut"] == [{"path": "reading_room/library/loans.py", "reason": "changed since the last scan"}]
    finally:
        file.write_text(before)


def test_a_folder_that_is_none(project: Path) -> None:
    assert "cannot be written" in error("codemap", "scip", "nowhere/index.scip", cwd=project)["what"]


def test_overloads_and_odd_names_are_told_apart() -> None:
    from idumb_brain.model.code import Symbol

    def symbol(ordinal: int, name: str, kind: str, parent: int = -1) -> Symbol:
        return Symbol("a b.ts", ordinal, parent, name, name, kind, 1, 1, "", True, "")

    names = symbol_names(
        "my project",
        "src/a b.ts",
        [symbol(0, "Box", "class"), symbol(1, "put", "method", 0), symbol(2, "put", "method", 0), symbol(3, "a`b", "key")],
    )
    top = "idumb-brain . my  project . src/`a b.ts`/"
    assert names == [f"{top}Box#", f"{top}Box#put().", f"{top}Box#put(+1).", f"{top}`a``b`.", top]
