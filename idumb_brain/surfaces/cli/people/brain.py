"""Knowledge, as people see it. What an entry says is shown as text, whatever it says."""

from __future__ import annotations

import json
from typing import Any

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from idumb_brain.surfaces.cli.people.ink import Views, counted, line, plain, table

_LONG = 100


def _show(out: Console, data: dict[str, Any]) -> None:
    out.print(Text.assemble((line(data["title"]), "bold"), f"  {data['type']}, {_worth(data)}"))
    out.print(plain(data["id"]), style="dim")
    for reason in data["staleReasons"]:
        out.print(Text.assemble(("! ", "yellow"), line(reason)))
    out.print(f"\n{plain(data['content'])}\n")
    for one in data["evidence"]:
        out.print(f"evidence    {_place(one)}")
    for key, name in (("parent", "parent"), ("supersededBy", "replaced by")):
        if data[key]:
            out.print(f"{name:<12}{plain(data[key])}")
    for key, name in (
        ("children", "child"),
        ("relatedTo", "related"),
        ("contradicts", "contradicts"),
        ("supersedes", "replaces"),
    ):
        for id in data[key]:
            out.print(f"{name:<12}{plain(id)}")
    times = [f"written {data['createdAt']} ({data['source']})"]
    times += [f"validated {data['validatedAt']}"] if data["validatedAt"] else []
    times += [f"read {counted(data['accessCount'], 'time')}"] if data["accessCount"] else []
    out.print(", ".join(times), style="dim")


def _written(out: Console, data: dict[str, Any]) -> None:
    out.print(f"{plain(data['id'])}  written")


def _similar(out: Console, data: dict[str, Any]) -> None:
    out.print("Nothing was written: much the same is known already.", style="bold")
    for one in data["similar"]:
        out.print(f"  {plain(one['id'])}  {line(one['title'])}  ({one['score']:.0%} alike)")
    out.print("Put it in that one's place with --supersedes ID, or write it all the same with --force.")


def _list(out: Console, data: dict[str, Any]) -> None:
    _table(out, data["entries"])
    out.print(f"{data['total']:,} {'entry' if data['total'] == 1 else 'entries'}{_more(len(data['entries']), data['total'])}")


def _stale(out: Console, data: dict[str, Any]) -> None:
    for one in data["entries"]:
        out.print(
            Text.assemble(f"{one['effectiveConfidence']:>3} %  ", (line(one["title"])[:_LONG], "bold"), f"  {plain(one['id'])}")
        )
        for reason in one["staleReasons"]:
            out.print(f"       {line(reason)}")
    told = f"{data['stale']:,} of {data['total']:,} entries should be looked at again"
    out.print(told + _more(len(data["entries"]), data["stale"]))


def _purge(out: Console, data: dict[str, Any]) -> None:
    _table(out, data["entries"])
    count = f"{len(data['entries']):,} {'entry' if len(data['entries']) == 1 else 'entries'}"
    if data["purged"]:
        out.print(f"{count} {'deleted' if data['hard'] else 'purged'}")
    else:
        out.print(f"{count} would be {'deleted for good' if data['hard'] else 'taken out of view'}; --yes does it")


def _tree(out: Console, data: dict[str, Any]) -> None:
    for one in data["entries"]:
        out.print(_branch(one))
    if not data["entries"]:
        out.print("Nothing is known yet.")
    elif data["shown"] < data["total"]:
        out.print(f"{data['shown']:,} of {data['total']:,} entries; --limit shows more")


def _branch(one: dict[str, Any], onto: Tree | None = None) -> Tree:
    label = Text.assemble(line(one["title"])[:_LONG], (f"  {one['type']} {one['effectiveConfidence']} %", "dim"))
    made = Tree(label) if onto is None else onto.add(label)
    for child in one["children"]:
        _branch(child, made)
    return made


def _history(out: Console, data: dict[str, Any]) -> None:
    for one in data["changes"]:
        out.print(Text.assemble(one["at"], "  ", (one["action"], "bold"), f"  {plain(one['id'])}  by {plain(one['by'])}"))
        if one["before"]:
            for key in sorted({*one["before"], *one["after"]}):
                out.print(f"  {plain(key)}: {_short(one['before'].get(key))} → {_short(one['after'].get(key))}")
    if not data["changes"]:
        out.print("Nothing happened yet.")


def _validate(out: Console, data: dict[str, Any]) -> None:
    for one in data["validated"]:
        gone = (
            f"; no longer cited, for they are gone: {', '.join(map(plain, one['evidenceDropped']))}"
            if one["evidenceDropped"]
            else ""
        )
        out.print(f"{plain(one['id'])}  {one['effectiveConfidence']} %{gone}")


def _link(out: Console, data: dict[str, Any]) -> None:
    done = "" if data["changed"] else ", as before"
    out.print(f"{plain(data['id'])}  {data['kind']}  {plain(data['other'])}{done}")


def _supersede(out: Console, data: dict[str, Any]) -> None:
    out.print(f"{plain(data['id'])} → {' → '.join(map(plain, data['chain']))}")


def _learn(out: Console, data: dict[str, Any]) -> None:
    parts = [f"{data[what]:,} {what}" for what in ("written", "updated", "confirmed", "ended") if data[what]]
    out.print(f"{', '.join(parts) or 'nothing new'}; {data['kept']:,} as they were")
    if not data["scanned"]:
        out.print("There is no index yet: run idumb-brain scan to learn from the code too.")


def _more(shown: int, total: int) -> str:
    return f"; {total - shown:,} more with --limit" if shown < total else ""


def _table(out: Console, entries: list[dict[str, Any]]) -> None:
    if not entries:
        return
    made = table("now>", "type", "title", "id")
    for one in entries:
        made.add_row(_worth(one), one["type"], line(one["title"])[:_LONG], plain(one["id"]))
    out.print(made)


def _worth(one: dict[str, Any]) -> str:
    state = "purged" if one["purgedAt"] else "replaced" if one["supersededBy"] else ""
    return state or f"{one['effectiveConfidence']} %{' pinned' if one['pinned'] else ''}"


def _place(one: dict[str, Any]) -> str:
    if not one["path"]:
        return plain(one["commit"][:12])
    last = f"-{one['endLine']}" if one["endLine"] and one["endLine"] != one["line"] else ""
    return plain(f"{one['path']}{':' + str(one['line']) if one['line'] else ''}{last}")


def _short(value: Any) -> str:
    told = line(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    return told if len(told) <= _LONG else told[: _LONG - 1] + "…"


VIEWS: Views = {
    "show": _show,
    "written": _written,
    "similar": _similar,
    "list": _list,
    "stale": _stale,
    "purge": _purge,
    "tree": _tree,
    "history": _history,
    "validate": _validate,
    "link": _link,
    "supersede": _supersede,
    "learn": _learn,
}
