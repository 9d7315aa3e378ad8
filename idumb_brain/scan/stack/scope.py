"""Where in a project a path lies: in what is built, in its tests, or in what only shows or tries something."""

from __future__ import annotations

import re
from functools import lru_cache

TESTS, DOCS, EXAMPLES, FIXTURES = "tests", "docs", "examples", "fixtures"
NEAREST_FIRST = ("", TESTS, DOCS, EXAMPLES, FIXTURES)

_PARTS = {
    FIXTURES: re.compile(
        r"^(?:fixtures?|__fixtures__|.*[-_]fixtures?|fixture[-_].*|test[-_]?data|test[-_]?files|testcases?|__mocks__|mocks|snapshots|"
        r"__snapshots__|golden|goldens|corpus|test[-_]?projects?|testassets|third[-_]party|vendor|vendored|node_modules)$",
        re.IGNORECASE,
    ),
    EXAMPLES: re.compile(
        r"^(?:examples?|.*[-_]examples?|example[-_].*|samples?|demos?|.*[-_]demo|playgrounds?|sandbox(?:es)?|tutorials?|"
        r"templates?|template-.*|boilerplates?|starters?|skeletons?|benchmarks?|bench|benches|perf|experiments?|recipes)$",
        re.IGNORECASE,
    ),
    DOCS: re.compile(r"^(?:docs?|documentation|.*[-_]docs|docs[-_].*|website|site|www)$", re.IGNORECASE),
    TESTS: re.compile(
        r"^(?:tests?|__tests__|testing|specs?|e2e|.*[-_]tests?|.*\.(?:\w*Tests?|IntegrationTests|Specs)|integration|unit|acceptance|cypress|test[-_]suites?|testsuite)$",
        re.IGNORECASE,
    ),
}


# Below these, folders are names of packages: ``src/main/java/org/springframework/samples`` is no sample.
_NAMESPACES = re.compile(r"(?:^|/)src/\w+/(?:java|kotlin|scala|groovy)/")


@lru_cache(maxsize=10_000)
def scope_of(path: str) -> str:
    """``fixtures``, ``examples``, ``docs``, ``tests``, or "" for the project itself."""
    if inside := _NAMESPACES.search(path):
        path = path[: inside.end()]
    folders = path.split("/")[:-1]
    for scope, pattern in _PARTS.items():
        if any(pattern.match(folder) for folder in folders):
            return scope
    return ""
