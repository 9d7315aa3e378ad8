"""The scripted model as Claude Code speaks with it: Anthropic's messages, translated from and to those of the model."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any


def as_chat(body: Mapping[str, Any]) -> dict[str, Any]:
    """A request in the words of the chat format; results of tools are messages of their own."""
    messages = [{"role": "system", "content": body.get("system") or ""}]
    for one in body["messages"]:
        parts = one["content"] if isinstance(one["content"], list) else [{"type": "text", "text": one["content"]}]
        messages += [{"role": "tool", "content": part.get("content")} for part in parts if part["type"] == "tool_result"]
        if said := [part for part in parts if part["type"] == "text"]:
            messages.append({"role": one["role"], "content": said})
    return {"messages": messages, "tools": [{"function": one} for one in body.get("tools", ())]}


def events(text: str, calls: tuple[tuple[str, Mapping[str, Any]], ...], tokens: int, number: int) -> Iterator[dict[str, Any]]:
    usage = {"input_tokens": tokens, "output_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": "scripted", "content": [], "usage": usage}
    yield {"type": "message_start", "message": message | {"stop_reason": None, "stop_sequence": None}}
    blocks = [({"type": "text", "text": ""}, {"type": "text_delta", "text": text})] if text else []
    for at, (name, arguments) in enumerate(calls):
        block = {"type": "tool_use", "id": f"toolu_{number}_{at}", "name": name, "input": {}}
        blocks.append((block, {"type": "input_json_delta", "partial_json": json.dumps(arguments)}))
    for index, (block, delta) in enumerate(blocks):
        yield {"type": "content_block_start", "index": index, "content_block": block}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    stopped = {"stop_reason": "tool_use" if calls else "end_turn", "stop_sequence": None}
    yield {"type": "message_delta", "delta": stopped, "usage": usage}
    yield {"type": "message_stop"}
