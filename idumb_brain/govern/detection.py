"""How a compaction shows in what is left of a conversation, where no event told of it. Looks at words, understands nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from idumb_brain.govern.rules.sessions import SessionRules
from idumb_brain.model.work import Session

_SUMMARY_MESSAGES = 2  # a summary stands at the beginning of what is left, after at most one message


@dataclass(frozen=True, slots=True)
class Message:
    role: str  # user or assistant
    text: str


@dataclass(frozen=True, slots=True)
class Detected:
    sign: str
    found: str  # the words or the number that showed it
    mark: str  # of the message it stands in: the same one shows nothing new


def compaction(messages: Sequence[Message], session: Session, rules: SessionRules) -> Detected | None:
    """The first sign of a compaction that this session was not yet reminded of."""
    for sign in rules.signs:
        for message in _looked_at(messages, sign.where):
            plain = " ".join(message.text.lower().split()).replace("’", "'")
            phrase = next((phrase for phrase in sign.phrases if phrase in plain), "")
            if phrase and (mark := _mark(message.text)) != session.compaction_seen:
                return Detected(sign.name, phrase, mark)
    few = len(messages)
    if session.injected and few < rules.few_messages and few < session.messages:
        return Detected("few messages", f"{few} left of {session.messages}", session.compaction_seen)
    return None


def _looked_at(messages: Sequence[Message], where: str) -> Sequence[Message]:
    if where == "summary":
        return messages[:_SUMMARY_MESSAGES]
    answers = [message for message in messages if message.role == "assistant"]
    return answers[-1:]


def _mark(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
