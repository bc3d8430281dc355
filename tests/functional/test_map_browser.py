"""The maps in a real browser: what is shown, found and toggled; that no request leaves and no owner's name runs."""

import re
from pathlib import Path

import pytest
from browsing import PAYLOADS, overlapping, without_policy
from map_toys import around, rowhouses, toy, toy_site, toy_year

from geonotice.maps import event_map, notice_map, render, site_map

pytestmark = pytest.mark.browser


def assert_rows_are_labelled(there, page_of: str) -> None:
    """Every lot of the row has the numbers of its recipients, all or the first and a plus; no label stands on another."""
    marks = there.labels()
    assert overlapping(marks) == [], page_of
    said = {mark["text"] for mark in marks if mark["kind"] == "notified"}
    full = {n: f"{n},{100 + n}" for n in range(1, 6)} | {6: "6"}
    for n in range(1, 7):
        assert {full[n], f"{n}+", f"{full[n]}12.1-1-{n}"} & said, (page_of, n, said)
    assert "Premises" in {mark["text"] for mark in marks}


class TestLabels:
    """Where labels stand depends on the fonts of the machine: whatever they are, labels are readable."""

    @pytest.mark.parametrize("degrees", [0, 35])
    @pytest.mark.parametrize("wide", [14, 40, 120])
    def test_every_row_of_the_list_is_labelled_in_its_lot_and_no_label_stands_on_another(
        self, opened, wide: int, degrees: int
    ) -> None:
        there = opened(render(notice_map(rowhouses(wide, degrees))))
        assert_rows_are_labelled(there, "the fonts of this machine")
        there.assert_quiet()

    def test_with_one_family_of_fonts_alone(self, opened_with_one_family) -> None:
        open_, family = opened_with_one_family
        for wide, degrees in ((14, 0), (14, 35), (40, 35), (120, 0)):
            there = open_(render(notice_map(rowhouses(wide, degrees))))
            assert_rows_are_labelled(there, f"{family}, lots {wide} ft wide, turned by {degrees}")
            assert {name.removesuffix(" Condensed") for name in there.fonts_used(".mark .premises")} == {family}
            there.assert_quiet()
            there.close()

    def test_the_maps_labels_do_not_run_into_one_another_with_one_family(self, opened_with_one_family) -> None:
        open_, family = opened_with_one_family
        for made in (notice_map(toy(), around()), event_map(toy_year(), around()), site_map(toy_site(), around())):
            there = open_(render(made))
            for _ in range(3):
                assert there.labels()
                assert overlapping(there.labels()) == [], family
                there.page.locator(".leaflet-control-zoom-in").click()
                there.page.wait_for_timeout(400)
            there.assert_quiet()
            there.close()


class TestNoticeMap:
    def test_draws_every_parcel_and_asks_for_nothing(self, opened) -> None:
        there = opened(render(notice_map(toy(), around())))
        # five parcels, ring, shared run, sign, another line, two districts, a boundary, a street
        assert there.page.locator(".leaflet-map-pane path.leaflet-interactive, .leaflet-map-pane path").count() == 13
        assert there.page.locator(".mark .premises").inner_text() == "Premises"
        there.assert_quiet()

    @pytest.mark.parametrize("guarded", [True, False], ids=["with the policy", "without the policy"])
    def test_no_owner_runs_on_load_hover_click_or_search(self, opened, guarded: bool) -> None:  # noqa: FBT001  # a case, not a flag
        words = tuple(PAYLOADS)
        html = render(notice_map(toy(words), around(words[0])))
        there = opened(html if guarded else without_policy(html))
        page = there.page
        page.locator("#search").fill("onerror")
        hit = page.locator("#hits button").first
        assert PAYLOADS[0] in hit.inner_text()
        hit.click()
        popup = page.locator(".leaflet-popup-content")
        for payload in PAYLOADS:
            assert payload in popup.inner_text(), "shown as it is written"
        page.locator(".leaflet-popup-close-button").dispatch_event("click")  # the map may still be gliding to the parcel
        popup.wait_for(state="detached")
        page.locator("#whole").click()
        for shape in page.locator(".leaflet-notified-pane path").all():
            shape.hover()
            page.wait_for_timeout(30)
        assert page.locator(".leaflet-tooltip").last.inner_text().startswith("12.1-2-8")
        page.locator(".leaflet-ways-pane path").first.click(force=True)
        page.wait_for_timeout(50)
        there.assert_quiet()

    def test_layers_toggle_and_their_labels_with_them(self, opened) -> None:
        there = opened(render(notice_map(toy(), around())))
        near = there.page.locator(".leaflet-near-pane path")
        assert near.count() == 1
        there.toggle("Near miss, not notified")
        assert near.count() == 0
        there.toggle("Near miss, not notified")
        assert near.count() == 1
        assert there.page.locator(".mark .street").count() == 1
        there.toggle("Streets")
        assert there.page.locator(".mark .street").count() == 0
        there.assert_quiet()

    def test_search_finds_by_number_address_and_owner(self, opened) -> None:
        there = opened(render(notice_map(toy())))
        wanted = {
            "12.1-2-8": ["12.1-2-8"],
            "12128": ["12.1-2-8"],
            "12.1-2": ["12.1-2-1", "12.1-2-8", "12.1-2-13"],
            "main st": ["12.1-1-1"],
            "LOE BO": ["12.1-2-8"],
            "bo loe": ["12.1-2-8"],
            "doe jané": ["12.1-1-2"],
            "nobody": [],
        }
        for query, found in wanted.items():
            there.page.locator("#search").fill(query)
            hits = there.page.locator("#hits button").all_inner_texts()
            assert [hit.splitlines()[0] for hit in hits] == found, query
        assert there.page.locator("#said").inner_text() == "Nothing found."
        there.assert_quiet()

    def test_a_row_of_the_list_opens_its_parcel_even_when_its_layer_is_off(self, opened) -> None:
        there = opened(render(notice_map(toy())))
        there.toggle("Notified: directly opposite")
        there.page.locator("#rows button", has_text="12.1-2-1").click()
        popup = there.page.locator(".leaflet-popup-content")
        assert popup.locator("h3").inner_text() == "12.1-2-1"
        assert "60.00 ft" in popup.inner_text()
        assert "FOE ANN" in popup.inner_text()
        there.assert_quiet()

    def test_scale_is_in_feet(self, opened) -> None:
        there = opened(render(notice_map(toy())))
        assert re.fullmatch(r"[125]0*(,000)* ft", there.page.locator(".scale span").inner_text())

    def test_the_public_map_finds_no_owner(self, opened) -> None:
        there = opened(render(notice_map(toy(), around(), public=True)))
        there.page.locator("#search").fill("POE PETER")
        assert there.page.locator("#said").inner_text() == "Nothing found."
        there.page.locator("#search").fill("1 main")
        there.page.locator("#hits button").click()
        assert there.page.locator(".leaflet-popup-content").inner_text().split() == [
            "12.1-1-1",
            "Premises",
            "Address",
            "1",
            "MAIN",
            "ST",
        ]
        there.assert_quiet()

    def test_prints_the_map_on_one_sheet_and_the_list_on_the_next(self, opened, tmp_path: Path) -> None:
        import pdfplumber

        there = opened(render(notice_map(toy(), around())))
        there.page.pdf(path=str(tmp_path / "map.pdf"), prefer_css_page_size=True, print_background=True)
        with pdfplumber.open(tmp_path / "map.pdf") as printed:
            assert len(printed.pages) == 2
            first, second = (page.extract_text() for page in printed.pages)
            assert (printed.pages[0].width, printed.pages[0].height) == (792, 612)
        assert "Hearing on October 20, 2026" in " ".join(first.split())
        assert "Premises" in first
        assert "12.1-2-8" in second
        assert "The parcel layer ends 300 ft to the north" in second
        there.assert_quiet()


def inked(page) -> int:
    """Count the pixels of the lots' canvas that anything is drawn on."""
    return page.evaluate("""() => {
      const canvas = document.querySelector("canvas.lots");
      const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
      let n = 0;
      for (let at = 3; at < pixels.length; at += 4) if (pixels[at] > 0) n += 1;
      return n;
    }""")


def pixels_per_foot(page) -> float:
    feet = float(page.locator(".scale span").inner_text().removesuffix(" ft").replace(",", ""))
    return page.evaluate("parseFloat(document.querySelector('.scale i').style.width)") / feet


class TestEventMap:
    def test_draws_badges_with_what_is_left_and_asks_for_nothing(self, opened) -> None:
        there = opened(render(event_map(toy_year(), around())))
        page = there.page
        assert sorted(page.locator(".badge text").all_text_contents()) == sorted(["0", "0", "1", "2", "?", "\u2013"])
        assert page.locator(".badge.over").count() == 1, "the one issued past the cap is marked"
        assert page.locator(".leaflet-notified-pane path").count() == 6
        page.locator(".folium-map[data-lots='60']").wait_for()
        assert inked(page) > 1_000, "the lots, unpacked"
        there.assert_quiet()

    def test_the_slider_moves_the_week_the_list_and_the_rings(self, opened) -> None:
        there = opened(render(event_map(toy_year(), around())))
        page = there.page
        assert page.locator("#days").inner_text() == "Mon, June 29 to Sun, July 5, 2026"
        assert page.locator(".badge.now").count() == 3
        assert page.locator("#on li").count() == 3, "two permits and a parade"
        for _ in range(4):
            page.locator("#slider").press("ArrowRight")
        assert page.locator("#days").inner_text() == "Mon, July 27 to Sun, August 2, 2026"
        assert page.locator(".badge.now").count() == 1
        listed = page.locator("#on li").all_inner_texts()
        assert len(listed) == 1
        assert "2026-2" in listed[0]
        assert "ISSUED PAST THE CAP: fire" in listed[0]
        page.locator("#before").click()
        assert page.locator("#on").inner_text() == "Nothing is on in this week."
        page.locator("#bars i").nth(26).click()
        assert page.locator("#days").inner_text() == "Mon, June 29 to Sun, July 5, 2026"
        there.assert_quiet()

    def test_only_the_weeks_parcels_can_be_shown(self, opened) -> None:
        there = opened(render(event_map(toy_year())))
        page = there.page
        page.locator("#only").check()
        assert page.locator(".badge").count() == page.locator(".leaflet-notified-pane path").count() == 3
        page.locator("#only").uncheck()
        assert page.locator(".badge").count() == page.locator(".leaflet-notified-pane path").count() == 6

    def test_layers_toggle_with_their_badges(self, opened) -> None:
        there = opened(render(event_map(toy_year(), around())))
        badges = there.page.locator(".badge")
        there.toggle("One left")
        assert badges.count() == 5
        there.toggle("One left")
        assert badges.count() == 6
        there.toggle("Streets")
        assert there.page.locator(".leaflet-ways-pane path").count() == 0
        there.toggle("500 ft from another municipality")
        there.page.locator("canvas.lots").wait_for()
        there.toggle("All lots")
        assert there.page.locator("canvas.lots").count() == 0
        there.assert_quiet()

    def test_search_finds_any_parcel_of_the_town(self, opened) -> None:
        there = opened(render(event_map(toy_year(), around())))
        page = there.page
        wanted = {
            "0900-001.00-01.00-000.000": ("0900-001.00-01.00-000.000", "None left"),
            "37 main": ("0900-001.00-01.00-037.000", "No permit in 2026: 2 left"),
            "smith john 41": ("0900-001.00-01.00-041.000", "No permit in 2026: 2 left"),
            "1-1-51": ("0900-001.00-01.00-051.000", "No permit in 2026: needs an official's decision"),
        }
        for query, (number, status) in wanted.items():
            page.locator("#search").fill(query)
            page.locator("#hits button", has_text=number).first.click()
            popup = page.locator(".leaflet-popup-content").last
            assert popup.locator("h3").inner_text() == number
            assert popup.locator(".status").inner_text() == status
        there.assert_quiet()

    def test_a_click_on_any_lot_answers_and_one_beside_the_lots_tells_of_the_district(self, opened) -> None:
        there = opened(render(event_map(toy_year(), around("R-20"))))
        page = there.page
        page.locator(".folium-map[data-lots='60']").wait_for()
        page.locator("#search").fill("10 main")
        page.locator("#hits button").first.click()
        box = page.locator(".folium-map").bounding_box()
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.locator(".leaflet-popup-close-button").click()
        page.locator(".leaflet-popup-content").wait_for(state="detached")
        page.mouse.click(*middle)
        popup = page.locator(".leaflet-popup-content")
        popup.wait_for()
        for part in (
            "0900-001.00-01.00-010.000",
            "No permit in 2026: 2 left",
            "10 MAIN ST",
            "SMITH JOHN 10",
            "R-40, residential",
            "283-6B",
        ):
            assert part in popup.inner_text(), part
        assert page.locator(".leaflet-ring-pane path").count() == 1, "the lot told of is outlined"
        page.keyboard.press("Escape")
        popup.wait_for(state="detached")
        page.mouse.click(middle[0], middle[1] - 200 * pixels_per_foot(page))
        page.locator(".leaflet-popup-content", has_text="R-40").wait_for()
        there.assert_quiet()

    def test_the_search_finds_permits_by_number_title_and_applicant(self, opened) -> None:
        there = opened(render(event_map(toy_year("Emma and Luke"), around())))
        page = there.page
        for query, hit in {"2026-3": "2026-3", "emma luke": "2026-1", "old home": "P-1", "wedding": "2026-2"}.items():
            page.locator("#search").fill(query)
            page.locator("#hits button").first.wait_for()
            assert page.locator("#hits button").first.inner_text().splitlines()[0] == hit, query
        page.locator("#hits button").first.click()
        assert "ISSUED PAST THE CAP: fire" in page.locator(".leaflet-popup-content").inner_text()
        there.assert_quiet()

    def test_a_pop_up_opened_by_keyboard_has_the_focus_and_gives_it_back(self, opened) -> None:
        there = opened(render(event_map(toy_year(), around())))
        page = there.page
        page.locator("#search").fill("12 main")
        button = page.locator("#hits button").first
        button.press("Enter")
        dialog = page.locator("[role=dialog]")
        dialog.wait_for()
        assert dialog.get_attribute("aria-label") == "0900-001.00-01.00-012.000"
        assert page.evaluate("document.activeElement.className") == "leaflet-popup-content"
        page.keyboard.press("Escape")
        dialog.wait_for(state="detached")
        assert page.evaluate("document.activeElement.textContent").startswith("0900-001.00-01.00-012.000")
        page.locator(".folium-map").focus()
        page.keyboard.press("Enter")
        dialog.wait_for()
        there.assert_quiet()

    def test_a_pop_up_says_what_is_left_why_and_which_permits(self, opened) -> None:
        there = opened(render(event_map(toy_year())))
        there.page.locator("#full button").first.click()
        text = there.page.locator(".leaflet-popup-content").inner_text()
        for part in (
            "None left",
            "2 of 2",
            "because of full, 283-6B",
            "Fri, January 1, 2027",
            "2026-1",
            "2026-2",
            "ISSUED PAST THE CAP: fire",
            "500 ft and one day apart",
        ):
            assert part in text, part

    def test_the_public_map_has_the_permits_and_no_owner(self, opened) -> None:
        there = opened(render(event_map(toy_year(), public=True)))
        page = there.page
        page.locator("#search").fill("smith")
        page.locator("#said", has_text="Nothing found.").wait_for()
        page.locator("#full button").first.click()
        text = page.locator(".leaflet-popup-content").inner_text()
        assert "ISSUED PAST THE CAP" in text
        assert "fire" not in text
        assert "OWNER" not in text
        there.assert_quiet()

    def test_no_owner_runs(self, opened) -> None:
        payload = " ".join(PAYLOADS)
        html = without_policy(render(event_map(toy_year(payload), around(payload))))
        there = opened(html)
        page = there.page
        page.locator("#search").fill("main")
        page.locator("#hits button").first.wait_for()
        assert payload in page.locator("#hits").inner_text()
        page.locator("#hits button", has_text="9 MAIN").first.click()
        assert payload in page.locator(".leaflet-popup-content").inner_text()
        page.locator("#on button").first.click()
        assert payload in page.locator(".leaflet-popup-content").last.inner_text()
        page.locator("details.all summary").click()
        assert payload in page.locator("#permits").inner_text()
        page.locator("#whole").click()
        page.locator(".leaflet-popup").last.wait_for(state="detached")
        page.locator(".badge div").first.hover()
        page.wait_for_timeout(50)
        there.assert_quiet()

    def test_prints_the_map_and_the_lists(self, opened, tmp_path: Path) -> None:
        import pdfplumber

        there = opened(render(event_map(toy_year(), around())))
        there.page.pdf(path=str(tmp_path / "year.pdf"), prefer_css_page_size=True, print_background=True)
        with pdfplumber.open(tmp_path / "year.pdf") as printed:
            texts = [" ".join(page.extract_text().split()) for page in printed.pages]
        lists = " ".join(texts[1:])
        assert "Events of 2026" in texts[0]
        assert "On in the chosen week: Mon, June 29 to Sun, July 5, 2026" in lists
        assert "No permit left (2)" in lists
        assert "2026-6" in lists, "all permits, unfolded for paper"
        assert "A district is not in the profile" in lists


class TestSiteMap:
    def test_draws_setbacks_and_what_stands_inside_them_and_asks_for_nothing(self, opened) -> None:
        there = opened(render(site_map(toy_site(), around())))
        page = there.page
        legend = page.locator("#layers").inner_text()
        for title in (
            "Premises",
            "Setback or buffer line",
            "Too near to a lot line",
            "Frontage on a street",
            "Drawn, and too near to a lot line",
        ):
            assert title in legend
        assert page.locator(".leaflet-evidence-pane path").count() == 5, "a setback line, a frontage, three things"
        assert sorted(page.locator(".mark .premises").all_inner_texts()) == ["1. stage !", "2. tent", "3. parking"]
        assert "12.0 ft from the side line, 20 ft are the setback of R-40" in page.locator("#list").inner_text()
        there.assert_quiet()

    def test_a_thing_says_what_it_does_not_keep(self, opened) -> None:
        there = opened(render(site_map(toy_site())))
        there.toggle("Premises")
        there.page.locator(".leaflet-evidence-pane path[stroke='#a00020']").click()
        popup = there.page.locator(".leaflet-popup-content")
        assert popup.locator("h3").inner_text() == "1. stage"
        assert "20 ft are the setback of R-40" in popup.inner_text()
        there.assert_quiet()

    def test_layers_toggle_with_their_names(self, opened) -> None:
        there = opened(render(site_map(toy_site())))
        there.toggle("Drawn, and too near to a lot line")
        assert sorted(there.page.locator(".mark .premises").all_inner_texts()) == ["2. tent", "3. parking"]
        there.toggle("Setback or buffer line")
        assert there.page.locator(".mark .evidence").count() == 0
        there.assert_quiet()

    @pytest.mark.parametrize("payload", PAYLOADS)
    def test_no_word_of_the_drawing_or_the_event_runs(self, opened, payload: str) -> None:
        there = opened(without_policy(render(site_map(toy_site(payload), around(payload)))))
        assert payload in there.page.locator("#list").inner_text()
        assert payload in there.page.locator("h1").inner_text()
        there.page.locator(".leaflet-evidence-pane path[stroke='#a00020']").click()
        assert payload in there.page.locator(".leaflet-popup-content").inner_text()
        there.assert_quiet()
