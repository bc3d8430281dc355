"""A desk within the process, as a browser on the same machine asks it."""

import re
import shutil
from contextlib import contextmanager
from datetime import date, datetime, time
from pathlib import Path

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


def token_of(page: str) -> str:
    """Return the token of the forms on a page."""
    found = re.search(r'name="token" value="([^"]+)"', page)
    assert found, "the page has no form that writes"
    return found[1]


def sit_down(client, name: str = "R. Clerk") -> None:
    """Give a name, as the first thing somebody does."""
    answer = client.post("/who", data={"token": token_of(client.get("/who").text), "name": name, "next": "/"})
    assert answer.status_code == 303
