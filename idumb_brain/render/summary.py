"""A project in one line, for people at a glance and for every system prompt. Pure; never longer than it may be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

LONGEST = 120
_NAMES = {
    "csharp": "C#", "cpp": "C++", "php": "PHP", "javascript": "JavaScript", "typescript": "TypeScript", "jsx": "JavaScript",
    "tsx": "TypeScript", "html": "HTML", "css": "CSS", "scss": "CSS", "sql": "SQL", "vue": "Vue", "embeddedtemplate": "templates",
}  # fmt: skip
PROSE = frozenset({"json", "yaml", "toml", "markdown", "rst", "html", "css", "scss", "xml", "ini", "csv", "svg", "po", "diff"})


def one_line(
    name: str, languages: Mapping[str, int], technologies: Sequence[str], tests: Sequence[str], packages: int, files: int
) -> str:
    """``languages`` are lines by language; ``technologies`` and ``tests`` the names worth telling, the most telling first."""
    name, technologies, tests = _plain(name)[:40], [_plain(each) for each in technologies], [_plain(each) for each in tests]
    told = spoken(languages)
    size = f"{_short(files)} files, {_short(sum(languages.values()))} lines"
    parts = [
        " + ".join(told[:2]) or "no code yet",
        f"{packages} packages" if packages > 1 else "",
        ", ".join(technologies[:5]),
        f"tests: {', '.join(tests[:2])}" if tests else "",
        size,
    ]
    line = f"{name}: {'; '.join(filter(None, parts))}"
    fewer = min(len(technologies), 5)
    while len(line) > LONGEST and fewer:  # the least telling goes first
        fewer -= 1
        parts[2] = ", ".join(technologies[:fewer])
        line = f"{name}: {'; '.join(filter(None, parts))}"
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


def spoken(languages: Mapping[str, int]) -> list[str]:
    """Programming languages by lines, as people write them; what is less than a tenth of the largest goes unsaid."""
    lines: dict[str, int] = {}
    for language, count in languages.items():
        if language not in PROSE:
            named = _NAMES.get(language, language.capitalize())
            lines[named] = lines.get(named, 0) + count
    ranked = sorted(lines, key=lambda named: (-lines[named], named))
    return [named for named in ranked if lines[named] * 10 >= lines[ranked[0]]]


def _plain(text: str) -> str:
    """Names come from manifests: whatever they hold, they stay a part of one line."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def _short(number: int) -> str:
    if number < 10_000:
        return f"{number:,}"
    return f"{number / 1000:.0f}k" if number < 1_000_000 else f"{number / 1_000_000:.1f}M"
