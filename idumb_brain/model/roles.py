"""What a path says about its file: source, test, example, document … Looks at names only, never inside."""

from __future__ import annotations

import re

SOURCE, TEST, FIXTURE, EXAMPLE, BENCH, DOCUMENT, SCRIPT, SETTING, ASSET, MIGRATION, BUILT = (
    "source", "test", "fixture", "example", "bench", "document", "script", "setting", "asset", "migration", "built",
)  # fmt: skip

# The first folder of a path that is listed decides, the strongest role first.
_FOLDERS = {
    FIXTURE: "fixtures fixture __fixtures__ testdata test-data test_data __snapshots__ cassettes __mocks__ mocks",
    TEST: "tests test __tests__ spec specs e2e integration-tests integration_tests unittests unit-tests cypress androidtest"
    " uitests testsuite acceptance functional_tests",
    EXAMPLE: "examples example samples sample demo demos tutorial tutorials playground playgrounds showcase",
    BENCH: "bench benches benchmark benchmarks perf",
    BUILT: "dist",
    DOCUMENT: "docs doc documentation",
    MIGRATION: "migrations migrate alembic",
    SETTING: ".github .gitlab .circleci .vscode .idea .devcontainer .husky .changeset .storybook .config .cargo .mvn .yarn",
    SCRIPT: "scripts script tools tooling hack bin ci",
    ASSET: "assets static public images img icons fonts media locale locales i18n translations resources res",
}
_NAMES = {role: frozenset(names.split()) for role, names in _FOLDERS.items()}
_MODULES = frozenset({SCRIPT, ASSET})  # deeper down, such names are modules like any other
_TEST_NAME = re.compile(
    r"(?:test_.*|.*_test|conftest)\.pyi?$|.*[._-](?:test|spec|e2e|cy)\.[cm]?[jt]sx?$|.*_test\.(?:go|exs|dart|cc|cpp|c|lua|rs)$"
    r"|.*_spec\.(?:rb|lua)$|.*_test\.rb$|test_.*\.(?:rb|c|cc|cpp|sh|lua)$|.*(?:Tests?|Spec|IT)\.(?:java|kt|scala|cs|php|swift|groovy)$"
    r"|.*\.bats$"
)
_DOCUMENT_NAME = re.compile(
    r".*\.(?:md|mdx|markdown|rst|adoc|asciidoc)$|(?:README|LICEN[CS]E|CHANGELOG|CONTRIBUTING|AUTHORS|NOTICE)\b.*"
)
_SETTING_NAME = re.compile(
    r"\..*|.*\.(?:toml|ya?ml|ini|cfg|conf|properties|lock|editorconfig|json5?|jsonc)$|Makefile|Dockerfile.*|Jenkinsfile|Procfile|.*file\.lock"
)
_CODE = re.compile(
    r".*\.(?:py|pyi|js|ts|jsx|tsx|mjs|cjs|go|rs|java|kt|c|h|cc|cpp|hpp|cs|rb|php|swift|scala|sh|lua|ex|exs|dart|vue|svelte)$"
)

_COMPILED = re.compile(r".*\.(?:go|rs|java|kt|c|h|cc|cpp|hpp|cs|swift|scala|dart)$")  # nobody's script, wherever it lies


def role_of(path: str) -> str:
    folders, _, name = path.rpartition("/")
    parts = folders.lower().split("/") if folders else []
    for role, names in _NAMES.items():
        found = next((number for number, part in enumerate(parts) if part in names), -1)
        if found < 0:
            continue
        if role == TEST and parts[found] == "test" and found and name.endswith(".py") and not _TEST_NAME.match(name):
            continue  # a package of the product may well be about testing
        if role in _MODULES and _CODE.match(name) and (found or _COMPILED.match(name)):
            continue
        return role
    if _TEST_NAME.match(name):
        return TEST
    if _DOCUMENT_NAME.match(name):
        return DOCUMENT
    return SETTING if _SETTING_NAME.fullmatch(name) else SOURCE


def is_code(path: str) -> bool:
    """Whether a file's name says that it is written in a programming language."""
    return bool(_CODE.match(path.rpartition("/")[2]))


def is_own(path: str) -> bool:
    """Whether a file speaks for the project, and not for a sample that its tests, examples or documents keep."""
    return role_of(path) not in (FIXTURE, TEST, EXAMPLE, BENCH)


def is_product(path: str) -> bool:
    """Whether a file is part of what is shipped, as far as its path tells."""
    return role_of(path) in (SOURCE, MIGRATION)
