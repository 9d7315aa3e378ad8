"""What was found as candidates for a text: from the mere path to the lines that answer. Chooses nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from idumb_brain.model.selection import DOCUMENT, ENTRY, FILE, TASK, Candidate, Hit, Layout

LAYOUT = Layout(headings=((FILE, "Files"), (DOCUMENT, "Documents"), (ENTRY, "Known"), (TASK, "Tasks")))
_MOST_SYMBOLS = 5
_WIDEST = 160  # characters of a line of code or of a signature


def candidates(hits: Sequence[Hit], symbols: Sequence[Hit], excerpts: Mapping[str, tuple[int, Sequence[str]]]) -> list[Candidate]:
    """``excerpts``: of a path, the number of the first line and the lines that answer best."""
    of_file: dict[str, list[Hit]] = {}
    for symbol in symbols:
        of_file.setdefault(symbol.path, []).append(symbol)
    return [_candidate(hit, of_file.get(hit.path, ()), excerpts.get(hit.path)) for hit in hits]


def _candidate(hit: Hit, symbols: Sequence[Hit], excerpt: tuple[int, Sequence[str]] | None) -> Candidate:
    forms = [hit.path]
    if hit.score.reasons:
        forms.append(f"{hit.path}: {'; '.join(hit.score.reasons)}")
    if symbols:
        listed = sorted(symbols[:_MOST_SYMBOLS], key=lambda symbol: symbol.line)
        forms.append(
            "\n".join([forms[-1], *(f"  {symbol.line}: {_clipped(symbol.detail or symbol.title)}" for symbol in listed)])
        )
    if excerpt:
        first, lines = excerpt
        shown = (f"  {number:>5}| {_clipped(line)}".rstrip() for number, line in enumerate(lines, first))
        forms.append("\n".join([forms[min(1, len(forms) - 1)], *shown]))
    return Candidate(
        hit.kind, hit.id, hit.score, tuple(forms), section=hit.kind, says="\n".join(excerpt[1]) if excerpt else hit.path
    )


def _clipped(line: str) -> str:
    line = line.rstrip()
    return line if len(line) <= _WIDEST else line[: _WIDEST - 1] + "…"
