"""Modules, layers, entry points and tests, from nothing but paths and edges."""

from __future__ import annotations

import pytest

from idumb_brain.graph.architecture import architecture
from idumb_brain.graph.landmarks import entry_points, subjects_of_tests
from idumb_brain.graph.structure import folder_tree
from idumb_brain.model.code import Edge, FileRecord, Symbol
from idumb_brain.model.project import Package
from idumb_brain.model.roles import role_of


def file(path: str, lines: int = 10, language: str = "python", package: str = "") -> FileRecord:
    return FileRecord(hash(path), path, "scanned", "", "", 100, 0, lines, language, package, "")


def edges(*pairs: str) -> list[Edge]:
    return [Edge(*pair.split(" > "), number, "import") for number, pair in enumerate(pairs, 1)]


def test_layers_come_from_who_imports_whom() -> None:
    files = [file(f"shop/{part}/m{n}.py") for part in ("web", "rules", "store", "words") for n in range(3)]
    found = architecture(
        files,
        edges(
            "shop/web/m0.py > shop/rules/m0.py",
            "shop/web/m1.py > shop/rules/m1.py",
            "shop/rules/m0.py > shop/store/m0.py",
            "shop/rules/m1.py > shop/store/m0.py",
            "shop/store/m2.py > shop/rules/m2.py",  # one against two
            "shop/store/m0.py > shop/words/m0.py",
            "shop/web/m0.py > shop/web/m1.py",
        ),
    )
    assert found.layers == (("shop/words",), ("shop/store",), ("shop/rules",), ("shop/web",))
    assert [(a.source, a.target, a.imports, a.example.source) for a in found.against] == [
        ("shop/store", "shop/rules", 1, "shop/store/m2.py")
    ]
    assert {module.path: module.needs for module in found.modules}["shop/rules"] == (("shop/store", 2),)


def test_the_tree_is_cut_where_it_says_most() -> None:
    files = [file("setup.py"), *(file(f"src/lib/{part}/x.py", 100) for part in "abcdef"), file("src/lib/__init__.py")]
    paths = [module.path for module in architecture(files, []).modules]
    assert paths == ["", "src/lib", *(f"src/lib/{part}" for part in "abcdef")]


def test_what_is_not_product_is_no_module() -> None:
    files = [file("lib/a.py"), file("tests/test_a.py"), file("docs/conf.py"), file("examples/e.py"), file("x.json", 900, "json")]
    assert [module.path for module in architecture(files, []).modules] == ["lib"]


def test_a_circle_of_modules_has_an_order_all_the_same() -> None:
    files = [file(f"p/{part}/x.py") for part in "abcd"]
    circle = edges("p/a/x.py > p/b/x.py", "p/b/x.py > p/c/x.py", "p/c/x.py > p/d/x.py", "p/d/x.py > p/a/x.py")
    found = architecture(files, circle)
    assert sum(map(len, found.layers)) == 4
    assert len(found.against) == 1
    assert found == architecture(list(reversed(files)), list(reversed(circle)))


def test_an_empty_project_has_no_architecture() -> None:
    assert architecture([], []).layers == ()


ENTRIES = {
    "named by a manifest": (file("src/cli.py"), None, "pyproject.toml names it"),
    "python -m": (file("shop/__main__.py"), None, "python -m runs it"),
    "main of a program": (file("cmd/main.go", language="go", package="main"), "func main()", "func main()"),
    "main of a library": (file("lib/main.go", language="go", package="lib"), "func main()", ""),
    "main of a test": (file("tests/main.rs", language="rust"), "fn main()", ""),
    "an application": (file("shop/wsgi.py"), "application = make()", "a WSGI server loads it"),
    "a module about them": (file("shop/asgi.py"), None, ""),
    "nothing": (file("shop/loans.py"), None, ""),
}


@pytest.mark.parametrize("name", ENTRIES)
def test_entry_points(name: str) -> None:
    record, signature, why = ENTRIES[name]
    package = Package("", "shop", "1", "python", "pyproject.toml", "", entries=("src/cli.py", "gone.py"))
    called = "application" if signature and signature.startswith("application") else "main"
    mains = [Symbol(record.path, 0, -1, called, called, "function", 3, 4, signature, True, "")] if signature else []
    assert [entry.why for entry in entry_points([package], [record], mains)] == ([why] if why else [])


TESTS = {
    "tests/test_loans.py": "shop/loans.py: named after it and imports it; shop/readers.py: imports it",
    "tests/web/api.test.ts": "web/api.ts: named after it",
    "spec/shelf_spec.rb": "lib/shelf.rb: named after it",
    "tests/loans.py": "",
    "tests/readers.py": "shop/readers.py: named after it and imports it",
}


@pytest.mark.parametrize("test", TESTS)
def test_which_source_a_test_is_about(test: str) -> None:
    sources = ["shop/loans.py", "shop/readers.py", "web/api.ts", "other/api.ts", "lib/shelf.rb"]
    links = subjects_of_tests(
        [file(path) for path in [*sources, test]],
        edges(
            "tests/test_loans.py > shop/loans.py", "tests/test_loans.py > shop/readers.py", "tests/readers.py > shop/readers.py"
        ),
    )
    assert "; ".join(f"{link.source}: {link.why}" for link in links) == TESTS[test]


ROLES = {
    "source": "shop/loans.py lib/bin/run.js django/test/client.py src/resources/model.ts cmd/tools/main.go tools/search/filter.go",
    "test": "tests/helpers.py shop/test_loans.py a/b.spec.ts src/test/java/A.java pkg/x_test.go app/ShelfTest.kt test/x.py",
    "fixture": "tests/fixtures/a.py pkg/testdata/x.go src/__snapshots__/a.snap",
    "example": "examples/a.py demo/x.ts",
    "document": "README.md docs/conf.py shop/NOTES.rst LICENSE",
    "setting": "pyproject.toml .gitignore web/tsconfig.json Makefile .github/workflows/ci.yml",
    "script": "scripts/open.sh bin/run",
    "asset": "static/logo.svg app/locale/de.po",
    "migration": "shop/migrations/0001.py",
    "bench": "benches/speed.rs",
    "built": "ui/dist/app.js dist/index.html",
}


@pytest.mark.parametrize("role", ROLES)
def test_what_a_path_says(role: str) -> None:
    assert {path: role_of(path) for path in ROLES[role].split()} == dict.fromkeys(ROLES[role].split(), role)


def test_folders_are_counted_with_what_is_below() -> None:
    root = folder_tree([file("a/b/x.py", 5), file("a/y.go", 7, "go"), file("README.md", 1, "markdown")])
    assert (root.files, root.lines, root.children["a"].lines, root.names) == (3, 13, 12, ["README.md"])
    assert root.children["a"].languages == {"python": (1, 5, 100), "go": (1, 7, 100)}
    assert (root.children["a"].role, root.children["a"].children["b"].path) == ("source", "a/b")
