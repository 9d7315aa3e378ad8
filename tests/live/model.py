"""A model that says what a script tells it to, over the loopback: OpenAI's chat completions, as a stream. Keeps every request.

A script is a list of steps for each conversation; a conversation is known by a word in its first user message. A step is text, or
tool calls, or both; past the last step it says that there is nothing more to say, so that every loop of an agent ends.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.live import anthropic

USUAL = 100  # tokens that a request is said to have had


@dataclass(frozen=True)
class Step:
    text: str = ""
    calls: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    seconds: float = 0.0  # that the answer takes
    tokens: int = USUAL  # what the context is said to hold: much of it makes the agent compact


def say(text: str, tokens: int = USUAL) -> Step:
    return Step(text, tokens=tokens)


def use(tool: str, tokens: int = USUAL, **arguments: Any) -> Step:
    return Step(calls=((tool, arguments),), tokens=tokens)


@dataclass(frozen=True)
class Asked:
    """One request of the agent."""

    kind: str  # turn, title, summary
    body: Mapping[str, Any]

    @property
    def system(self) -> str:
        return "\n".join(plain(one["content"]) for one in self.body["messages"] if one["role"] == "system")

    @property
    def users(self) -> list[str]:
        return [plain(one["content"]) for one in self.body["messages"] if one["role"] == "user"]

    @property
    def results(self) -> list[str]:
        """Of tools, in order."""
        return [plain(one["content"]) for one in self.body["messages"] if one["role"] == "tool"]

    @property
    def tools(self) -> dict[str, Any]:
        return {one["function"]["name"]: one["function"] for one in self.body.get("tools", ())}

    @property
    def all(self) -> str:
        return "\n".join(plain(one["content"]) for one in self.body["messages"])


@dataclass
class Model:
    script: Mapping[str, Sequence[Step]]
    summary: str = "The summary, which says nothing of what was decided."
    asked: list[Asked] = field(default_factory=list)
    said: dict[str, int] = field(default_factory=dict)
    turn: threading.Lock = field(default_factory=threading.Lock)

    def __enter__(self) -> Model:
        handler = type("Handler", (_Handler,), {"model": self})
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    def turns(self, word: str = "") -> list[Asked]:
        return [one for one in self.asked if one.kind == "turn" and (not word or word in (one.users or [""])[0])]

    def answer(self, body: Mapping[str, Any]) -> Step:
        asked = Asked(_kind(body), body)
        with self.turn:
            self.asked.append(asked)
            if asked.kind != "turn":
                return say("A title" if asked.kind == "title" else self.summary)
            spoken = "\n".join(asked.users)
            word = next((word for word in self.script if word and word in spoken), "")
            at = self.said.get(word, 0)
            self.said[word] = at + 1
            steps = self.script.get(word, ())
            return steps[at] if at < len(steps) else say("There is nothing more to say.")


def plain(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content or "")


def _kind(body: Mapping[str, Any]) -> str:
    system = "\n".join(plain(one["content"]) for one in body["messages"] if one["role"] == "system")
    if "title generator" in system:
        return "title"
    last = plain(body["messages"][-1]["content"])
    return "summary" if "context summarization agent" in system or "detailed summary of the conversation" in last else "turn"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: Model

    def log_message(self, *_: object) -> None:
        return None

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        as_claude = "/messages" in self.path
        step = self.model.answer(anthropic.as_chat(body) if as_claude else body)
        time.sleep(step.seconds)
        try:
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("connection", "close")
            self.end_headers()
            self.close_connection = True
            if as_claude:
                for event in anthropic.events(step.text, step.calls, step.tokens, len(self.model.asked)):
                    self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
                return
            for chunk in _chunks(step, len(self.model.asked)):
                self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
            self.wfile.write(b"data: [DONE]\n\n")
        except (BrokenPipeError, ConnectionResetError):
            return  # the agent was stopped


def _chunks(step: Step, number: int) -> Iterator[dict[str, Any]]:
    def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        return {"id": f"c{number}", "object": "chat.completion.chunk", "created": 0, "model": "scripted",
                "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}  # fmt: skip

    yield chunk({"role": "assistant", "content": step.text})
    for at, (name, arguments) in enumerate(step.calls):
        call = {"index": at, "id": f"call_{number}_{at}", "type": "function"}
        yield chunk({"tool_calls": [call | {"function": {"name": name, "arguments": json.dumps(arguments)}}]})
    yield chunk({}, "tool_calls" if step.calls else "stop")
    usage = {"prompt_tokens": step.tokens, "completion_tokens": 10, "total_tokens": step.tokens + 10}
    yield chunk({}) | {"choices": [], "usage": usage}
