"""A whole line, statement by statement, as the shell would go through it. What a single command does is asked of ``commands``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from idumb_brain.govern.shell.commands import Judge
from idumb_brain.govern.shell.knowledge import Knowledge
from idumb_brain.govern.shell.places import UNKNOWN, Where, objection
from idumb_brain.govern.shell.values import HIDDEN, Scope, expand, expand_all, hides, names_in, printed, text_of, uncertain
from idumb_brain.govern.shell.words import Input
from idumb_brain.model.shell import (
    Command,
    Finding,
    Function,
    Group,
    Judgement,
    Loop,
    Node,
    Number,
    Output,
    Pipeline,
    Redirection,
    Script,
    Word,
)
from idumb_brain.scan.shell import parse

WORST = ("destructive", "unknown", "write", "network", "package", "vcs", "build", "test", "inspect")
MOST = 2_000  # findings; a line that has more is refused for it
_DEEPEST = 16
_OUTPUTS = {">", ">|", "&>", ">>", "&>>", "<>"}
_SAFE = "write to another file, or remove what can be made again by its name"


@dataclass(frozen=True, slots=True)
class Context:
    """Where a line would run; ``variables`` are those of the environment that may be looked at, ``branch`` the one that is checked out."""

    root: str
    cwd: str = ""
    home: str = ""
    branch: str = ""
    protected: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()  # folders outside the project
    variables: Mapping[str, str] = field(default_factory=dict)


def judge(line: str, context: Context, knowledge: Knowledge) -> Judgement:
    """What a line would do: pure, and there is an answer for every text."""
    walk = _Walk(context, knowledge)
    variables: dict[str, tuple[str, ...]] = {name: (value,) for name, value in context.variables.items()}
    scope = Scope(Where(context.root, context.cwd or context.root, context.home, context.allowed), variables)
    script = parse(line)
    walk.script(script, scope, Input(), 0)
    seen: set[str] = set()
    while left := [name for name in walk.defined if name not in seen | walk.called]:  # a body may hold functions of its own
        seen.update(left)
        for name in left:
            walk.group(walk.defined[name], scope.copy(), Input(), 1)
    parts = tuple(dict.fromkeys(walk.findings))
    kinds = {part.kind for part in parts}
    return Judgement(line, next((kind for kind in WORST if kind in kinds), "inspect"), parts, script.problems)


class _Walk:
    def __init__(self, context: Context, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.findings: list[Finding] = []
        self.defined: dict[str, Group] = {}
        self.called: set[str] = set()
        self.judge = Judge(knowledge, context.branch, (*knowledge.protected, *context.protected), self.text, self.findings.append)

    def text(self, text: str, scope: Scope, given: Input, depth: int) -> None:
        """A text that some command has the shell run."""
        if depth > _DEEPEST:
            self.findings.append(
                Finding(text[:80], "destructive", "it runs what runs what it runs", "say plainly what shall be done")
            )
            return
        self.script(parse(text.replace(UNKNOWN, "${_unknown_}").replace(HIDDEN, "${_unknown_}")), scope, given, depth)

    def script(self, script: Script, scope: Scope, given: Input, depth: int) -> None:
        for part in script.parts:
            self.node(part, scope, given, depth)

    def group(self, group: Group, scope: Scope, given: Input, depth: int) -> None:
        for part in group.parts:
            self.node(part, scope, given, depth)

    def node(self, node: Node, scope: Scope, given: Input, depth: int) -> None:
        if len(self.findings) > MOST:
            return
        if len(self.findings) == MOST:
            self.findings.append(Finding("…", "destructive", "there is more in this line than anybody can check", "split it"))
            return
        match node:
            case Command():
                self.command(node, scope, given, depth)
            case Pipeline():
                self.pipeline(node, scope, given, depth)
            case Group():
                inner = scope.copy() if node.own else scope
                given = self.redirected(node.redirections, ("{ … }",), inner, given, depth)
                self.group(node, inner, given, depth)
            case Loop():
                self.loop(node, scope, given, depth)
            case Function():
                self.function(node, scope)

    def pipeline(self, node: Pipeline, scope: Scope, given: Input, depth: int) -> None:
        read: tuple[str, ...] = ()
        for number, part in enumerate(node.parts):
            if len(self.findings) > MOST:
                return
            inner = scope.copy()
            if isinstance(part, Command) and number == len(node.parts) - 1 and number:
                self.overwritten(part, read, inner)
            self.node(part, inner, given, depth)
            if (
                isinstance(part, Command)
                and part.words
                and _filters("".join(expand(part.words[0], inner, self.knowledge)), self.knowledge)
            ):
                read += (*expand_all(part.words[1:], inner, self.knowledge), *_sources(part, inner, self.knowledge))
            told = printed(part, scope, self.knowledge, given.text)
            given = Input(told, hides(part, scope, self.knowledge) or (given.hidden and told is None), True)

    def loop(self, node: Loop, scope: Scope, given: Input, depth: int) -> None:
        for word in node.values:
            self.inner(word, scope, depth)
        values = expand_all(node.values, scope, self.knowledge)
        if "(" in values or not values:
            values = (UNKNOWN,)
        for value in dict.fromkeys(values[:8]):
            scope.variables[node.name] = (value,)
            self.group(node.body, scope, given, depth)
        if len(values) > 8:
            scope.variables[node.name] = (UNKNOWN,)
            self.group(node.body, scope, given, depth)

    def function(self, node: Function, scope: Scope) -> None:
        scope.functions[node.name] = node.body
        self.defined[node.name] = node.body
        if _forks(node.body, node.name, scope, self.knowledge):
            why = f"{node.name} starts itself again and again until the machine stops"
            self.findings.append(Finding(f"{node.name}()", "destructive", why, "do not run it"))

    def command(self, node: Command, scope: Scope, given: Input, depth: int) -> None:
        for word in (*node.words, *(word for one in node.assignments for word in one.values)):
            self.inner(word, scope, depth, given)
        words = expand_all(node.words, scope, self.knowledge)
        stays = not words or words[0] in ("export", "declare", "local", "readonly", "typeset", "read", "mapfile", "readarray")
        inside = scope if stays else scope.copy()
        for one in node.assignments:
            values = (
                expand_all(one.values, scope, self.knowledge)
                if one.array
                else tuple(text_of(word, scope, self.knowledge) for word in one.values)
            )
            before = scope.variables.get(one.name, ()) if one.added else ()
            inside.variables[one.name] = (*before, *values) if one.array or not before else (before[0] + "".join(values),)
            if one.name in self.knowledge.producers["asked"]:
                self.text(" ".join(values), scope.copy(), Input(), depth + 1)
        if not stays and words[0] in scope.functions and depth < _DEEPEST:
            self.called.add(words[0])
            called = scope.copy()
            called.positional = words[1:]
            self.redirected(node.redirections, words, scope, given, depth)
            self.group(scope.functions[words[0]], called, given, depth + 4)
            return
        given = self.redirected(node.redirections, words, scope, given, depth)
        self.kept(node, words, scope, given)
        if words:
            # Only what the shell does itself outlives the command: an assignment before it does not.
            self.judge.command(words, inside if node.assignments and not stays else scope, given, depth)

    def kept(self, node: Command, words: tuple[str, ...], scope: Scope, given: Input) -> None:
        """Files that hold what the line tells, should it run them later."""
        files = [one.target for one in node.redirections if one.operator in (">", ">|")]
        paths = [path for one in files for path in expand(one, scope, self.knowledge)]
        if words and words[0] == "tee":
            paths += [word for word in words[1:] if not word.startswith("-")]
        if not paths or (told := printed(node, scope, self.knowledge, given.text)) is None:
            return
        scope.files |= dict.fromkeys(paths, told)

    def inner(self, word: Word, scope: Scope, depth: int, given: Input | None = None) -> None:
        """What a word runs before the command does; what stands for a file may be given what the command is."""
        for piece in word.pieces:
            if isinstance(piece, Output | Number):
                file = isinstance(piece, Output) and piece.file
                self.script(piece.script, scope.copy(), (given if file else None) or Input(), depth + 1)
            elif not hasattr(piece, "text") and piece.word is not None:
                self.inner(piece.word, scope, depth + 1)

    def redirected(
        self, redirections: tuple[Redirection, ...], words: tuple[str, ...], scope: Scope, given: Input, depth: int
    ) -> Input:
        """Files that are written to; gives back what the command will read."""
        for one in redirections:
            self.inner(one.target, scope, depth)
            if one.operator in ("<<", "<<<"):
                given = Input(text_of(one.target, scope, self.knowledge), False, True)
                if given.text is not None and HIDDEN in given.text:
                    given = Input(None, True, True)
                continue
            for path in expand(one.target, scope, self.knowledge):
                if one.operator == "<":
                    given = self.read(path, scope)
                elif one.operator in _OUTPUTS:
                    self.written(one.operator, path, words, redirections, scope)
        return given

    def read(self, path: str, scope: Scope) -> Input:
        told = "" if path == "/dev/null" else scope.files.get(path)
        if told is None or uncertain(told):
            return Input(None, told is not None and HIDDEN in told, True)
        return Input(told, False, True)

    def written(
        self, operator: str, path: str, words: tuple[str, ...], redirections: tuple[Redirection, ...], scope: Scope
    ) -> None:
        appends = operator in (">>", "&>>", "<>")
        silent = not words or " ".join(words).strip() in self.knowledge.producers["silent"]
        effect = "append" if appends else "empty" if silent else "write"
        why = objection(effect, path, scope.where, self.knowledge.places)
        sources = [one for each in redirections if each.operator == "<" for one in expand(each.target, scope, self.knowledge)]
        if (
            not why
            and effect == "write"
            and _filters(words[0], self.knowledge)
            and path in (*words[1:], *sources)
            and not uncertain(path)
        ):
            why = f"{path} is emptied before it is read"
        shown = " ".join((*words, operator, path)).replace(UNKNOWN, "…")
        self.findings.append(Finding(shown[:200], "destructive", why, _SAFE) if why else Finding(shown[:200], *_harmless(path)))

    def overwritten(self, node: Command, read: tuple[str, ...], scope: Scope) -> None:
        for one in node.redirections:
            if one.operator in (">", ">|"):
                for path in expand(one.target, scope, self.knowledge):
                    if path in read and not path.startswith("/dev/") and not uncertain(path):
                        self.findings.append(
                            Finding(node.source[:200], "destructive", f"{path} is emptied before it is read", _SAFE)
                        )


def _harmless(path: str) -> tuple[str, str]:
    return ("inspect", "nothing is kept") if path.startswith("/dev/") else ("write", f"writes {path.replace(UNKNOWN, '…')}")


def _filters(name: str, knowledge: Knowledge) -> bool:
    """Whether its words are likely files that it reads."""
    known = knowledge.command(name)
    return known is not None and known.kind == "inspect" and name not in ("echo", "printf")


def _sources(node: Command, scope: Scope, knowledge: Knowledge) -> tuple[str, ...]:
    return tuple(path for one in node.redirections if one.operator == "<" for path in expand(one.target, scope, knowledge))


def _forks(body: Group, name: str, scope: Scope, knowledge: Knowledge) -> bool:
    return list(names_in(body, scope, knowledge)).count(name) > 1
