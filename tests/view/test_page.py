"""The page as a browser draws it: every view, by mouse and by keys, live, on wide and narrow screens; and text that stays text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from idumb_brain.operations import brain
from tests.live.npm import installed
from tests.view import stage
from tests.view.conftest import Served, serving

VIEWS = ("graph", "project", "brain", "tasks", "sessions", "context")
_SERIOUS = ("serious", "critical")
HOSTILE = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>{}" onmouseover="window.hit=1'


@pytest.fixture
def page(browser: Any, room: Served) -> Iterator[Any]:
    with opened(browser, room) as page:
        yield page


class opened:
    """The page of a project; whatever the browser complains of makes the test fail."""

    def __init__(self, browser: Any, served: Served, **how: Any) -> None:
        self._context = browser.new_context(**({"viewport": {"width": 1280, "height": 800}} | how))
        self._url = served.url
        self._told: list[str] = []

    def __enter__(self) -> Any:
        page = self._context.new_page()
        page.on("console", lambda message: self._told.append(message.text))
        page.on("pageerror", lambda error: self._told.append(str(error)))
        page.add_init_script(
            "addEventListener('securitypolicyviolation', (event) => console.error('refused', event.violatedDirective))"
        )
        page.goto(self._url)
        settled(page)
        return page

    def __exit__(self, kind: Any, *_: object) -> None:
        self._context.close()
        if kind is None:
            assert not [told for told in self._told if "status of 422" not in told], "it complained"


def go(page: Any, *parts: str) -> None:
    page.evaluate("parts => location.hash = '#/' + parts.map(encodeURIComponent).join('/')", list(parts))
    settled(page, parts[0])


def settled(page: Any, view: str = "graph") -> None:
    page.wait_for_selector(f"main[data-view={view}] > :not(.waiting)")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def test_the_token_leaves_the_address(page: Any, room: Served) -> None:
    assert room.token not in page.url
    page.reload()
    settled(page)
    assert page.locator("#tabs a").count() == len(VIEWS)
    assert "idumb-view" not in page.evaluate("document.cookie"), "no script can read it"


def test_every_view_is_reached_by_its_key(page: Any) -> None:
    for number, view in enumerate(VIEWS, 1):
        page.keyboard.press(str(number))
        settled(page, view)
        assert page.locator("#tabs a[aria-current=page]").get_attribute("data-view") == view
    for words in ("Books may stay for four weeks", "Lend to guests", "ses_build"):
        page.keyboard.press({"Books": "3", "Lend": "4"}.get(words.split()[0], "5"))
        page.get_by_text(words).first.wait_for()


def test_a_file_is_found_and_told_of_by_keys_alone(page: Any) -> None:
    page.keyboard.press("/")
    page.keyboard.type("shelv")
    page.keyboard.press("Enter")
    page.wait_for_selector("aside h2.path")
    assert page.url.endswith("#/graph/library%2Fshelves.py")
    told = page.locator("aside").inner_text()
    assert re.search(r"library/loans.py\s+imports it in line \d+", told)
    assert re.search(r"library/server.py\s+3 steps away: imports \S+ in line \d+", told) or "steps away" in told
    page.locator("aside a", has_text="library/loans.py").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("aside h2:text('loans.py')")
    page.keyboard.press("Escape")
    page.wait_for_selector("aside h2:text('reading_room')")


def test_the_graph_moves_by_keys(page: Any) -> None:
    drawn = "() => document.querySelector('canvas').toDataURL()"
    looks = {page.evaluate(drawn)}
    for key in ("+", "ArrowLeft", "ArrowDown", "-"):
        page.keyboard.press(key)
        page.wait_for_timeout(60)
        looks.add(page.evaluate(drawn))
    assert len(looks) == 5
    page.keyboard.press("0")
    page.wait_for_timeout(60)
    assert page.evaluate(drawn) in looks


def test_a_click_on_a_circle_opens_its_file(page: Any) -> None:
    box = page.locator("canvas").bounding_box()
    for share in (0.3, 0.35, 0.4, 0.45, 0.5):
        for high in (0.35, 0.45, 0.5, 0.55, 0.65):
            page.mouse.move(box["x"] + box["width"] * share, box["y"] + box["height"] * high)
            page.wait_for_timeout(5)
            tip = page.locator(".tip").inner_text() if page.locator(".tip").is_visible() else ""
            if "line" in tip:
                page.mouse.click(box["x"] + box["width"] * share, box["y"] + box["height"] * high)
                page.wait_for_selector("aside h2.path")
                assert page.locator("aside h2.path").inner_text() in tip
                return
    raise AssertionError("nowhere in the middle of the drawing is a file")


def test_news_are_shown_by_themselves(page: Any, room: Served) -> None:
    page.keyboard.press("3")
    settled(page, "brain")
    page.wait_for_selector("#live[data-state=on]")
    page.wait_for_timeout(1500)  # the first word of the server tells what there was, not what is new
    made = brain.write("gotcha", "Written while somebody looks", "It appears.", str(room.root))
    page.get_by_text("Written while somebody looks").wait_for(timeout=10_000)
    go(page, "brain", made["id"])
    page.locator("article h2", has_text="Written while").wait_for()


def test_what_replaced_what_is_a_chain(page: Any) -> None:
    go(page, "brain")
    page.get_by_text("Books may stay for four weeks").first.click()
    page.wait_for_selector("ol.chain")
    assert page.locator("ol.chain li").count() == 3
    assert page.locator("figure.curve svg").get_attribute("aria-label")


@pytest.mark.parametrize("width", [360, 820, 1440])
def test_nothing_sticks_out(browser: Any, room: Served, width: int) -> None:
    with opened(browser, room, viewport={"width": width, "height": 740}) as page:
        for view in VIEWS:
            go(page, view)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, view
            assert (
                page.evaluate("document.querySelector('main').scrollWidth - document.querySelector('main').clientWidth") <= 0
            ), view


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(browser: Any, room: Served, theme: str) -> None:
    rules = installed("axe-core/axe.min.js").read_text("utf-8")
    with opened(browser, room, color_scheme=theme, bypass_csp=True) as page:
        page.evaluate(rules + "; undefined")
        entry = page.evaluate("async () => (await (await fetch('data/brain')).json()).data.entries.at(-1).id")
        details = (("graph", "library/shelves.py"), ("brain", entry), ("sessions", "ses_build"), ("context", "now", "system"))
        for place in (*((view,) for view in VIEWS), *details):
            go(page, *place)
            found = page.evaluate("axe.run(document, { resultTypes: ['violations'] }).then((told) => told.violations)")
            serious = {one["id"]: [node["html"] for node in one["nodes"]] for one in found if one["impact"] in _SERIOUS}
            assert not serious, place


def test_text_stays_text(browser: Any, tmp_path: Path) -> None:
    """Whatever is stored looks like HTML: no element comes of it, no script runs, and the browser had nothing to refuse."""
    count = iter(range(1_000))
    root = stage.project(tmp_path / "room", lambda text: HOSTILE.format(next(count)) + text)
    odd = root / "library" / "<img src=x onerror=window.hit=1>.py"
    odd.write_text("from library import loans\n\n\ndef a():\n    '''<script>window.hit=1</script>'''\n")
    from idumb_brain.operations.scanning import scan

    scan(str(root))
    brain.write(
        "gotcha", HOSTILE.format("last"), HOSTILE.format("content"), str(root), evidence=[f"library/{odd.name}"], force=True
    )
    with serving(root) as served, opened(browser, served) as page:
        ids = page.evaluate("async () => (await (await fetch('data/brain')).json()).data.entries.map((one) => one.id)")
        tasks = page.evaluate("async () => (await (await fetch('data/tasks')).json()).data.plans[0].tasks.map((one) => one.id)")
        places = [
            *((view,) for view in VIEWS), ("graph", f"library/{odd.name}"),
            *(("brain", id) for id in ids[:3]), *(("tasks", id) for id in tasks[:2]),
            *(("sessions", id) for id in ("ses_user", "ses_build", "ses_look")),
            *(("context", "now", block, "ses_build") for block in ("compaction", "system", "prefix", "resume", "reminder")),
            ("graph", HOSTILE), ("brain", HOSTILE), (HOSTILE,),
        ]  # fmt: skip
        for place in places:
            page.evaluate("parts => location.hash = '#/' + parts.map(encodeURIComponent).join('/')", list(place))
            settled(page, place[0] if place[0] in VIEWS else "graph")
            page.wait_for_function("() => !document.querySelector('main .waiting')")
            page.wait_for_timeout(30)
            assert page.evaluate("document.querySelectorAll('main img, main script, [onmouseover], [onerror]').length") == 0, (
                place
            )
        page.keyboard.press("1")
        page.keyboard.press("/")
        page.keyboard.type("<img")
        assert page.get_by_role("option").first.inner_text().startswith("<img")
        assert page.evaluate("window.hit") is None
