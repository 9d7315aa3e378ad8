"""Command lines are judged right however they are spelled, and every text gets an answer."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idumb_brain.govern.shell.decide import decision, significance
from idumb_brain.scan.shell import LONGEST
from tests.govern.corpus import FOLDER, PARTS, judged, lines

DESTRUCTIVE = lines("destructive")
HARMLESS = lines("harmless")
SIGNIFICANT = [row.split("\t") for row in (FOLDER / "significant.txt").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("part", PARTS)
def test_the_corpus_is_large_enough(part: str) -> None:
    assert len(set(lines("destructive", part))) >= 300 and len(set(lines("harmless", part))) >= 300


def test_no_line_is_told_twice_or_of_both_kinds() -> None:
    assert not set(DESTRUCTIVE) & set(HARMLESS)
    for name in ("destructive", "harmless"):
        assert not set(lines(name, "real")) & set(lines(name, "spellings"))


@pytest.mark.parametrize("line", DESTRUCTIVE)
def test_destructive(line: str) -> None:
    told = decision(judged(line))
    assert told.decision == "block" and told.what and told.why and told.evidence


@pytest.mark.parametrize("part", PARTS)
def test_harmless(part: str) -> None:
    harmless = lines("harmless", part)
    refused = [line for line in harmless if judged(line).destructive]
    assert len(refused) <= len(harmless) / 100, refused


@pytest.mark.parametrize(("kind", "line"), SIGNIFICANT)
def test_significance(kind: str, line: str) -> None:
    assert (significance(judged(line)) or "-") == kind


# Each keeps what a line does: something around it, before it or after it.
WRAPPERS = (
    "sh -c {}", "bash -lc {}", "eval {}", "sudo sh -c {}", "env A=1 bash -c {}", "timeout 60 sh -c {}", "nohup bash -c {} &",
    "xargs -I@@ sh -c {} <<< x",
    "sh <<'END_OF_IT'\n{plain}\nEND_OF_IT", "({plain}\n)", "ls\n{plain}", "{plain}\ngit status",
    "true && {{ {plain}\n}}",
    "if true; then {plain}\nfi", "for i in 1; do {plain}\ndone",
    "echo {} | sh", "find . -maxdepth 0 -exec sh -c {} \\;", "f() {{\n{plain}\n}}; f",
)  # fmt: skip


def wrapped(line: str, wrapper: str) -> str:
    return wrapper.format(shlex.quote(line), plain=line)


def respelled(words: list[str], draw: st.DrawFn) -> str:
    """The same words, quoted and spaced in another way."""
    told = []
    for word in words:
        cut = draw(st.integers(0, len(word)))
        quote = draw(st.sampled_from(("{}", "'{}'", '"{}"', "$'{}'", "\\{}")))
        plain = word[cut:] and not set(word) & set("\\'\"$`!")
        head, tail = shlex.quote(word[:cut]) if cut else "", word[cut:]
        told.append(head + quote.format(tail) if plain and not (quote == "\\{}" and tail[0].isspace()) else shlex.quote(word))
    return draw(st.sampled_from((" ", "  ", "\t", " \\\n"))).join(told)


PLAIN = [line for line in DESTRUCTIVE if not set(line) & set("|&;<>()$`\\\"'*?[]{}~#\n=+:!") and not line.startswith("history")]
# A here-document, a comment at the end, or what find and xargs put in a place cannot be wrapped by putting text around it;
# a second bracket before the first begins a sum, and "$@" is empty in a shell that is given nothing.
WHOLE = [
    line for line in DESTRUCTIVE if not set(line) & set("\n#") and "{}" not in line and line[0] != "(" and '"$@"' not in line
]
SAFE = [line for line in HARMLESS if not set(line) & set("\n#") and "{}" not in line and not judged(line).destructive]


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_respelled_destructive_lines_stay_destructive(data: st.DataObject) -> None:
    words = data.draw(st.sampled_from(PLAIN)).split()
    line = data.draw(st.composite(lambda draw: respelled(words, draw))())
    assert judged(line).destructive, line


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(WHOLE), st.lists(st.sampled_from(WRAPPERS), min_size=1, max_size=3, unique=True))
def test_wrapped_destructive_lines_stay_destructive(line: str, wrappers: list[str]) -> None:
    for wrapper in wrappers:
        line = wrapped(line, wrapper)
    assert judged(line).destructive, line


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(SAFE), st.sampled_from(WRAPPERS))
def test_wrapped_harmless_lines_stay_harmless(line: str, wrapper: str) -> None:
    line = wrapped(line, wrapper)
    assert not judged(line).destructive, (line, [part for part in judged(line).parts if part.destructive])


@settings(max_examples=200, deadline=None)
@given(st.permutations(["-r", "-f", "-v", "src"]), st.sampled_from(("rm", "/bin/rm", "command rm", "sudo rm")))
def test_the_order_of_flags_does_not_matter(words: list[str], name: str) -> None:
    assert judged(" ".join((name, *words))).destructive


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=st.sampled_from("rm -f/$(){}[]<>|&;'\"`\\\n\t#*?~=!abc\0é"), max_size=80))
def test_every_text_gets_an_answer(text: str) -> None:
    judged(text)


@pytest.mark.parametrize(
    "line",
    [
        "echo " + "a" * (LONGEST * 10) + "; rm -rf /", "(" * 5000 + "rm -rf /" + ")" * 5000, "$(" * 300 + "rm -rf /" + ")" * 300,
        "{" * 70 + " rm -rf /; " + "}" * 70, "rm -rf / 'unterminated", 'rm -rf / "unterminated', "rm\0 -rf /", "if rm -rf /; then",
        "rm -rf / )",
        "echo {a,b}" + "{a,b}" * 40 + "; rm -rf /", "cat <<EOF; rm -rf /",
        "for x in; do rm -rf /", "rm -rf / `",
        "; ".join(["true"] * 3000) + "; rm -rf /",
        'python3 -c "' + "(1); " * 1600 + 'import os; os.system(\\"rm -rf src\\")"',
    ],
    ids=range(15),
)  # fmt: skip
def test_what_cannot_be_understood_is_judged_by_its_worst_part(line: str) -> None:
    assert judged(line).destructive
