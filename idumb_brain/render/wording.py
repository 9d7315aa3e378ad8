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
    "phase": {"en": "Phase", "vi": "Giai đoạn"},
    # work
    "plan": {"en": "plan", "vi": "kế hoạch"},
    "progress": {"en": "{done}/{total} tasks done", "vi": "xong {done}/{total} nhiệm vụ"},
    "acceptance": {"en": "accepted when", "vi": "được chấp nhận khi"},
    "task": {"en": "task at hand", "vi": "nhiệm vụ đang làm"},
    "assigned": {"en": "assigned to {to}", "vi": "giao cho {to}"},
    "by": {"en": "by {by}", "vi": "bởi {by}"},
    "expected": {"en": "expected", "vi": "kết quả mong đợi"},
    "only with": {"en": "only with", "vi": "chỉ dùng"},
    "only in": {"en": "writes only in", "vi": "chỉ ghi trong"},
    "next": {"en": "next", "vi": "tiếp theo"},
    "waits": {"en": "waits for the task at hand", "vi": "chờ nhiệm vụ đang làm"},
    "ahead": {"en": "ahead", "vi": "sắp tới"},
    "delegated": {"en": "delegated", "vi": "đã giao"},
    "until": {"en": "until {time}", "vi": "đến {time}"},
    "state.planned": {"en": "planned", "vi": "đã lên kế hoạch"},
    "state.blocked": {"en": "blocked", "vi": "bị chặn"},
    "state.active": {"en": "active", "vi": "đang làm"},
    "state.review": {"en": "in review", "vi": "đang xem xét"},
    "state.completed": {"en": "completed", "vi": "đã xong"},
    "state.assigned": {"en": "assigned", "vi": "đã giao"},
    "state.accepted": {"en": "accepted", "vi": "đã nhận"},
    "no task": {
        "en": "- No task is at hand. Start one before you write: idumb-brain task next",
        "vi": "- Chưa có nhiệm vụ nào đang làm. Hãy bắt đầu một nhiệm vụ trước khi ghi: idumb-brain task next",
    },
    # what was done
    "plan.create": {"en": "plan made", "vi": "lập kế hoạch"},
    "plan.complete": {"en": "plan completed", "vi": "hoàn thành kế hoạch"},
    "task.plan": {"en": "task planned", "vi": "lên nhiệm vụ"},
    "task.start": {"en": "task started", "vi": "bắt đầu nhiệm vụ"},
    "task.review": {"en": "task put up for review", "vi": "đưa nhiệm vụ ra xem xét"},
    "task.complete": {"en": "task completed", "vi": "hoàn thành nhiệm vụ"},
    "delegation.assign": {"en": "handed on", "vi": "giao việc"},
    "entry.write": {"en": "written down", "vi": "ghi nhận"},
    "entry.validate": {"en": "validated", "vi": "xác nhận"},
    "anchor.add": {"en": "anchored", "vi": "đặt mốc"},
    # roles
    "may": {"en": "may", "vi": "được phép"},
    "never": {"en": "never", "vi": "không bao giờ"},
    "above": {"en": "Chain", "vi": "Chuỗi giao việc"},
    "may.read": {"en": "read and search", "vi": "đọc và tìm kiếm"},
    "may.write": {"en": "write files", "vi": "ghi tệp"},
    "may.shell": {"en": "run commands", "vi": "chạy lệnh"},
    "may.plan": {"en": "plan", "vi": "lập kế hoạch"},
    "may.delegate": {"en": "hand work on", "vi": "giao việc"},
    "never.write": {"en": "writes files", "vi": "ghi tệp"},
    "never.shell": {"en": "runs commands", "vi": "chạy lệnh"},
    "never.delegate": {"en": "hands work on", "vi": "giao việc"},
    "first": {
        "en": "- Begin every turn with one of: {tools}",
        "vi": "- Bắt đầu mỗi lượt bằng một trong: {tools}",
    },
    # what to look out for
    "late": {
        "en": "Nothing was done for {span}: {name}. Go on, or say why not: idumb-brain task status",
        "vi": "Đã {span} không có gì được làm: {name}. Hãy tiếp tục, hoặc nói rõ lý do: idumb-brain task status",
    },
    "broken": {
        "en": "It waits for what will never be done: {name}. See: idumb-brain plan status",
        "vi": "Đang chờ điều sẽ không bao giờ được làm: {name}. Xem: idumb-brain plan status",
    },
    "no anchors": {
        "en": "{count} steps and not one anchor: keep what must survive, idumb-brain anchor add",
        "vi": "{count} bước mà chưa có mốc nào: hãy giữ lại điều phải tồn tại, idumb-brain anchor add",
    },
    "cancelled": {
        "en": "The user stopped you {count} times in a row. Check what you take for granted, and ask before you go on.",
        "vi": "Người dùng đã dừng bạn {count} lần liên tiếp. Hãy kiểm tra điều bạn cho là đúng, và hỏi trước khi tiếp tục.",
    },
    "purify": {
        "en": "Much was said since the last compaction; rely on anchors and entries, not on what you remember of the talk.",
        "vi": "Đã nói rất nhiều từ lần nén trước; hãy dựa vào mốc và kiến thức, đừng dựa vào trí nhớ về hội thoại.",
    },
    "idle": {
        "en": "Idle for {span}: the session was last heard of at {since}",
        "vi": "Đã nghỉ {span}: phiên hoạt động lần cuối lúc {since}",
    },
    # of outputs that were taken out of a conversation
    "pruned.repeated": {
        "en": "output of {tool} {args}, {chars} characters, taken out: the same was asked again further down",
        "vi": "đã bỏ kết quả của {tool} {args}, {chars} ký tự: bên dưới đã hỏi lại điều tương tự",
    },
    "pruned.done": {
        "en": "output of {tool} {args}, {chars} characters, taken out: its task is over",
        "vi": "đã bỏ kết quả của {tool} {args}, {chars} ký tự: nhiệm vụ của nó đã kết thúc",
    },
    "pruned.old": {
        "en": "output of {tool} {args}, {chars} characters, taken out: it is old",
        "vi": "đã bỏ kết quả của {tool} {args}, {chars} ký tự: đã cũ",
    },
    "again": {"en": "To have it again, call {tool} with the same arguments", "vi": "Để lấy lại, gọi {tool} với cùng tham số"},
    "not again": {
        "en": "What it did stands; only if doing it twice is safe, call {tool} with the same arguments to see it again",
        "vi": "Việc nó làm vẫn còn đó; chỉ khi làm lại là an toàn mới gọi {tool} với cùng tham số để xem lại",
    },
    "level": {"en": "Hierarchy: level {level} of 3", "vi": "Thứ bậc: cấp {level} trên 3"},
    "seconds": {"en": "{count} s", "vi": "{count} giây"},
    "minutes": {"en": "{count} min", "vi": "{count} phút"},
    "hours": {"en": "{count} h", "vi": "{count} giờ"},
    "days": {"en": "{count} d", "vi": "{count} ngày"},
}
_SPANS = (("days", 86_400), ("hours", 3_600), ("minutes", 60), ("seconds", 1))


def spoken(language: str) -> str:
    """The language our own words are in, where another was asked for that we do not speak."""
    tongue = language.replace("_", "-").partition("-")[0].lower()
    return tongue if tongue in NAMES else ENGLISH


def say(what: str, language: str, **values: object) -> str:
    return _WORDS[what][spoken(language)].format(**values)


def spoken_span(seconds: float, language: str) -> str:
    """A stretch of time in its largest fitting unit."""
    name, size = next((one for one in _SPANS if seconds >= one[1]), _SPANS[-1])
    return say(name, language, count=int(seconds // size))
