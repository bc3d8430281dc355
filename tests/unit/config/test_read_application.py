"""Reading an event file, and what is said of a bad one."""

from datetime import date, datetime

import pytest

from geonotice.config.application import Event
from geonotice.config.questions import QUESTIONS, question
from geonotice.config.read_application import event_from_data, json_schema, read_event_file
from geonotice.errors import EventFileError


def faults_of(data):
    with pytest.raises(EventFileError) as caught:
        event_from_data(data, file="event.toml")
    return {fault.key: fault.what for fault in caught.value.faults}


class TestAnswers:
    def test_what_is_left_out_is_unknown_and_no_0_and_an_empty_list_are_answers(self):
        event = event_from_data({"event": {"night": False, "persons_outdoors": 0}, "site": {"lights": []}}, file="event")
        assert (event.event.night, event.event.persons_outdoors, event.site.lights) == (False, 0, ())
        assert (event.event.filed, event.site.tents) == (None, None)

    def test_a_date_without_a_time_stays_one(self):
        event = event_from_data({"event": {"starts": date(2026, 8, 8), "ends": datetime(2026, 8, 8, 22, 0)}}, file="event")  # noqa: DTZ001  # local
        assert event.event.starts == date(2026, 8, 8)
        assert (event.event.first_day, event.event.last_day) == (date(2026, 8, 8), date(2026, 8, 8))

    def test_an_empty_table_states_nothing(self):
        assert event_from_data({"benefit": {}, "denial": {}, "amendment": {}}, file="event") == Event()

    def test_dates_may_be_text_as_json_writes_them(self):
        event = event_from_data({"event": {"starts": "2026-08-08T14:00:00", "filed": "2026-04-20"}}, file="event")
        assert event.event.filed == date(2026, 4, 20)


class TestFaults:
    def test_a_year_that_cannot_be_meant_is_refused(self):
        found = faults_of(
            {"event": {"starts": "9999-12-31", "filed": date(26, 4, 20)}, "yard_sale": {"days": [date(1026, 6, 6)]}}
        )
        assert set(found) == {"event.starts", "event.filed", "yard_sale.days[0]"}
        assert "9999 is no likely year" in found["event.starts"]

    def test_unknown_keys_are_refused_by_name_and_all_faults_are_told_at_once(self):
        found = faults_of(
            {
                "event": {"kind": "gala", "persons_total": True, "colour": "red", "starts": "noon"},
                "stage": {},
                "site": {"rides": "yes", "tents": [{"up": "2026-08-10", "down": "2026-08-01"}], "signs": [{"where": "gate"}]},
            }
        )
        assert set(found) == {
            "event.kind", "event.persons_total", "event.colour", "event.starts", "stage", "site.rides", "site.tents[0]",
            "site.signs[0].where",
        }  # fmt: skip
        assert "'colour'" in found["event.colour"]

    @pytest.mark.parametrize(
        "event",
        [
            {"starts": "2026-08-08T14:00:00", "ends": "2026-08-08T13:00:00"},
            {"starts": "2026-08-08", "ends": "2026-08-07"},
            {"persons_at_once": -1},
            {"distinct_events": 0},
            {"starts": "2026-08-08T14:00:00-04:00"},
        ],
    )
    def test_what_cannot_be_is_refused(self, event):
        assert faults_of({"event": event})

    def test_hours_are_two_and_in_order(self):
        assert faults_of({"yard_sale": {"hours": ["16:00", "09:00"]}})
        assert faults_of({"yard_sale": {"hours": ["09:00"]}})

    def test_an_hour_is_no_number_and_has_no_time_zone(self):
        days = [{"on": "2026-07-18", "from": 10, "to": "11:00Z"}]
        found = faults_of({"event": {"days": days}, "yard_sale": {"hours": ["09:00Z", "16:00"]}})
        assert set(found) == {"event.days[0].from", "event.days[0].to", "yard_sale.hours[0]"}
        assert "leave the time zone out" in found["event.days[0].to"]
        assert found["event.days[0].from"] == "a time of day is meant, such as 09:00 (it says 10)"

    def test_whether_a_table_is_stated_is_no_key_of_the_file(self):
        assert set(faults_of({"benefit": {"stated": True}, "denial": {"stated": True}})) == {"benefit.stated", "denial.stated"}

    def test_a_file_that_is_not_there_or_not_toml_is_named(self, tmp_path):
        with pytest.raises(EventFileError, match=r"none\.toml"):
            read_event_file(tmp_path / "none.toml")
        (tmp_path / "bad.toml").write_text("kind = festival")
        with pytest.raises(EventFileError, match="is not TOML"):
            read_event_file(tmp_path / "bad.toml")


def test_a_file_is_read(tmp_path):
    (tmp_path / "event.toml").write_text('[event]\nkind = "party"\nstarts = 2026-08-08T14:00:00\n')
    assert read_event_file(tmp_path / "event.toml").event.kind == "party"


def test_every_field_has_a_question_and_the_schema_carries_it():
    event = Event()
    keys = {
        f"{section}.{name}"
        for section in Event.__dataclass_fields__
        for name in getattr(type(getattr(event, section)), "__dataclass_fields__", {"filed": None})
        if name != "stated"
    }
    assert keys == {key for key in QUESTIONS if not key.startswith("facts.")}
    schema = json_schema()
    described = {field.get("description") for part in schema["$defs"].values() for field in part["properties"].values()}
    assert {QUESTIONS[key] for key in keys} <= described


def test_a_question_is_printed_with_its_key():
    assert question("event.night") == "event.night: Is it held at night?"
    assert question("site.signs[1].up") == "site.signs[1].up: On which day does this sign go up?"
