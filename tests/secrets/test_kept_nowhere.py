"""Secrets in every place where a project has text: in no file of ours, in no answer of any command, in nothing an agent is told."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from idumb_brain.surfaces.calls import call, operations
from idumb_brain.surfaces.hooks.once import answered
from tests.secrets.made_up import Made, secrets
from tests.surfaces.test_cli import git, run

# Each file is given a secret of every kind; in these they stand in comments, in strings, in documentation.
FORMS = {
    "shop/pay.py": '"""Pays.\n\n{0}\n"""\n# TODO(ada): {1}\nKEY = """{2}"""\n\n\ndef pay(key: str = """{3}""") -> None:\n    """{4}"""\n',
    "shop/pay.ts": "/** {0} */\n// FIXME {1}\nexport const key = `{2}`;\nexport function pay(to: string, key = `{3}`) {{}} // {4}\n",
    "shop/Pay.java": "package shop;\n/** {0} */\npublic class Pay {{\n  // HACK {1}\n  static final String KEY = \"{2}\"; // {3} {4}\n}}\n",
    "shop/pay.go": "// Package shop pays. {0}\npackage shop\n\n// Key {1}\nconst Key = `{2}` // {3} {4}\n",
    "deploy.sh": "#!/bin/sh\n# {0}\nexport A='{1}'\ncurl '{2}' # {3} {4}\n",
    "deploy.yaml": "# {0}\nsettings: |\n  {1}\n  {2}\n  {3}\n  {4}\n",
    "settings.json": '{{"a": "see {0}", "b": "{1}", "c": ["{2}", "{3}"], "d": "{4}"}}\n',
    "README.md": "# The shop {0}\n\nPays with `{1}`, see [docs](docs/{2}).\n\n```sh\n{3}\n```\n\n## Of {4}\n",
    "docs/plan.rst": "Plan {0}\n========\n\n{1}\n\n::\n\n   {2}\n   {3}\n\n.. note:: {4}\n",
    "docs/notes.adoc": "= Notes {0}\n\n{1}\n\n----\n{2} {3}\n----\n\n== Of {4}\n",
    "package.json": '{{"name": "shop {0}", "scripts": {{"deploy": "{1}"}}, "dependencies": {{"pay": "git+{2}"}}, "x": "{3}{4}"}}\n',
    "requirements.txt": "# {0}\npay @ {1}\n# {2} {3} {4}\n",
    "Dockerfile": "FROM python:3.12\n# {0}\nENV A='{1}'\nRUN {2} # {3} {4}\n",
}  # fmt: skip
UNREAD = (
    ".env",
    ".env.production",
    "id_ed25519",
    ".npmrc",
    ".netrc",
    "home/.pypirc",
    "kubeconfig",
    "credentials.json",
    "prod.tfvars",
)
PLAIN = "correct-horse-battery-staple"  # what only the name of a file can tell
# They write, run what they are given, or look at nothing of the project's; what is written is written by hand below.
# They write, or run what they are given; what is to be written is written by hand below.
NOT_ASKED = {
    "init", "shell.run", "doctor", "import", "guide", "brain.purge", "brain.update", "brain.supersede", "brain.write", "brain.link",
    "brain.validate", "anchor.add", "anchor.update", "anchor.remove", "session.resume-halt",
}  # fmt: skip
WORK = ("plan", "task", "delegate", "artifact")
ARGUMENTS = {
    "codemap.show": {"file": "shop/pay.py"}, "codemap.outline": {"file": "shop/pay.py"}, "codemap.impact": {"target": "shop/pay.py"},
    "codemap.diff": {"revision": "HEAD~1"}, "query": {"text": "pay with a key"}, "brain.query": {"text": "pay with a key"},
    "context": {"block": "system"}, "gate": {"tool": "bash"}, "related": {"what": "shop/pay.py"}, "shell.check": {"line": "make"},
    "session.show": {"session": "claude"},
}  # fmt: skip


class Planted:
    """A project full of secrets, and all that was ever said of it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.chance = random.Random(20)
        self.cores = [PLAIN]
        self.said: list[tuple[str, str]] = []

    def more(self, *, lines: bool = False) -> list[Made]:
        made = [one for one in secrets(self.chance) if lines or "\n" not in one.text]
        self.cores += [core for one in made for core in one.core]
        return made

    def texts(self) -> Iterator[str]:
        """Several at a time, of every kind in the end."""
        made = self.more()
        for at in range(0, len(made), 5):
            yield "; ".join(one.text.replace('"', "'") for one in made[at : at + 5])

    def asked(self, operation: str, **arguments: Any) -> Any:
        data = call(operation, arguments, str(self.root))
        self.said.append((operation, json.dumps(data, ensure_ascii=False, default=str)))
        return data

    def told(self, event: str, what: dict[str, Any]) -> None:
        told = answered(event, json.dumps(what).encode(), str(self.root))
        self.said.append((event, json.dumps(told, ensure_ascii=False)))


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Planted:
    root = tmp_path_factory.mktemp("shop")
    there = Planted(root)
    git("init", "-q", cwd=root)
    for path, form in FORMS.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        made = [one.text if path.endswith((".py", ".ts", ".md", ".go")) else one.text.replace('"', "'") for one in there.more()]
        many = [" ".join(made[at::5]) for at in range(5)]
        file.write_text(form.format(*many), "utf-8")
    (root / "key.txt").write_text("The key:\n" + "\n\n".join(one.text for one in there.more(lines=True)), "utf-8")
    for path in UNREAD:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("\n".join([f"PASSWORD={PLAIN}", *(one.text for one in there.more(lines=True))]), "utf-8")
    git("add", "-A", "-f", cwd=root)
    for text in there.texts():
        (root / "count").write_text(text)
        git("add", "-A", "-f", cwd=root)
        git("commit", "-qm", f"Use this instead of that: {text}\n\nWe decided to, because of {text}", cwd=root)
    return there


def test_a_secret_is_kept_nowhere_and_told_to_nobody(planted: Planted) -> None:
    _write(planted)
    _be_an_agent(planted)
    _ask_everything(planted)
    told_by = sorted({name for name, text in planted.said for core in planted.cores if core in text})
    assert not told_by
    kept_in = sorted(
        str(file.relative_to(planted.root))
        for file in (planted.root / ".idumb").rglob("*")
        if file.is_file() and (content := file.read_bytes()) and any(core.encode() in content for core in planted.cores)
    )
    assert not kept_in


def test_the_test_would_find_one(planted: Planted) -> None:
    """They are there, where the project has them, and git has them too."""
    everything = b"".join(file.read_bytes() for file in planted.root.rglob("*") if file.is_file() and ".idumb" not in file.parts)
    log = subprocess.run(["git", "log", "--format=%B"], cwd=planted.root, capture_output=True, check=True).stdout
    assert all(core.encode() in everything or core.encode() in log for core in planted.cores[:400])
    call("scan", {}, str(planted.root))
    assert {"shop/pay.py", "shop/pay.ts"} <= {row["path"] for row in call("query", {"text": "pay"}, str(planted.root))["files"]}


def test_files_that_hold_them_are_named_with_the_reason(planted: Planted) -> None:
    skipped = {row["path"]: row["reason"] for row in call("scan", {"full": True}, str(planted.root))["skipped"]}
    assert {path: skipped.get(path) for path in UNREAD} == dict.fromkeys(UNREAD, "secrets by its name")


def _write(planted: Planted) -> None:
    plan = planted.asked("plan.create", name="Pay", acceptance="it pays")["id"]
    for number, text in enumerate(planted.texts()):
        planted.asked(
            "brain.write",
            type="gotcha",
            title=f"Number {number}: {text[:150]}",
            content=text,
            evidence="shop/pay.py:1",
            force=True,
        )
        planted.asked("anchor.add", type="decision", priority="critical", content=text[:1000], file="shop/pay.py")
        task = planted.asked("plan.add", plan=plan, name=f"{number} {text[:150]}", expected=text)["id"]
        planted.asked("delegate.assign", task=task, to="builder", expected=text, context=text)
        planted.asked("task.start", task=task, evidence=text)
        planted.asked("task.complete", task=task, evidence=text)
    planted.asked("artifact.add", path="docs/plan.rst")


def _be_an_agent(planted: Planted) -> None:
    """A session of each host, with secrets in what its user says, in what its tools are given and in what it answers."""
    for text in planted.texts():
        here: dict[str, Any] = {"session_id": "claude", "cwd": str(planted.root)}
        planted.told("SessionStart", here | {"source": "startup"})
        planted.told("UserPromptSubmit", here | {"prompt": f"pay with {text}"})
        command = {"tool_name": "Bash", "tool_input": {"command": f"git commit -m '{text}'"}}
        planted.told("PreToolUse", here | command)
        planted.told("PostToolUse", here | command | {"tool_response": {"stdout": text}})
        planted.told("PreToolUse", here | {"tool_name": "Bash", "tool_input": {"command": f"rm -rf / # {text}"}})
        planted.told("Stop", here | {"last_assistant_message": f"I paid with {text}"})
        planted.told("SessionStart", here | {"source": "compact"})
        session = {"sessionID": "open"}
        planted.told("event", {"input": {"event": {"type": "session.created", "properties": {"info": {"id": "open"}}}}})
        planted.told(
            "tool.execute.before",
            {"input": session | {"tool": "bash", "callID": "1"}, "output": {"args": {"command": f"make {text}"}}},
        )
        planted.told("experimental.chat.system.transform", {"input": session, "output": {"system": ["You help."]}})
        planted.told("experimental.session.compacting", {"input": session, "output": {"context": []}})
        planted.told("experimental.text.complete", {"input": session, "output": {"text": text}})


def _ask_everything(planted: Planted) -> None:
    planted.asked("brain.learn")
    entries = call("brain.list", {"all": True, "limit": 1000}, str(planted.root))["entries"]
    for operation in operations():
        ours = operation.partition(".")[0] not in WORK or operation.endswith(("status", "list", "next"))
        if operation not in NOT_ASKED and operation != "brain.show" and ours:
            planted.asked(operation, **ARGUMENTS.get(operation, {}))
    for entry in entries:
        planted.asked("brain.show", id=entry["id"])
    for path in (*FORMS, "key.txt"):
        for operation, name in (("codemap.show", "file"), ("related", "what")):
            planted.asked(operation, **{name: path})
    for block in ("compaction", "system", "prefix", "resume", "reminder", "last"):
        planted.asked("context", block=block, session="claude")
    for words in (("query", "pay with a key"), ("codemap", "comments"), ("brain", "list"), ("map",)):
        planted.said.append((" ".join(words), run(*words, cwd=planted.root).stdout))
