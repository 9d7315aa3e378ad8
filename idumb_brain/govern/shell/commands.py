"""What one simple command does, by the tables. The words are expanded already; texts it would run go back to the line."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from dataclasses import replace
from fnmatch import fnmatchcase

from idumb_brain.govern.shell.knowledge import Knowledge, Known, Reads, Rule
from idumb_brain.govern.shell.listing import executed, fd_files, found_files, only_empty
from idumb_brain.govern.shell.options import Given, sort_words
from idumb_brain.govern.shell.places import MANY, UNKNOWN, Where, objection
from idumb_brain.govern.shell.texts import Deed, deeds
from idumb_brain.govern.shell.values import HIDDEN, Scope, formatted, uncertain
from idumb_brain.govern.shell.words import (
    Input,
    called_with,
    decoded,
    holds,
    lines_in,
    module,
    moved,
    piped,
    plain_reason,
    quoted,
    shown,
    touched_paths,
)
from idumb_brain.model.shell import Finding

_ASSIGNED = re.compile(r"^[A-Za-z_]\w*\+?=")
_PARTS = re.compile(r"[^a-z0-9]+")
_SERVICE = re.compile(r"/(?:init\.d|rc\.d|LaunchDaemons)/")
_GLOB = re.compile(r"[*?\[]")
_RUN = {"-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"}
_DEEPEST = 16
MOST_PATHS = 2_000


class Judge:
    def __init__(
        self,
        knowledge: Knowledge,
        branch: str,
        protected: tuple[str, ...],
        run: Callable[[str, Scope, Input, int], None],
        found: Callable[[Finding], None],
    ) -> None:
        self.knowledge = knowledge
        self.branch = branch
        self.protected = protected
        self.run = run
        self.found = found

    def command(self, words: tuple[str, ...], scope: Scope, given: Input, depth: int) -> None:
        while words and _ASSIGNED.match(words[0]) and len(words) > 1:
            scope = scope.copy()
            scope.variables[words[0].partition("=")[0].rstrip("+")] = (words[0].partition("=")[2],)
            words = words[1:]
        if not words:
            return
        if depth > _DEEPEST:
            self.found(Finding(shown(words), "destructive", "it runs what runs what it runs", "say plainly what shall be done"))
            return
        name = posixpath.basename(words[0].replace("\\", "/"))
        if (uncertain(name) or _GLOB.search(name)) and not name.strip(UNKNOWN + HIDDEN + "*?"):
            self.nameless(words, scope, given, depth)
            return
        if words[0] in scope.aliases:
            self.run(" ".join((scope.aliases[words[0]], *map(quoted, words[1:]))), replace(scope, aliases={}), given, depth + 1)
            return
        if _GLOB.search(name) and name != "[" and name != "[[":
            for one in sorted(self.knowledge.producers["dangerous"]):
                if fnmatchcase(one, name):
                    self.command((one, *words[1:]), scope, given, depth + 1)
            self.found(Finding(shown(words), "unknown", "which program this pattern finds, only the machine knows"))
            return
        if (written := scope.files.get(words[0])) is not None and "/" in words[0]:
            self.run(written, replace(scope.copy(), positional=words[1:]), given, depth + 1)
            return
        known = self.knowledge.command(name)
        if known is None:
            self.unknown(words, scope, given, depth)
            return
        self.builtin(name, words[1:], scope, given)
        self.known(known, words[1:], words, scope, given, depth)

    def nameless(self, words: tuple[str, ...], scope: Scope, given: Input, depth: int) -> None:
        """The command itself is not in the line: only its words speak."""
        letters = {letter for word in words[1:] if re.match(r"-[a-zA-Z]+$", word) for letter in word[1:]}
        if (letters & set("rR") and "f" in letters and letters <= set("rRfvdi")) or HIDDEN in words[0]:
            why = "nobody can tell from the line what runs here, and its words are those of a removal"
            if HIDDEN in words[0]:
                why = "what runs here comes from where nobody can look before it runs"
            self.found(Finding(shown(words), "destructive", why, "name the command"))
            return
        if len(words) > 1:
            self.unknown(words, scope, given, depth)
        else:
            self.found(Finding(shown(words), "unknown", "nobody can tell from the line what runs here"))

    def unknown(self, words: tuple[str, ...], scope: Scope, given: Input, depth: int) -> None:
        """No table tells of it. Should it run the words behind it, they are judged, too."""
        told = Finding(
            shown(words), "unknown", f"nothing is known of {posixpath.basename(words[0]) or words[0]}".replace(UNKNOWN, "…")
        )
        rest = words[1:]
        for text in lines_in(rest, self.knowledge):
            self.run(text, scope.copy(), given, depth + 1)
        behind = next(
            (at for at, word in enumerate(rest) if posixpath.basename(word) in self.knowledge.producers["dangerous"]), None
        )
        if behind is not None:
            self.command(rest[behind:], scope, given, depth + 1)
        if _SERVICE.search(words[0]):
            self.command(("service", *words), scope, given, depth + 1)
        spoken = [word.lower() for word in rest if not word.startswith("-")][:2]
        orders = (
            spoken
            + [part for word in spoken[:1] for part in (word.partition("-")[0], word.rpartition("-")[2])]
            + _PARTS.split(words[0].lower())[1:]
        )
        if "/" not in words[0] and (order := next((one for one in orders if one in self.knowledge.producers["removing"]), "")):
            why = f"nothing is known of {words[0]}, and it is told to {order} something"
            told = Finding(told.command, "destructive", why, "ask the user, who knows what goes")
        self.found(told)

    def builtin(self, name: str, rest: tuple[str, ...], scope: Scope, given: Input) -> None:
        """What the shell remembers for the rest of the line."""
        plain = tuple(word for word in rest if not word.startswith("-"))
        match name:
            case "cd" | "pushd":
                target = plain[0] if plain else scope.where.home or "/home/user"
                scope.where = replace(scope.where, cwd=moved(scope.where, target))
            case "popd":
                scope.where = replace(scope.where, cwd=scope.where.root)
            case "alias":
                scope.aliases |= {one.partition("=")[0]: one.partition("=")[2] for one in plain if "=" in one}
            case "set" if "--" in rest:
                scope.positional = rest[rest.index("--") + 1 :]
            case "read" if plain:
                unseen = MANY if given.given else UNKNOWN
                scope.variables |= {one: (given.text.strip() if given.text is not None else unseen,) for one in plain}
            case "unset":
                for one in plain:
                    scope.variables.pop(one, None)
            case "printf" if len(rest) > 2 and rest[0] == "-v":
                scope.variables[rest[1]] = (formatted(rest[2:]),)
            case "mapfile" | "readarray" if plain:
                scope.variables[plain[-1]] = (MANY,) if given.text is None else tuple(given.text.split("\n"))

    def known(self, known: Known, rest: tuple[str, ...], words: tuple[str, ...], scope: Scope, given: Input, depth: int) -> None:
        if known.module and (inner := module(known, rest)) and (len(inner) > 1 or " " not in inner[0]):
            self.command(inner, scope, given, depth + 1)
            return
        sub, behind = self.subcommand(known, rest)
        if sub is not None:
            self.read_texts(known, sort_words(rest[: len(rest) - len(behind)], known), words, scope, given, depth)
            self.known(sub, behind, words, scope, given, depth)
            return
        # find takes its options after its folders.
        told = sort_words(rest, known, stop=known.stops or bool(known.runs and known.runs != "exec" and not known.after))
        if told.has(known.dry) or (not known.runs and told.has(("--help",))) or rest in (("--version",), ("-V",), ("-help",)):
            self.found(Finding(shown(words), "inspect", "it only tells or shows what it would do"))
            return
        if known.tasks and told.arguments and posixpath.basename(told.arguments[0]) in self.knowledge.producers["dangerous"]:
            self.command(rest[told.rest :], scope, given, depth + 1)
        ran = self.run_words(known, rest, told, scope, given, depth)
        ran = self.read_texts(known, told, words, scope, given, depth) or ran
        kind, why, instead, doubtful = self.ruled(known, told)
        if reason := self.touched(known, told, scope.where, given):
            kind, why, instead = "destructive", reason, known.instead or "name what can be made again, or ask the user"
        if ran and kind in ("unknown", "inspect"):
            return  # what it runs is told of
        if kind == "unknown":
            why = why or "what it does is not in the line"
        self.found(Finding(shown(words), kind, why or plain_reason(kind, known.name), instead, doubtful))

    def subcommand(self, known: Known, rest: tuple[str, ...]) -> tuple[Known | None, tuple[str, ...]]:
        told = sort_words(rest, known, stop=True)
        if not told.arguments:
            return None, rest
        word = told.arguments[0]
        for one in (word, posixpath.basename(word)):
            if sub := self.knowledge.commands.get(f"{known.name} {one}"):
                return sub, told.arguments[1:]
        return None, rest

    def ruled(self, known: Known, told: Given) -> tuple[str, str, str, bool]:
        kind, why, instead, doubtful = known.kind, known.why, known.instead, False
        if known.tasks:
            kind = self.task(told) or kind
        for rule in known.rules:
            if not holds(rule, told) or self.excused(known, rule, told):
                continue
            if rule.kind != "destructive":
                kind = rule.kind
            elif rule.doubtful:
                doubtful, why, instead = True, rule.why or why, rule.instead or instead
            else:
                return "destructive", rule.why or why, rule.instead or known.instead, False
        return kind, why if kind == "destructive" or doubtful else "", instead, doubtful

    def excused(self, known: Known, rule: Rule, told: Given) -> bool:
        """A lease on a branch of one's own: nobody else's commits can be lost."""
        if "--force-with-lease" not in rule.options:
            return False
        branches = [one.rpartition(":")[2].removeprefix("refs/heads/") for one in told.arguments[1:]] or [self.branch]
        return all(one and one != "HEAD" and not any(fnmatchcase(one, shape) for shape in self.protected) for one in branches)

    def task(self, told: Given) -> str:
        said = {part for argument in told.arguments for part in _PARTS.split(argument.lower())}
        return next((kind for kind, words in self.knowledge.tasks if words & said), "")

    def touched(self, known: Known, told: Given, where: Where, given: Input) -> str:
        """Why one of the paths it is given must not be touched so."""
        for touch in known.paths:
            if (touch.when and not told.has(touch.when)) or (touch.unless and told.has(touch.unless)):
                continue
            if touch.ask and told.has(touch.ask) and not given.given:
                continue
            effect = "empty" if touch.effect == "write" and given.given and given.text == "" else touch.effect
            if touch.tree and told.has(touch.tree):
                effect = {"remove": "tree", "mode": "modes", "own": "owns"}.get(effect, effect)
            paths = tuple(dict.fromkeys(piped(told, given) if touch.which == "input" else touched_paths(touch, told)))
            if len(paths) > MOST_PATHS:
                return "it names more paths than anybody can check"
            for path in paths:
                if why := objection(effect, path.replace(HIDDEN, UNKNOWN), where, self.knowledge.places):
                    return why
        return ""

    def run_words(self, known: Known, rest: tuple[str, ...], told: Given, scope: Scope, given: Input, depth: int) -> bool:
        """Runs of other commands; whether there were any."""
        if not known.runs:
            return False
        if known.elsewhere:
            scope = replace(scope.copy(), where=replace(scope.where, cwd="/", elsewhere=True))
        if known.runs == "exec":
            return self.run_found(known, rest, scope, depth)
        words = told.arguments
        if known.after and known.after in rest:
            words = rest[rest.index(known.after) + 1 :]
        elif known.after:
            return False
        else:
            words = words[known.skip :]
        if known.runs == "items":
            return self.run_items(words, told, scope, given, depth)
        while words and words[0] == "--":
            words = words[1:]
        if known.enters and (entered := told.values((known.enters,))):
            words = (*entered[-1].split(), *words)
        if not words:
            return False
        match known.runs:
            case "rest":
                if len(words) > 1 and any(words[0] in one.options for one in known.reads):
                    words = words[1:2]
                if len(words) == 1 and " " in words[0]:
                    self.run(words[0], scope, given, depth + 1)
                else:
                    self.command(words, scope, given, depth + 1)
            case "joined":
                self.hidden(words, words) or self.run(" ".join(words), scope, given, depth + 1)
            case "each":
                for word in words:
                    self.run(word, scope, given, depth + 1)
            case "first":
                self.run(words[0], scope, given, depth + 1)
            case "aliases":
                for word in words:
                    if "=" in word:
                        self.run(word.partition("=")[2], replace(scope.copy(), aliases={}), given, depth + 1)
        return True

    def run_found(self, known: Known, rest: tuple[str, ...], scope: Scope, depth: int) -> bool:
        files = found_files(rest) if known.name == "find" else fd_files(rest)
        if only_empty(rest):
            return False
        if "-delete" in rest:
            for path in files:
                if why := objection("remove", path, scope.where, self.knowledge.places):
                    self.found(
                        Finding(
                            shown((known.name, *rest)),
                            "destructive",
                            why,
                            "list them first, and name a pattern of what can be made again",
                        )
                    )
        commands = list(executed(rest, tuple(_RUN)))
        for words in commands:
            places = [word for word in words if "{}" in word]
            filled = tuple(
                one for word in words for one in ([word.replace("{}", file) for file in files] if "{}" in word else [word])
            )
            self.command(filled if places or known.name == "find" else (*words, *files), scope, Input(), depth + 1)
        return bool(commands)

    def run_items(self, words: tuple[str, ...], told: Given, scope: Scope, given: Input, depth: int) -> bool:
        items: tuple[str, ...] = ("*",)
        if ":::" in words:
            at = words.index(":::")
            words, items = words[:at], words[at + 1 :]
        elif given.text is not None and not told.has(("-a", "--arg-file")) and given.text.strip(UNKNOWN + HIDDEN):
            items = tuple(given.text.split("\n") if told.has(("-I",)) else given.text.split())
        if not words:
            for item in items if ":::" in told.arguments else ():
                self.run(item, scope, Input(), depth + 1)
            return False
        mark = next(iter(told.values(("-I", "--replace", "-i"))), None) or "{}"
        if len(words) == 1 and " " in words[0]:
            for item in items[:16]:
                self.run(words[0].replace(mark, item) if mark in words[0] else f"{words[0]} {item}", scope, Input(), depth + 1)
            return True
        if any(mark in word for word in words):
            filled = tuple(
                one for word in words for one in ([word.replace(mark, item) for item in items[:64]] if mark in word else [word])
            )
        else:
            filled = (*words, *items[:256])
        self.command(filled, scope, Input(), depth + 1)
        return True

    def read_texts(self, known: Known, told: Given, words: tuple[str, ...], scope: Scope, given: Input, depth: int) -> bool:
        """Texts in some language; whether there was one that the shell runs."""
        ran = False
        if any(one.within and self.throwaway(told.arguments[one.within - 1 : one.within], scope) for one in known.reads):
            return False
        asked = [one for one in known.reads if one.options and told.has(one.options)]
        for one in asked:
            for text in told.values(one.options):
                ran = self.text(one, text, words, called_with(scope, told), given, depth) or ran
        for one in known.reads:
            if one.argument:
                until = len(told.arguments) if one.every else one.argument
                for text in told.arguments[one.argument - 1 : until]:
                    ran = self.text(one, text, words, scope, given, depth) or ran
            if one.input and not asked:
                ran = self.input(one, told, words, scope, given, depth) or ran
        return ran

    def throwaway(self, paths: tuple[str, ...], scope: Scope) -> bool:
        """Whether all that is in it may go."""
        return bool(paths) and not any(
            uncertain(one) or objection("empty", one, scope.where, self.knowledge.places) for one in paths
        )

    def input(self, read: Reads, told: Given, words: tuple[str, ...], scope: Scope, given: Input, depth: int) -> bool:
        file = told.arguments[0] if told.arguments else "-"
        if (text := scope.files.get(file)) is not None:
            return self.text(read, text, words, scope, Input(), depth)
        opened = file in ("-", "/dev/stdin") or told.has(("-s",)) or read.always
        if not opened or not given.given:
            return False
        if given.text is not None:
            return self.text(read, given.text, words, scope, Input(), depth)
        if given.hidden and read.language not in ("sql", "redis", "mongo"):
            self.text(read, HIDDEN, words, scope, Input(), depth)
        return False

    def text(self, read: Reads, text: str, words: tuple[str, ...], scope: Scope, given: Input, depth: int) -> bool:
        if read.language == "encoded":
            text = decoded(text)
        if self.hidden((text,), words):
            return False
        if read.language in ("shell", "encoded"):
            self.run(text, scope, given, depth + 1)
            return True
        for deed in deeds(read.language, text, self.knowledge):
            self.deed(deed, words, scope, depth)
        return False

    def deed(self, deed: Deed, words: tuple[str, ...], scope: Scope, depth: int) -> None:
        if deed.effect == "sql":
            for inner in deeds("sql", deed.line, self.knowledge):
                self.deed(inner, words, scope, depth)
        elif deed.line:
            self.run(deed.line, scope.copy(), Input(None, True, True) if deed.effect == "fed" else Input(), depth + 1)
        elif deed.words:
            self.command(deed.words, scope.copy(), Input(), depth + 1)
        elif deed.path:
            if why := objection(deed.effect, deed.path, scope.where, self.knowledge.places):
                self.found(Finding(shown(words), "destructive", why, "name what can be made again, or ask the user"))
        elif deed.effect == "destroys":
            self.found(Finding(shown(words), "destructive", deed.why, "ask the user"))

    def hidden(self, texts: tuple[str, ...], words: tuple[str, ...]) -> bool:
        if not any(HIDDEN in text for text in texts):
            return False
        why = "what it runs comes from where nobody can look before it runs"
        self.found(Finding(shown(words), "destructive", why, "save it to a file, read it, then run the file"))
        return True
