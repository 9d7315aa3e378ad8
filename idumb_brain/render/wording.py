"""Our own words, in the languages we speak. What others wrote is never translated."""

from __future__ import annotations

ENGLISH, VIETNAMESE = "en", "vi"
NAMES = {ENGLISH: "English", VIETNAMESE: "tiếng Việt"}

_WORDS: dict[str, dict[str, str]] = {
    "language": {"en": "Language: {name}", "vi": "Ngôn ngữ: {name}"},
    "project": {"en": "Project", "vi": "Dự án"},
    "role": {"en": "Role", "vi": "Vai trò"},
    "session": {"en": "Session", "vi": "Phiên"},
    "old": {"en": "stale", "vi": "đã cũ"},
    "stale": {
        "en": "stale since {since}, check it before you rely on it",
        "vi": "đã cũ từ {since}, hãy kiểm tra trước khi dựa vào",
    },
    "doubtful": {"en": "{confidence} % sure", "vi": "chắc {confidence} %"},
    "priority.critical": {"en": "critical", "vi": "tối quan trọng"},
    "priority.high": {"en": "high", "vi": "cao"},
    "priority.medium": {"en": "medium", "vi": "vừa"},
    "priority.low": {"en": "low", "vi": "thấp"},
    "stale anchors": {
        "en": "Stale critical anchors: {count}. Validate or remove them: idumb-brain anchor list",
        "vi": "Mốc tối quan trọng đã cũ: {count}. Hãy xác nhận hoặc gỡ bỏ: idumb-brain anchor list",
    },
    "stale entries": {
        "en": "Knowledge to look at again: {count}. See: idumb-brain brain stale",
        "vi": "Kiến thức cần xem lại: {count}. Xem: idumb-brain brain stale",
    },
    "not scanned": {
        "en": "The project is not scanned yet. First: idumb-brain scan",
        "vi": "Dự án chưa được quét. Trước tiên: idumb-brain scan",
    },
}


def spoken(language: str) -> str:
    """The language our own words are in, where another was asked for that we do not speak."""
    tongue = language.replace("_", "-").partition("-")[0].lower()
    return tongue if tongue in NAMES else ENGLISH


def say(what: str, language: str, **values: object) -> str:
    return _WORDS[what][spoken(language)].format(**values)
