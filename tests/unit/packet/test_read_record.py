"""A packet read back, and which packets are one mailing."""

import json
from datetime import date

import pytest
from msgspec.structs import replace

from geonotice.errors import InputError
from geonotice.model import ResultWarning
from geonotice.packet.read_record import list_identity, packet_of
from geonotice.packet.record import record_json


@pytest.fixture
def folder(notice, tmp_path):
    made = replace(notice, settings={"crs": "EPSG:2261"})
    (tmp_path / "record.json").write_bytes(record_json(made))
    return tmp_path


def test_recipients_are_those_that_were_mailed(notice, folder):
    found = read_packet(folder).notice
    for one, other in zip(found.recipients, notice.recipients, strict=True):
        assert (one.number, one.role, one.names, one.address, one.zip, one.mail) == (
            other.number, other.role, other.names, other.address, other.zip, other.mail,
        )  # fmt: skip
        assert one.mailable == other.mailable
    assert (found.hearing, found.premises) == (notice.hearing, notice.premises)


class TestTheIdentityOfAList:
    def test_is_that_of_the_notice_and_of_its_record_alike(self, notice, folder):
        assert read_packet(folder).identity == list_identity(replace(notice, settings={"crs": "EPSG:2261"}))

    def test_does_not_change_with_the_day_of_making_or_a_warning(self, notice):
        again = replace(notice, on=date(2026, 9, 2), warnings=(ResultWarning("x", "y"),), version="9")
        assert list_identity(again) == list_identity(notice)

    @pytest.mark.parametrize("change", [{"hearing": date(2026, 10, 21)}, {"occasion": "appeal"}, {"premises": ("11.00-1-2",)}])
    def test_is_another_for_another_mailing(self, notice, change):
        assert list_identity(replace(notice, **change)) != list_identity(notice)

    def test_is_another_where_one_letter_goes_elsewhere(self, notice):
        first, *others = notice.recipients
        moved = replace(notice, recipients=(replace(first, address=("9 NEW RD",)), *others))
        assert list_identity(moved) != list_identity(notice)


def read_packet(folder):
    return packet_of(folder, json.loads((folder / "record.json").read_bytes()))


class TestRefused:
    def test_a_record_that_was_changed_out_of_shape(self, folder):
        said = json.loads((folder / "record.json").read_bytes())
        said["recipients"][0].pop("zip")
        (folder / "record.json").write_text(json.dumps(said))
        with pytest.raises(InputError, match="the record cannot be read"):
            read_packet(folder)
