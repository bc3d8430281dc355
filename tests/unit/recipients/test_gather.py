"""Who gets a letter: owners of record, residents, clerks, and the owners of the premises."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from geonotice.address_spelling import normal_address, normal_line, normal_name
from geonotice.model import AddressPoint, Municipality, NoticeParcel, Owner, Parcel, Situs, Told
from geonotice.recipients import Gathered, TownPlace, adjoining_owners, count_roles, counted, gather

RULE = "italy.notice1000"
PREMISES = Parcel(1, "P", "P", "572400", "lot", Situs("FAIR RD"), "322", "ITALY", 2026, 0, 1e6, nys_class="322")


def parcel(fid, distance_ft=100.0, **changes):
    name = f"L{fid}"
    situs = changes.pop("situs", Situs(f"{fid} HILL RD", str(fid), "HILL RD", "", "NAPLES", "NY", "14512"))
    record = Parcel(fid, name, name, "572400", "lot", situs, "210", "ITALY", 2026, 0, 1e5)
    record = replace(record, **changes)
    # what import makes of a New York layer's class
    code = re.match(r"[1-9]\d\d(?!\d)", record.property_class)
    record = replace(record, nys_class=changes.get("nys_class", code[0] if code else ""))
    return NoticeParcel(fid, name, "572400", "within", distance_ft, RULE, "Italy, C", situs.text), record


def owner(fid, name="DOE JANE", *lines, n=1, city="NAPLES", state="NY", zip="14512", country=""):  # noqa: A002  # the model's word
    names = (name,) if isinstance(name, str) else tuple(name)
    return Owner(fid, n, names, lines or ("PO BOX 7",), city, state, zip, country)


def gathered(parcels, owners, *, premises_owners=(), **settings):
    listed = [listed for listed, _ in parcels]
    records = {record.fid: record for _, record in parcels} | {PREMISES.fid: PREMISES}
    by_fid = {fid: tuple(one for one in owners if one.parcel_fid == fid) for fid in records}
    by_fid[PREMISES.fid] = tuple(premises_owners)
    fids = [parcel.fid for parcel in listed]
    told = {fid: Told(RULE, mail) for fid, mail in (dict.fromkeys(fids, "first_class") | settings.pop("mail", {})).items()}
    if settings.pop("residents", False):
        settings |= {"residents": dict.fromkeys(fids, Told(RULE, "first_class")), "premises_residents": Told(RULE, "first_class")}
    return gather(listed, records, by_fid, premises=[PREMISES], told=told, **settings)


def of_role(result: Gathered, role):
    return [recipient for recipient in result.recipients if recipient.role == role]


def codes(result: Gathered):
    """Return what is said of the parcels of the list."""
    return {warning.code: warning.parcels for warning in result.warnings if warning.code != "applicant_unknown"}


class TestOwners:
    def test_words_of_the_roll_are_kept_as_they_are(self):
        odd = Owner(
            2, 1, ("  o'Brien,  Müller & Söhne ", "c/o Smith"), ("12 1/2 main st.", "P.O. Box 4"), "Naples ", "ny", "14512-0004"
        )
        (piece,) = gathered([parcel(2)], [odd]).recipients
        assert (piece.names, piece.address, piece.city, piece.state, piece.zip) == (
            odd.names,
            odd.address,
            "Naples ",
            "ny",
            "14512-0004",
        )

    @pytest.mark.parametrize(
        ("first", "second"),
        [
            (owner(2, "Doe, Jane", "12 Main Street"), owner(3, "DOE JANE", "12 MAIN ST.")),
            (owner(2, "A & B FARMS", "P.O. Box 7"), owner(3, "A and B Farms", "PO BOX 7")),
            (owner(2, "DOE JANE", "12 MAIN ST APT 3", zip="14512"), owner(3, "DOE JANE", "12 MAIN ST #3", zip="14512-1234")),
            (owner(2, country="USA"), owner(3)),
        ],
    )
    def test_two_parcels_share_a_piece_when_names_and_full_addresses_are_equal(self, first, second):
        (piece,) = gathered([parcel(3, 90.0), parcel(2, 40.0)], [first, second]).recipients
        assert piece.parcels == ("L2", "L3")
        assert piece.names == first.names, "the words are those of the nearest parcel"
        assert (piece.distance_ft, piece.relation, piece.situs) == (40.0, "within", "2 HILL RD; 3 HILL RD")

    @pytest.mark.parametrize(
        "second",
        [
            owner(3, "DOE JOHN"),
            owner(3, ["DOE JANE", "DOE JOHN"]),
            owner(3, "JANE DOE"),
            owner(3, "DOE JANE", "PO BOX 8"),
            owner(3, "DOE JANE", "PO BOX 7", "HILL RD"),
            owner(3, city="PRATTSBURGH"),
            owner(3, state="NJ"),
            owner(3, zip="14513"),
            owner(3, country="CANADA"),
            owner(3, zip=""),
        ],
    )
    def test_any_difference_keeps_two_pieces(self, second):
        assert len(of_role(gathered([parcel(2), parcel(3)], [owner(2), second]), "owner")) == 2

    @pytest.mark.parametrize("blank", [owner(2, ""), owner(2, "DOE JANE", "  "), owner(2, city="", zip=""), owner(2, "***")])
    def test_what_is_not_filled_is_never_equal(self, blank):
        result = gathered([parcel(2), parcel(3)], [blank, replace(blank, parcel_fid=3)])
        assert len(of_role(result, "owner")) == 2

    def test_a_second_owner_with_an_own_address_is_a_second_piece(self):
        result = gathered([parcel(2)], [owner(2), owner(2, "DOE JOHN", "9 ELM ST", n=2)])
        assert [piece.names for piece in of_role(result, "owner")] == [("DOE JANE",), ("DOE JOHN",)]
        assert result.owners == {2: 2}

    def test_numbers_run_nearest_first_whatever_order_the_parcels_come_in(self):
        parcels = [parcel(4, 300.0), parcel(2, 20.5), parcel(3, 20.4)]
        owners = [owner(fid, f"OWNER {fid}") for fid in (2, 3, 4)]
        result = gathered(parcels, owners)
        assert result == gathered(parcels[::-1], owners[::-1])
        assert [(piece.number, piece.parcels) for piece in result.recipients] == [(1, ("L3",)), (2, ("L2",)), (3, ("L4",))]

    @pytest.mark.parametrize("bad", [owner(2, "DOE JANE", ""), owner(2, city="", zip=""), owner(2, "", city="", zip="")])
    def test_an_owner_without_an_address_stays_on_the_list_and_is_said(self, bad):
        bad = replace(bad, address=tuple(line for line in bad.address if line), names=tuple(name for name in bad.names if name))
        result = gathered([parcel(2)], [bad])
        (piece,) = of_role(result, "owner")
        assert piece.mail == "first_class"
        assert "unmailable" in piece.review
        assert codes(result)["unmailable"] == ("L2",)
        (warning,) = [one for one in result.warnings if one.code == "unmailable"]
        assert warning.text.startswith("1 owner: 0 letters, 1 cannot be mailed. ")
        assert not piece.mailable

    def test_the_warning_says_how_many_of_how_many_cannot_be_mailed(self):
        parcels = [parcel(2, 10.0), parcel(3, 20.0), parcel(4, 30.0)]
        result = gathered(parcels, [owner(2), owner(3, "ROE RAY", city="", zip=""), owner(4, "POE PAT")], residents=True)
        (warning,) = [one for one in result.warnings if one.code == "unmailable"]
        assert warning.text.startswith("3 owners: 2 letters, 1 cannot be mailed. ")
        assert [one.words for one in count_roles(result.recipients)] == [
            "3 owners: 2 letters, 1 cannot be mailed",
            "3 residents: 3 letters",
        ]

    def test_who_waits_for_a_decision_is_counted_apart_and_the_applicant_not_at_all(self):
        result = gathered(
            [parcel(2, 10.0), parcel(3, 20.0)], [owner(2), owner(3, "ROE RAY")], premises_owners=[owner(1, "FAIR CO")]
        )
        held = tuple(replace(one, mail="none") if one.number == 2 else one for one in result.recipients)
        assert [one.words for one in count_roles(held)] == ["2 owners: 1 letter, 1 held back"]
        assert [one.words for one in count_roles(())] == ["0 owners: 0 letters"]

    def test_whom_no_letter_reaches_comes_after_all_who_are_mailed_and_before_the_applicant(self):
        parcels = [parcel(2, 10.0), parcel(3, 20.0), parcel(4, 30.0)]
        owners = [owner(3, city="", zip=""), owner(4)]
        result = gathered(parcels, owners, premises_owners=[owner(1, "FAIR CO")], residents=True)
        assert [(piece.number, piece.role, piece.parcels) for piece in result.recipients] == [
            (1, "owner", ("L4",)),
            (2, "resident", ("L2",)),
            (3, "resident", ("L3",)),
            (4, "resident", ("L4",)),
            (5, "owner", ("L2",)),
            (6, "owner", ("L3",)),
            (7, "applicant", ("P",)),
        ]
        assert [piece.number for piece in result.recipients if "unmailable" in piece.review] == [5, 6]

    def test_an_address_without_a_name_goes_to_the_propertys_owner_in_the_towns_words(self):
        nameless = replace(owner(2), names=())
        (piece,) = of_role(gathered([parcel(2)], [nameless], unnamed_owner="OWNER OF THE PROPERTY"), "owner")
        assert (piece.names, piece.review, piece.mailable) == (("OWNER OF THE PROPERTY",), ("owner_unnamed",), True)

    @pytest.mark.parametrize("name", ["DOE JOHN &", "DOE JOHN AND", "DOE JOHN C/O", "DOE JOHN ATTENTION", "DOE JOHN or"])
    def test_a_name_that_ends_where_another_should_follow_is_said(self, name):
        assert codes(gathered([parcel(2)], [owner(2, name)]))["name_cut"] == ("L2",)

    @pytest.mark.parametrize("name", ["ANDERSON", "ACME LLC,", "ROLAND", "DOE JOHN & MARY", "MAJOR", "SMITH & CO"])
    def test_a_whole_name_is_not(self, name):
        assert "name_cut" not in codes(gathered([parcel(2)], [owner(2, name)]))

    def test_what_import_changed_in_an_address_is_said(self):
        assert codes(gathered([parcel(2)], [replace(owner(2), changed=("zip_completed",))]))["zip_completed"] == ("L2",)

    def test_a_lot_without_an_owner_is_a_line_of_the_list(self):
        result = gathered([parcel(2)], [])
        (piece,) = of_role(result, "owner")
        assert (piece.names, piece.parcels, piece.review) == ((), ("L2",), ("owner_unknown", "unmailable"))
        assert {"owner_unknown", "unmailable"} <= set(codes(result))

    def test_a_street_without_an_owner_is_said_and_an_owned_one_is_mailed(self):
        result = gathered([parcel(2, role="right_of_way"), parcel(3, role="railroad")], [owner(3, "LONG LAKE RR")])
        assert [piece.names for piece in of_role(result, "owner")] == [("LONG LAKE RR",)]
        assert codes(result)["no_owner_right_of_way"] == ("L2",)

    def test_an_address_abroad_is_whole_without_a_state(self):
        result = gathered(
            [parcel(2)], [owner(2, "ROY LUC", "4 RUE A", city="MONTREAL QC", state="", zip="H2X 1Y4", country="CANADA")]
        )
        assert of_role(result, "owner")[0].country == "CANADA"
        assert not codes(result)

    def test_a_postal_code_from_abroad_without_a_country_is_said(self):
        result = gathered([parcel(2)], [owner(2, "ROY LUC", "4 RUE A", city="MONTREAL", state="QC", zip="H2X 1Y4")])
        assert codes(result) == {"country_missing": ("L2",)}
        assert of_role(result, "owner")[0].review == ("country_missing",)

    def test_held_parcels_are_listed_and_not_mailed(self):
        result = gathered([parcel(2), parcel(3)], [owner(2), owner(3, "ROE RAY")], mail={3: "none"})
        assert [(piece.mail, piece.review) for piece in of_role(result, "owner")] == [("first_class", ()), ("none", ("held",))]

    def test_a_piece_with_one_parcel_that_is_not_held_is_mailed(self):
        for third in ("none", "certified"):
            (piece,) = gathered([parcel(2), parcel(3)], [owner(2), owner(3)], mail={3: third}).recipients
            assert (piece.parcels, piece.mail) == (("L2", "L3"), "certified" if third == "certified" else "first_class")


class TestPremises:
    def test_owners_of_the_premises_are_listed_last_and_not_mailed(self):
        result = gathered([parcel(2)], [owner(2)], premises_owners=[owner(1, "FAIR CO")])
        piece = result.recipients[-1]
        assert (piece.number, piece.role, piece.mail, piece.parcels, piece.relation) == (
            2,
            "applicant",
            "none",
            ("P",),
            "premises",
        )

    def test_the_same_owner_next_door_is_mailed_for_that_parcel(self):
        result = gathered([parcel(2)], [owner(2, "FAIR CO")], premises_owners=[owner(1, "FAIR CO")])
        assert [(piece.role, piece.mail, piece.parcels) for piece in result.recipients] == [
            ("owner", "first_class", ("L2",)),
            ("applicant", "none", ("P",)),
        ]
        assert codes(result)["applicant_owns_neighbour"] == ("L2",)

    def test_premises_without_an_owner_are_said(self):
        (warning,) = gathered([], []).warnings
        assert (warning.code, warning.parcels) == ("applicant_unknown", ("P",))

    def test_a_tenant_of_the_premises_is_a_resident_within_the_distance(self):
        lived_in = replace(
            PREMISES, property_class="112", nys_class="112", situs=Situs("1 FAIR RD", "1", "FAIR RD", "", "NAPLES", "NY", "14512")
        )
        records = {1: lived_in}
        result = gather(
            [], records, {1: (owner(1, "FAIR CO"),)}, premises=[lived_in], told={}, premises_residents=Told(RULE, "first_class")
        )
        (piece,) = of_role(result, "resident")
        assert (piece.address, piece.mail, piece.relation, piece.parcels) == (("1 FAIR RD",), "first_class", "premises", ("P",))
        assert codes(result)["premises_residents"] == ("P",)

    def test_the_applicant_at_home_gets_no_letter(self):
        lived_in = replace(
            PREMISES, property_class="112", nys_class="112", situs=Situs("1 FAIR RD", "1", "FAIR RD", "", "NAPLES", "NY", "14512")
        )
        result = gather(
            [],
            {1: lived_in},
            {1: (owner(1, "FAIR CO", "1 Fair Road"),)},
            premises=[lived_in],
            told={},
            premises_residents=Told(RULE, "first_class"),
        )
        assert not of_role(result, "resident")


class TestResidentsByHouseNumber:
    def residents(self, listed, *owners, **settings):
        return gathered([listed], owners, residents=True, **settings)

    def test_the_letter_goes_to_the_property_and_never_to_the_owner(self):
        (piece,) = of_role(self.residents(parcel(2), owner(2)), "resident")
        assert (piece.names, piece.address, piece.city, piece.zip) == (("CURRENT RESIDENT",), ("2 HILL RD",), "NAPLES", "14512")
        assert piece.reasons == (RULE,)

    def test_none_where_the_rule_does_not_ask(self):
        assert not of_role(gathered([parcel(2)], [owner(2)]), "resident")

    @pytest.mark.parametrize("code", ["311", "322", "300", "692", "822", "843", "910", "961", "972"])
    def test_nobody_lives_there(self, code):
        result = self.residents(parcel(2, property_class=code), owner(2))
        assert not of_role(result, "resident")
        assert codes(result)["not_lived_in"] == ("L2",)

    @pytest.mark.parametrize("code", ["", "112", "210", "270", "418", "449", "534", "620", "710", "1010", "R1"])
    def test_somebody_may_live_there(self, code):
        assert len(of_role(self.residents(parcel(2, property_class=code), owner(2)), "resident")) == 1

    @pytest.mark.parametrize("code", ["210", "215", "240", "250", "260", "210.01"])
    def test_a_one_family_house_whose_owner_gets_mail_there_has_no_second_letter(self, code):
        assert not of_role(self.residents(parcel(2, property_class=code), owner(2, "DOE JANE", "2 Hill Road")), "resident")

    @pytest.mark.parametrize("code", ["", "112", "220", "270", "280", "411", "484", "471"])
    def test_any_other_property_keeps_its_resident_beside_its_owner(self, code):
        assert len(of_role(self.residents(parcel(2, property_class=code), owner(2, "DOE JANE", "2 HILL RD")), "resident")) == 1

    @pytest.mark.parametrize(
        "mail",
        [
            owner(2, "DOE JANE", "2 HILL RD", "PO BOX 7"),
            owner(2, "DOE JANE", "2 HILL RD APT 1"),
            owner(2, "DOE JANE", "2 HILL ST"),
            owner(2, "DOE JANE", "2 HILL RD", zip="10001"),
            owner(2, "DOE JANE", "2 HILL RD", zip="", city="BROOKLYN"),
            owner(2, "DOE JANE", "2 HILL RD", country="CANADA"),
            owner(2, "DOE JANE", "22 HILL RD"),
        ],
    )
    def test_in_doubt_the_resident_is_kept(self, mail):
        assert len(of_role(self.residents(parcel(2), mail), "resident")) == 1

    @pytest.mark.parametrize(
        ("line", "kept"),
        [
            ("2 HILL RD NAPLES", 0),
            ("2 HILL RD PENN YAN", 0),
            ("2 HILL RD REAR NAPLES", 1),
            ("2 HILL RD 2 NAPLES", 1),
            ("2 HILL RD N", 1),
        ],
    )
    def test_a_city_left_on_the_line_by_a_layer_of_one_string(self, line, kept):
        assert len(of_role(self.residents(parcel(2), owner(2, "DOE JANE", line, city="")), "resident")) == kept

    @pytest.mark.parametrize("code", ["220", "230", "280", "281", "283", "411", "416", "480", "483"])
    def test_several_dwellings_are_said(self, code):
        result = self.residents(parcel(2, property_class=code), owner(2, "DOE JANE", "2 HILL RD"))
        assert len(of_role(result, "resident")) == 1
        assert codes(result)["units_unknown"] == ("L2",)

    @pytest.mark.parametrize(
        "situs",
        [Situs(), Situs("HILL RD", "", "HILL RD"), Situs("0 HILL RD", "0", "HILL RD"), Situs("5TH AVE"), Situs("OFF HILL RD")],
    )
    def test_no_house_number_is_said(self, situs):
        result = self.residents(parcel(2, situs=situs), owner(2))
        assert not of_role(result, "resident")
        assert codes(result)["no_house_number"] == ("L2",)

    @pytest.mark.parametrize(
        ("situs", "line"),
        [
            (Situs("12-14 MAIN ST", "12-14", "MAIN ST"), "12-14 MAIN ST"),
            (Situs("12 1/2 MAIN ST"), "12 1/2 MAIN ST"),
            (Situs("53 COMMONWEALTH BLVD FLORAL PARK 11001", "53", "Commonwealth Blvd"), "53 Commonwealth Blvd"),
            (Situs("12 MAIN ST", "12", "MAIN ST", "2B"), "12 MAIN ST # 2B"),
            (Situs("12 MAIN ST", "12", "MAIN ST", "APT 2B"), "12 MAIN ST APT 2B"),
            (Situs("5 COUNTY ROAD 5", "5", "COUNTY ROAD 5", "5"), "5 COUNTY ROAD 5 # 5"),
        ],
    )
    def test_the_address_is_the_propertys_own(self, situs, line):
        (piece,) = of_role(self.residents(parcel(2, situs=replace(situs, city="NAPLES", zip="14512")), owner(2)), "resident")
        assert piece.address == (line,)

    def test_an_owner_at_the_same_address_is_never_merged_with_a_resident(self):
        result = self.residents(parcel(2, property_class="411"), owner(2, "CURRENT RESIDENT", "2 HILL RD"))
        assert [piece.role for piece in result.recipients] == ["owner", "resident"]

    def test_a_street_parcel_has_no_residents(self):
        assert not of_role(self.residents(parcel(2, role="right_of_way"), owner(2)), "resident")


class TestResidentsPlace:
    def test_city_and_zip_come_from_owners_nearby_who_agree(self):
        bare = [parcel(fid, situs=Situs(f"{fid} HILL RD", str(fid), "HILL RD")) for fid in (2, 3)]
        result = gathered(bare, [owner(2, "DOE JANE", "2 HILL RD"), owner(3, "ROE RAY")], residents=True)
        (piece,) = of_role(result, "resident")
        assert (piece.parcels, piece.city, piece.state, piece.zip) == (("L3",), "NAPLES", "NY", "14512")
        assert piece.review == ("resident_place_assumed",)
        assert codes(result)["resident_place_assumed"] == ("L3",)

    def test_owners_nearby_who_differ_leave_it_open(self):
        bare = [parcel(fid, situs=Situs(f"{fid} HILL RD", str(fid), "HILL RD")) for fid in (2, 3, 4)]
        owners = [owner(2, "A", "2 HILL RD"), owner(3, "B", "3 HILL RD", city="PENN YAN", zip="14527"), owner(4, "C")]
        result = gathered(bare, owners, residents=True)
        (piece,) = of_role(result, "resident")
        assert piece.review == ("unmailable", "resident_address_incomplete")
        assert codes(result)["resident_address_incomplete"] == ("L4",)

    def test_the_town_file_stands_in_for_its_own_properties_only(self):
        town = TownPlace("NAPLES", "NY", "14512", ("5724",))
        bare = Situs("2 HILL RD", "2", "HILL RD")
        result = gathered([parcel(2, situs=bare), parcel(3, situs=bare, swis="329900")], [], residents=True, town_place=town)
        one, other = [piece for piece in of_role(result, "resident") if piece.parcels[0] in {"L2", "L3"}]
        assert (one.city, one.state, one.zip, one.review) == ("NAPLES", "NY", "14512", ("resident_place_from_town",))
        assert (other.city, other.zip) == ("", "")
        assert codes(result)["resident_address_incomplete"] == ("L3",)

    def test_what_the_layer_says_is_never_overruled(self):
        here = parcel(3, situs=Situs("3 HILL RD", "3", "HILL RD", "", "PRATTSBURGH", "NY", ""))
        result = gathered([parcel(2), here], [owner(2, "A", "2 HILL RD"), owner(3, "B")], residents=True)
        (piece,) = of_role(result, "resident")
        assert (piece.city, piece.zip, piece.review) == ("PRATTSBURGH", "", ("resident_address_incomplete",))


class TestAddressPoints:
    def point(self, number="2", unit="", **changes):
        return replace(AddressPoint(2, number, "HILL RD", unit, "NAPLES", "NY", "14512"), **changes)

    def residents(self, *points, **changes):
        result = gathered([parcel(2, **changes)], [owner(2, "DOE JANE", "2 HILL RD")], residents=True, points={2: points})
        return of_role(result, "resident"), codes(result), result

    def test_one_letter_for_each_point(self):
        pieces, said, result = self.residents(self.point(unit="1"), self.point(unit="2"), self.point("2A"))
        assert [piece.address[0] for piece in pieces] == ["2 HILL RD # 1", "2 HILL RD # 2", "2A HILL RD"]
        assert not said.get("units_unknown")
        assert result.residents == {2: 3, 1: 0}

    def test_points_count_whatever_the_class(self):
        pieces, _, _ = self.residents(self.point(), property_class="311")
        assert len(pieces) == 1

    def test_points_that_repeat_one_another_are_one_and_said(self):
        pieces, said, _ = self.residents(self.point(), self.point(street="Hill Road"))
        assert len(pieces) == 1
        assert said["duplicate_points"] == ("L2",)

    def test_an_apartment_house_with_one_point_has_unknown_units(self):
        _, said, _ = self.residents(self.point(), property_class="411")
        assert said["units_unknown"] == ("L2",)

    def test_a_point_without_city_takes_the_propertys(self):
        pieces, _, _ = self.residents(self.point(city="", zip=""))
        assert (pieces[0].city, pieces[0].zip) == ("NAPLES", "14512")

    def test_a_point_with_its_address_in_one_text(self):
        pieces, _, _ = self.residents(self.point("", street="", text="2 HILL RD UPPER"))
        assert pieces[0].address == ("2 HILL RD UPPER",)

    def test_a_point_without_any_address_is_said(self):
        pieces, said, _ = self.residents(self.point("", street=""), situs=Situs("HILL RD"))
        assert not pieces
        assert said["no_house_number"] == ("L2",)

    def test_a_house_without_a_point_keeps_its_letter_and_is_said(self):
        pieces, said, _ = self.residents(property_class="270")
        assert [piece.address for piece in pieces] == [("2 HILL RD",)]
        assert said["no_address_point"] == ("L2",)


class TestClerks:
    def clerk(self, **changes):
        village = Municipality("Village of Sagg", "473603", 120.5, "village", "", "PO Box 3, Sagg, NY 11962", "sh.hearing_500")
        result = gathered([parcel(2)], [owner(2)], municipalities=[replace(village, **changes)], clerk_mail="certified")
        return of_role(result, "clerk")[0], codes(result)

    def test_by_title(self):
        piece, _ = self.clerk()
        assert (piece.number, piece.names, piece.mail, piece.reasons) == (
            2,
            ("Village Clerk", "Village of Sagg"),
            "certified",
            ("sh.hearing_500",),
        )
        assert (piece.address, piece.city, piece.state, piece.zip, piece.distance_ft) == (
            ("PO Box 3",),
            "Sagg",
            "NY",
            "11962",
            120.5,
        )

    def test_a_person_stands_after_the_title(self):
        assert self.clerk(clerk_name="Ann Lee")[0].names == ("Village Clerk", "Village of Sagg", "Attn: Ann Lee")

    def test_a_title_in_the_layer_is_kept(self):
        assert self.clerk(clerk_name="Clerk-Treasurer")[0].names == ("Clerk-Treasurer", "Village of Sagg")

    @pytest.mark.parametrize(
        ("kind", "name", "names"),
        [
            ("town", "East Hampton", ("Town Clerk", "Town of East Hampton")),
            ("", "Town of Naples", ("Town Clerk", "Town of Naples")),
            ("", "Naples", ("Municipal Clerk", "Naples")),
        ],
    )
    def test_the_kind(self, kind, name, names):
        assert self.clerk(kind=kind, name=name)[0].names == names

    @pytest.mark.parametrize(
        "text",
        [
            "Village Hall\nPO Box 3\nSagg NY 11962-0003",
            "Village Hall, PO Box 3, Sagg, NY 11962-0003",
            "Village Hall; PO Box 3; Sagg, NY, 11962-0003",
            "Village Hall | PO Box 3 | Sagg NY 11962-0003",
        ],
    )
    def test_an_address_in_one_text(self, text):
        piece, _ = self.clerk(clerk_address=text)
        assert (piece.address, piece.city, piece.state, piece.zip) == (("Village Hall", "PO Box 3"), "Sagg", "NY", "11962-0003")

    @pytest.mark.parametrize("text", ["", "Village Hall"])
    def test_no_address_is_said(self, text):
        piece, said = self.clerk(clerk_address=text)
        assert piece.review == ("unmailable",)
        assert "clerk_address_missing" in said


def test_counts_go_on_the_list():
    pieces = [parcel(2), parcel(3)]
    result = gathered(pieces, [owner(2), owner(3), owner(3, "ROE RAY", n=2)], residents=True)
    assert [(one.id, one.owners, one.residents) for one in counted([one for one, _ in pieces], result)] == [
        ("L2", 1, 1),
        ("L3", 2, 1),
    ]


def test_the_schedule_of_adjoining_owners_has_a_line_for_each_owner():
    records = [parcel(2)[1], parcel(3)[1]]
    lines = adjoining_owners(records, {2: (owner(2, ["DOE JANE", "C/O ROE"]), owner(2, "DOE JOHN", n=2)), 3: ()})
    assert [(line.id, line.owner) for line in lines] == [
        ("L2", "DOE JANE; C/O ROE"),
        ("L2", "DOE JOHN"),
        ("L3", "owner not known"),
    ]


words = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=12)


@given(st.lists(st.tuples(words, words, words), max_size=8))
def test_every_owner_of_every_parcel_is_on_the_list(rows):
    """Whatever the roll says, each parcel has a piece for each of its owners, in the roll's words or in words that compare equal."""
    parcels = [parcel(fid) for fid in range(2, len(rows) + 2)]
    owners = [owner(fid, name, line, zip=code) for fid, (name, line, code) in enumerate(rows, 2)]
    pieces = of_role(gathered(parcels, owners), "owner")
    for one in owners:
        mine = [piece for piece in pieces if f"L{one.parcel_fid}" in piece.parcels]
        assert len(mine) == 1
        assert normal_name(mine[0].names) in {
            normal_name(one.names),
            *([] if any(map(str.strip, one.names)) else ["PROPERTY OWNER"]),
        }
        assert [normal_line(line) for line in mine[0].address] == [normal_line(line) for line in one.address] or normal_address(
            mine[0].address, city="X"
        ) == normal_address(one.address, city="X")
    assert sum(len(piece.parcels) for piece in pieces) == len(rows)
