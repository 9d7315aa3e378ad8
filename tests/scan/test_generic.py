"""The grammars nobody described: each is known, loads, outlines a true sample, and survives what is no source at all."""

from __future__ import annotations

import typing
from pathlib import Path

import pytest
from tree_sitter_language_pack import SupportedLanguage

from idumb_brain.scan.languages import Language, load_languages, query_folders
from idumb_brain.scan.read import ReadLimits
from idumb_brain.scan.refresh import ScanSettings
from idumb_brain.scan.worker import facts_of
from idumb_brain.store import code as store
from idumb_brain.store.secrets import by_name
from tests.conftest import FIXTURES
from tests.scan.whole import workspace

LANGUAGES = load_languages(query_folders())
GENERIC = sorted((language for language in LANGUAGES.by_name.values() if language.generic), key=lambda language: language.name)
# Described by a folder of their own.
DESCRIBED = {
    "python", "javascript", "typescript", "tsx", "go", "rust", "java", "kotlin", "c", "cpp", "csharp", "ruby", "php", "swift",
    "scala", "bash", "lua", "elixir", "dart", "vue", "svelte", "astro", "markdown",
}  # fmt: skip
COMMENTS_TAKE_NO_ROOM = {"cobol"}  # its tree says that there is one, not what it says
SAMPLES = sorted(file for file in (FIXTURES / "languages" / "generic").iterdir() if not file.name.endswith(".expected"))
GARBAGE = b"}{)(][ \x7f\xc3\xa9 \xf0\x9f\x93\x9a <<<>>> '\"` \\ /* (* {- #| <!-- -- // ; % $$ @@ end \t\n" * 40


def test_every_grammar_of_the_pack_is_known() -> None:
    known = {language.grammar for language in LANGUAGES.by_name.values()}
    assert set(typing.get_args(SupportedLanguage)) - known <= DESCRIBED
    assert not {language.name for language in GENERIC} & DESCRIBED


def test_no_two_languages_claim_the_same_files() -> None:
    claimed: dict[str, str] = {}
    for language in LANGUAGES.by_name.values():
        for name in (*language.extensions, *language.filenames, *("#!" + program for program in language.interpreters)):
            assert claimed.setdefault(name, language.name) == language.name, f"{name}: {claimed[name]} and {language.name}"


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda file: file.name)
def test_sample_has_comments_and_an_outline(sample: Path) -> None:
    language = LANGUAGES.by_name[LANGUAGES.of_path(sample.name)]
    facts = facts_of(sample.name, "", LANGUAGES, ReadLimits(), False, sample.read_bytes())
    symbols, comments, problems = facts[9], facts[10], facts[13]
    assert language.generic
    assert bool(symbols) == language.outline
    assert bool(comments) == (language.outline and language.name not in COMMENTS_TAKE_NO_ROOM)
    assert not problems


def test_the_most_used_have_samples() -> None:
    assert len({LANGUAGES.of_path(sample.name) for sample in SAMPLES}) >= 70


def test_nothing_and_garbage_cost_no_worker(tmp_path: Path) -> None:
    root = tmp_path / "all"
    for language in GENERIC:
        for name, content in (("empty", b""), ("garbage", GARBAGE), ("endless", b"(" * 3000), ("one", b"a")):
            if file := _file_of(language, name):
                (root / name / language.name).mkdir(parents=True)
                (root / name / language.name / file).write_bytes(content)
    with workspace(root, tmp_path / "index.db") as made:
        made.refresh()
    connection = store.open_for_reading(tmp_path / "index.db")
    assert connection is not None
    files = {file.path: file for file in store.files(connection)}
    connection.close()
    assert len(files) == 4 * sum(bool(_file_of(language, "any")) for language in GENERIC)
    closed = {path: "secrets by its name" for path in files if by_name(path)}  # keys have a grammar, and are not read
    assert {path: file.reason for path, file in files.items() if file.reason} == closed and len(closed) <= 4


def test_torn_samples_cost_at_most_themselves(tmp_path: Path) -> None:
    """Some grammars never come back from some broken texts (Perl's is one): a reason for that file, and the scan goes on."""
    root = tmp_path / "torn"
    for sample in SAMPLES:
        whole = sample.read_bytes()
        for part in (1, 2, 3):
            at = len(whole) * part // 4
            folder = root / f"{part}-{sample.name}"
            folder.mkdir(parents=True)
            (folder / sample.name).write_bytes(whole[at : at + 40] + whole[:at] + whole[at + 9 :] + b"\x1f\xff{(")
    with workspace(root, tmp_path / "index.db", ScanSettings(jobs=2, seconds_a_file=5)) as made:
        assert made.refresh().seen == 3 * len(SAMPLES)
        reasons = {reason for _, reason in made.totals().skipped}
    assert all(reason.startswith(("binary", "parsing took longer")) for reason in reasons)


@pytest.mark.parametrize("language", [g for g in GENERIC if not g.extensions and not g.filenames], ids=lambda g: g.name)
def test_grammar_without_files_loads(language: Language) -> None:
    from idumb_brain.scan.extract import extract
    from idumb_brain.scan.grammar import grammar_of

    for source in (b"", b"a\n", GARBAGE):
        extract(source, grammar_of(language))


def _file_of(language: Language, stem: str) -> str:
    return next(iter(language.filenames), "") or (stem + language.extensions[0] if language.extensions else "")
