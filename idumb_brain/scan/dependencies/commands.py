"""Words that are commands, in scripts, build files and the settings of continuous integration. Runs and expands nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

_PARTS = re.compile(r"&&|\|\||[;|&]|\$\(|`|\bthen\b|\bdo\b|\belse\b")
_OPENING = re.compile(
    r"""^[\s@+\-?$!]*(?:-\s+)?(?:(?:run|script|command|commands|cmd|cmds|entry|entrypoint|args|exec|test|build|post|pre)\s*[:=]\s*)?"""
    r"""(?:(?:RUN|CMD|ENTRYPOINT|HEALTHCHECK|ExecStart=)\s*)?[\s\["'(|>@+-]*"""
)
_WORD = re.compile(r"""[^\s"'`,\[\](){}<>]+""")
_ASSIGNED = re.compile(r"^[A-Za-z_]\w*=")
# Words that run the command after them; their options are skipped, and with some of them a second word.
_RUNNERS = {
    "!", "--", "-c", "bash", "bun", "bunx", "c.run", "c8", "command", "concurrently", "coverage", "cross-env", "ctx.run",
    "ddtrace-run", "dlx", "doppler", "dotenv", "dotenvx", "env", "exec", "gosu", "hatch", "if", "infisical", "ipython",
    "lerna", "newrelic-admin", "nice", "node", "nodemon", "nohup", "not", "npm", "npx", "nx", "nyc", "op",
    "opentelemetry-instrument", "pdm", "pipenv", "pipx", "pixi", "pnpm", "pnpm:devPreinstall", "pnpx", "poetry", "python",
    "python2", "python3", "run", "run-p", "run-program", "run-s", "rye", "session.run", "session.run(", "sh", "shx",
    "start-server-and-test", "su-exec", "sudo", "tee", "then", "time", "tini", "true", "ts-node", "tsx", "turbo", "uv", "uvx",
    "wait-on", "watch", "with", "x", "xargs", "xvfb-run", "yarn",
}  # fmt: skip
_TASKS = re.compile(r"\b(?:scripts?|tasks?|commands?)\b|\btool\.(?:taskipy|poe|tox|invoke|duty)\b")
_RUNS = re.compile(
    r"^(\s*(?:-\s+)?)(?:\S*run|script|before_script|after_script|commands?|cmds?|entry|entrypoint|args|install|pre_\w+|post_\w+)\s*:"
)
_VARIABLE = re.compile(r"\$(?:\{\w+\}|\(\w+\)|\w+)/?")
_LISTED = re.compile(r"""^\s*(?:CMD|ENTRYPOINT|command:|entrypoint:)\s*\[(.*)\]""")
_QUOTED = re.compile(r"""["'`]([^"'`\n]*)["'`]""")
# A program hands a command to one of these, as a text or in pieces.
_CALLED = re.compile(
    r"""\b(?:run|exec|execSync|spawn|spawnSync|execa|execaSync|check_call|check_output|call|Popen|sh|shell|system|getBin|resolveBin)\w*"""
    r"""(?:\(|\s*`)\s*(.*)$"""
)
_PROGRAMS = ("js", "mjs", "cjs", "ts", "mts", "cts", "py")


def command_words(text: str, *, every: bool = False, form: str = "") -> Iterator[tuple[str, int]]:
    """(word, line) of every command, and with ``every`` of all that stands behind one: options name packages, too.

    ``form`` is the ending of a file of many settings, of which only some hold commands: toml, yml."""
    for number, row in _rows(text, form):
        if row.lstrip().startswith(("#", "//")):
            continue
        row = _VARIABLE.sub("", row)
        if form in _PROGRAMS:
            handed = _CALLED.search(row)
            pieces = [" ".join(_QUOTED.findall(handed[1]) or [handed[1]])] if handed else []
        else:
            listed = _LISTED.match(row)
            pieces = [" ".join(_QUOTED.findall(listed[1]))] if listed else _PARTS.split(row)
        for piece in pieces:
            words = _WORD.findall(_OPENING.sub("", piece, count=1))
            yield from ((word, number) for word in (_all(words) if every else _first(words)))


def _rows(text: str, form: str) -> Iterator[tuple[int, str]]:
    """Lines that may hold commands, with their numbers."""
    inside = form not in ("toml", "yml", "yaml")
    depth = -1
    for number, row in enumerate(text.split("\n"), 1):
        if form == "toml" and row.startswith("["):
            inside = bool(_TASKS.search(row))
        elif form in ("yml", "yaml") and row.strip():
            indent = len(row) - len(row.lstrip())
            if key := _RUNS.match(row):
                inside, depth = True, len(key[1])
            elif indent <= depth and not (indent == depth and row.lstrip().startswith("- ")):
                inside, depth = False, -1
        if inside:
            yield number, row


def _first(words: list[str]) -> Iterator[str]:
    """The command, and whatever it runs."""
    running = False
    option = ""
    for word in words:
        if _ASSIGNED.match(word):
            continue
        if word.startswith("-"):
            option = word
            if not running:
                return
            continue
        name = _bare(word)
        if option in ("-m", "--module"):
            yield re.sub(r"_", "-", name.partition(".")[0])
            yield name.partition(".")[0]
        else:
            yield name
        option = ""
        if name not in _RUNNERS and not name.startswith(("python", "pypy")):
            return
        running = True


def _all(words: list[str]) -> Iterator[str]:
    previous = ""
    for word in words:
        if _ASSIGNED.match(word) and not word.startswith("--"):
            word = word.partition("=")[2]
        if word.startswith("-"):
            word = word.partition("=")[2]
        if word and previous not in ("run", "run-script"):
            yield _bare(word)
            yield word
        previous = word


def _bare(word: str) -> str:
    """``./node_modules/.bin/jest`` is jest; a version behind the name is none of it."""
    word = re.sub(r"^.*node_modules/(?:\.bin/)?", "", word)
    if word.startswith(("./", "../", "/")):
        word = word.rpartition("/")[2]
    at = word.find("@", 1)
    return word[:at] if at > 0 else word
