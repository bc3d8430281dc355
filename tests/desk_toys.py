"""A desk within the process, as a browser on the same machine asks it."""

import html
import re
import shutil
import socket
import threading
import time as clock
from contextlib import contextmanager
from datetime import date, datetime, time
from pathlib import Path

import uvicorn
from program import run
from starlette.testclient import TestClient

from geonotice.web.desk import Desk, make_desk
from geonotice.web.guard import GuardRules

PORT = 8742
HOME = f"http://127.0.0.1:{PORT}"
TODAY = date(2026, 11, 30)
PREMISES = "0900-123.00-01.00-002.000"
LIST = f"/notice?parcel={PREMISES}&for=appeal&hearing=2027-01-12"


def copied(town: Path, to: Path) -> Path:
    """Copy an imported town: the times of its files stay, else its store is out of date."""
    return Path(shutil.copytree(town, to))


@contextmanager
def desk_at(place: Path, *, base: str = HOME, **rules):
    """Open a desk of a town; ``rules`` are those of its guard."""
    desk = Desk(
        place / "town.toml", GuardRules(port=PORT, **rules), now=lambda: datetime.combine(TODAY, time(10, 30)).astimezone()
    )
    with TestClient(make_desk(desk), base_url=base, follow_redirects=False, raise_server_exceptions=False) as client:
        client.desk = desk
        yield client


@contextmanager
def desk_served(place: Path):
    """Serve a desk of a town on a port of this machine, on the day of the tests, and yield its address: for a browser."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(128)
        port = listening.getsockname()[1]
        desk = Desk(place / "town.toml", GuardRules(port=port), now=lambda: datetime.combine(TODAY, time(10, 30)).astimezone())
        server = uvicorn.Server(uvicorn.Config(make_desk(desk), log_level="warning", timeout_graceful_shutdown=5))
        running = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        running.start()
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.should_exit = True
            running.join(timeout=30)
    assert not running.is_alive()


def token_of(page: str) -> str:
    """Return the token of the forms on a page."""
    found = re.search(r'name="token" value="([^"]+)"', page)
    assert found, "the page has no form that writes"
    return found[1]


def sit_down(client, name: str = "R. Clerk") -> None:
    """Give a name, as the first thing somebody does."""
    answer = client.post("/who", data={"token": token_of(client.get("/who").text), "name": name, "next": "/"})
    assert answer.status_code == 303


def words_of(page: str) -> str:
    """Return what a page says, without its markup."""
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", page).split()))


def packet_form(client, link: str = LIST) -> dict[str, list[str]]:
    """Return the fields of the form that makes the packet of a list, every warning marked as read."""
    page = client.get(link).text
    part = page.partition('id="packet"')[2].partition("</form>")[0]
    fields: dict[str, list[str]] = {}
    for name, value in re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', part):
        fields.setdefault(name, []).append(html.unescape(value))
    fields["read"] = re.findall(r'name="read" value="(\d)"', part)
    return fields


def packet_made(client, fields) -> tuple[str, str]:
    """Make a packet, and return the address of the work and the page that says how it ended."""
    answer = client.post("/notice/packet", data=fields)
    assert answer.status_code == 303, words_of(answer.text)
    link = answer.headers["location"]
    until = clock.monotonic() + 120
    while clock.monotonic() < until:
        page = client.get(link, headers={"hx-request": "true"}).text
        if "hx-get" not in page:
            return link, page
        clock.sleep(0.2)
    message = "the packet was not made in two minutes"
    raise AssertionError(message)


def fill_town(town: Path, root: Path):
    """Put an open and a denied application into a town, and a packet of an appeal."""
    for name in ("allowed", "refused"):
        event = root / "data" / "southampton" / "events" / f"{name}.toml"
        run("application", "add", town, event, "--by", "C.", "--on", "2026-11-30")
    run("application", "deny", town, "A2026-0002", "--reason", "No insurance", "--by", "C.", "--on", "2026-11-30")
    out = town / "packets" / "one"
    run("notice", town, PREMISES, "--for", "appeal", "--hearing", "2027-01-12", "--on", "2026-11-30", "--out", out)


def layers_imported(client):
    """Press the button that imports the layers, wait as the page does, and return the page of the layers."""
    answer = client.post("/layers/import", data={"token": token_of(client.get("/layers").text)})
    assert answer.status_code == 303
    link = f"/jobs/{answer.headers['location'].partition('job=')[2]}/wait"
    until = clock.monotonic() + 120
    while "hx-redirect" not in (told := client.get(link)).headers:
        assert clock.monotonic() < until
        clock.sleep(0.1)
    answer = client.get(told.headers["hx-redirect"])
    return client.get("/layers") if answer.status_code == 303 else answer
