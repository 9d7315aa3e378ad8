"""The plumbing of the accuracy commands, without any tree: how accounts are compared, and that every rule is usable."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.accuracy import ctags
from tests.accuracy.__main__ import commands
from tests.accuracy.measure import Score, compared, main, scanned
from tests.accuracy.trees import Unobtainable, run


def test_saying_a_thing_twice_is_two_things() -> None:
    assert compared(["a", "a", "b"], ["a", "c"]) == (1, ["a", "b"], ["c"])


@pytest.mark.parametrize(
    ("score", "passed"),
    [
        (Score("x", "y", "z", 1, both=99, only_ours=["a"], precision_bar=0.99, recall_bar=1.0), True),
        (Score("x", "y", "z", 1, both=99, only_ours=["a"], precision_bar=0.995, recall_bar=1.0), False),
        (Score("x", "y", "z", 1, both=99, only_ours=["a"] * 99, recall_bar=1.0), True),
        (Score("x", "y", "z", 1, both=99, only_theirs=["a"], recall_bar=1.0), False),
        (Score("x", "y", "z", 0, both=0, precision_bar=0.5, recall_bar=0.5), False),
    ],
)
def test_bars(score: Score, passed: bool) -> None:
    assert score.passed is passed


def test_exit_code_and_explained_disagreements(capsys: pytest.CaptureFixture[str]) -> None:
    score = Score("x", "y", "z", 1, 1, (), ["b.py:1 odd", "c.py:2 plain"], None, 1.0, explained={r"^b\.py": "b is odd"})
    assert main(lambda: [score], "", []) == 1
    told = capsys.readouterr().out
    assert "1: b is odd" in told and "c.py:2 plain" in told and "b.py:1" not in told


def test_a_scan_reads_everything_but_what_is_excluded(tmp_path: Path) -> None:
    for name in ("a.py", "vendor/b.py", "left_out/c.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("# @generated\ndef f(): ...\n")
    with scanned(tmp_path, exclude=["left_out"]) as code_map:
        assert sorted(code_map.files) == ["a.py", "vendor/b.py"]
        assert [symbol.name for symbol in code_map.symbols("vendor/b.py")] == ["f"]
    assert not (tmp_path / ".idumb").exists()


def test_what_cannot_be_had_says_so() -> None:
    with pytest.raises(Unobtainable, match="no-such-program"):
        run("no-such-program")


def test_every_command_is_found() -> None:
    assert {"ctags", "python_ast", "python_imports"} <= set(commands())


def test_rules_are_narrow_and_say_why() -> None:
    known = {language.theirs for language in ctags._LANGUAGES}
    for rule in ctags._rules():
        assert rule.language in known, rule
        assert rule.patterns and rule.why, rule
        nothing = ctags._Tag("", 1, "", "", "", "")
        assert not rule.recognises(nothing) or any(what == "text" for what, _ in rule.patterns), rule
