"""Forms that are not finished, and files that were handed in: kept beside the town, under a name, and nowhere else."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from browsing import PAYLOADS
from desk_toys import copied, desk_at, sit_down, token_of, words_of

from geonotice.errors import UsageError
from geonotice.web.forms_and_uploads import HandedIn, _plain_name
from geonotice.web.kept import Draft, Kept, new_id


def draft(by: str = "R. Clerk", *, id_: str = "abcdefgh", minute: int = 0, **more) -> Draft:
    saved = datetime(2026, 11, 30, 10, minute, tzinfo=UTC)
    return Draft(kind="notice", id=id_, by=by, title="A notice", saved=saved, fields=(("parcel", "1"), ("parcel", "2")), **more)


class TestDrafts:
    def test_it_is_found_again_by_the_whole_office_with_who_saved_it_last(self, tmp_path):
        kept = Kept(tmp_path)
        kept.save(draft())
        assert kept.draft("notice", "abcdefgh").values() == {"parcel": ["1", "2"]}
        kept.save(draft("A. Planner", minute=1), seen=kept.seal("notice", "abcdefgh"))
        assert [(one.id, one.by) for one in kept.drafts()] == [("abcdefgh", "A. Planner")]
        assert kept.drafts("application") == []

    def test_the_later_of_two_who_change_one_form_is_told_and_takes_nothing_back(self, tmp_path):
        kept = Kept(tmp_path)
        kept.save(draft(), seen="")
        opened = kept.seal("notice", "abcdefgh")
        kept.save(draft("A. Planner", minute=1), seen=opened)
        for seen in (opened, ""):
            with pytest.raises(UsageError, match=r"A\. Planner saved it at 10:01 AM, after you opened it"):
                kept.save(draft(minute=2), seen=seen)
        assert kept.draft("notice", "abcdefgh").by == "A. Planner"

    def test_of_many_who_save_at_once_one_is_kept(self, tmp_path):
        kept = Kept(tmp_path)
        kept.save(draft(), seen="")
        seen = kept.seal("notice", "abcdefgh")

        def save(n):
            try:
                kept.save(draft(f"Person {n}", minute=n), seen=seen)
            except UsageError:
                return ""
            return f"Person {n}"

        with ThreadPoolExecutor(8) as pool:
            (won,) = filter(None, pool.map(save, range(1, 9)))
        assert kept.draft("notice", "abcdefgh").by == won

    def test_one_of_the_time_when_each_person_had_a_folder_is_found_and_saved_once(self, tmp_path):
        kept = Kept(tmp_path)
        kept.save(draft())
        (file,) = tmp_path.rglob("notice-abcdefgh.json")
        earlier = file.parent / ("0" * 32) / file.name
        earlier.parent.mkdir()
        file.rename(earlier)
        assert [one.by for one in kept.drafts("notice")] == ["R. Clerk"]
        kept.save(draft("A. Planner", minute=1), seen=kept.seal("notice", "abcdefgh"))
        assert [one.by for one in kept.drafts()] == ["A. Planner"]
        kept.discard("notice", "abcdefgh")
        assert not list(tmp_path.rglob("*.json"))

    def test_the_last_saved_comes_first_and_the_oldest_go(self, tmp_path, monkeypatch):
        monkeypatch.setattr("geonotice.web.kept._MOST_DRAFTS", 2)
        kept = Kept(tmp_path)
        for minute in (3, 1, 2):
            kept.save(draft(id_=f"number-{minute}", minute=minute))
        assert [one.id for one in kept.drafts()] == ["number-3", "number-2"]
        kept.discard("notice", "number-3")
        assert [one.id for one in kept.drafts()] == ["number-2"]

    def test_nobody_saves_none(self, tmp_path):
        with pytest.raises(UsageError, match="does not know your name"):
            Kept(tmp_path).save(draft(by=""))

    @pytest.mark.parametrize("id_", ["", "../../town", "a" * 50, "a/b-cdefgh", "short", "with blank"])
    def test_no_name_leads_out_of_the_folder(self, tmp_path, id_):
        with pytest.raises(UsageError, match="no form of the desk"):
            Kept(tmp_path).save(draft(id_=id_))

    def test_a_damaged_one_is_none_and_the_others_stay(self, tmp_path):
        kept = Kept(tmp_path)
        kept.save(draft())
        kept.save(draft(id_="another1"))
        (file,) = tmp_path.rglob("notice-abcdefgh.json")
        file.write_bytes(b"{")
        assert [one.id for one in kept.drafts()] == ["another1"]

    def test_a_new_one_has_a_name_that_it_may_have(self, tmp_path):
        for _ in range(20):
            Kept(tmp_path).save(draft(id_=new_id()))


class TestFiles:
    @pytest.mark.parametrize("name", ["event.toml", "a.pdf", "owners.csv"])
    def test_it_is_kept_byte_by_byte_under_its_name(self, tmp_path, name):
        content = b"%PDF-1.4 \xff\x00 \r\n"
        file = Kept(tmp_path).file(Kept(tmp_path).keep(HandedIn(name, content)))
        assert (file.name, file.read_bytes()) == (name, content)

    def test_the_same_content_under_another_name_is_another_file(self, tmp_path):
        kept = Kept(tmp_path)
        one, other = (kept.file(kept.keep(HandedIn(name, b"x"))) for name in ("a.csv", "b.csv"))
        assert (one.name, other.name) == ("a.csv", "b.csv")

    @pytest.mark.parametrize("key", ["", "..", "../drafts", "0" * 32, "x" * 32, "../../town.toml"])
    def test_no_key_leads_to_another_file(self, tmp_path, key):
        Kept(tmp_path).keep(HandedIn("a.csv", b"x"))
        (tmp_path / "town.toml").write_text("[town]")
        with pytest.raises(UsageError, match="not there any more"):
            Kept(tmp_path).file(key)

    def test_an_empty_one_is_refused(self, tmp_path):
        with pytest.raises(UsageError, match="is empty"):
            Kept(tmp_path).keep(HandedIn("a.csv", b""))

    @pytest.mark.parametrize(
        "given", [*PAYLOADS, "../../x", "/etc/passwd", "a\x00b", "con", "…", "x" * 300 + ".csv", "\u202eexe.csv"]
    )
    def test_whatever_it_is_called_it_lies_in_its_folder(self, tmp_path, given):
        kept = Kept(tmp_path)
        file = kept.file(kept.keep(HandedIn(_plain_name(given), b"x")))
        assert file.parent.parent == tmp_path / "desk" / "files"
        assert not set(file.name) & set('<>:"|?*\\/\x00')
        assert len(file.name) <= 100


def test_the_desk_saves_a_form_and_says_when(southampton, tmp_path):
    town = copied(southampton, tmp_path / "town")
    with desk_at(town) as desk:
        headers = {"x-desk-token": token_of(desk.get("/who").text)}
        sent = {"draft_kind": "notice", "draft_id": "abcdefgh", "draft_title": "T", "parcel": ["1", "2"], "hearing": ""}
        refused = desk.post("/drafts", data=sent, headers=headers)
        assert (refused.status_code, refused.json()["saved"]) == (200, False)
        assert refused.json()["nameless"]
        assert "Not saved yet: choose “Your name” at the top" in refused.json()["said"]
        assert desk.post("/drafts", data=sent).status_code == 403
        sit_down(desk)
        saved = desk.post("/drafts", data=sent, headers=headers).json()
        assert (saved["saved"], saved["said"]) == (True, "Saved at 10:30 AM.")
        (found,) = desk.desk.kept.drafts("notice")
        assert found.fields == (("parcel", "1"), ("parcel", "2"))
        # A colleague goes on with it, on another computer; the first one is told, and nothing is lost.
        sit_down(desk, "A. Planner")
        assert "saved on November 30, 2026 by R. Clerk" in words_of(desk.get("/notice").text)
        theirs = {**sent, "parcel": ["3"], "draft_seen": saved["seen"]}
        assert desk.post("/drafts", data=theirs, headers=headers).json()["saved"]
        sit_down(desk)
        mine = desk.post("/drafts", data={**sent, "draft_seen": saved["seen"]}, headers=headers).json()
        assert not mine["saved"]
        assert "A. Planner saved it at 10:30 AM, after you opened it" in mine["said"]
        # The address of the first one's page says something else than what is saved: it does not pass for having been seen.
        assert 'data-draft-seen=""' in desk.get("/notice?parcel=1&draft=abcdefgh").text
        away = {"draft_kind": "notice", "draft_id": "abcdefgh", "next": "/notice"}
        assert desk.post("/drafts/discard", data=away, headers=headers).headers["location"] == "/notice"
        assert desk.desk.kept.drafts() == []
