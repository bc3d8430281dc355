"""Public schemas are recognized whole: a made-up layer in each, with what its columns are and what its owners' labels say."""

import pyarrow as pa
import pytest

from geonotice.layers.columns.expression import field_text, flat_table
from geonotice.layers.columns.recognize import recognise
from geonotice.layers.columns.schemas import SCHEMAS
from geonotice.layers.owners import owners_of_record

ROWS = 24

# What each column of a made-up layer holds; {n} is the row's number. In brackets is the field that must be read from it.
LAYERS: dict[str, dict[str, str]] = {
    "NYS Tax Parcels": {
        "PRINT_KEY": "{n}.-1-1 [tax_map_number]", "SWIS": "572400 [swis]", "MUNI_NAME": "Italy [municipality]", "PARCEL_ADDR": "{n} MAIN ST [situs]",
        "PRIMARY_OWNER": "OWNER {n} [owner]", "MAIL_ADDR": "{n} ELM ST [mail_address]", "MAIL_CITY": "NAPLES [mail_city]", "MAIL_STATE": "NY [mail_state]",
        "MAIL_ZIP": "14512 [mail_zip]", "OWNER_TYPE": "8", "ADD_OWNER": "OTHER {n} [add_owner]",
    },
    "Wisconsin statewide parcels": {
        "STATEID": "055{n}", "PARCELID": "{n}-0123 [tax_map_number]", "TAXPARCELID": "{n}-0123", "OWNERNME1": "OWNER {n} [owner]", "OWNERNME2": "SECOND {n} [owner_2]",
        "PSTLADRESS": "{n} ELM ST, NAPLES, NY 14512 [mail_one_line]", "SITEADRESS": "{n} N OAK RD [situs]", "ADDNUM": "{n} [situs_number]", "PREFIX": "N [situs_street]",
        "STREETNAME": "OAK [situs_street]", "STREETTYPE": "RD [situs_street]", "PLACENAME": "TOWN OF TEST [municipality]", "ZIPCODE": "54401 [situs_zip]",
        "STATE": "WI [situs_state]", "PROPCLASS": "1 [property_class]", "CONAME": "MARATHON", "TAXROLLYEAR": "2026 [roll_year]",
    },
    "Local Government Model (Esri)": {
        "PARCELID": "{n}-1 [tax_map_number]", "OWNERNME1": "OWNER {n} [owner]", "OWNERNME2": "SECOND {n} [owner_2]", "PSTLADDRES": "{n} ELM ST [mail_address]",
        "PSTLADDR_1": "APT {n} [mail_address_2]", "PSTLCITY": "NAPLES [mail_city]", "PSTLSTATE": "NY [mail_state]", "PSTLZIP5": "14512 [mail_zip]",
        "PSTLZIP4": "0001 [mail_zip_4]", "SITEADDRES": "{n} OAK RD [situs]", "CVTTXDSCRP": "TOWN OF TEST [municipality]", "OWNERNAMES": "OWNER {n} SECOND {n}",
    },
    "Texas StratMap land parcels": {
        "Prop_ID": "{n} [tax_map_number]", "GEO_ID": "R{n}", "OWNER_NAME": "OWNER {n} [owner]", "NAME_CARE": "C/O BANK {n} [care_of]",
        "MAIL_ADDR": "{n} ELM ST, NAPLES, NY 14512 [mail_one_line]", "MAIL_LINE1": "", "MAIL_LINE2": "{n} ELM ST [mail_address]", "MAIL_CITY": "NAPLES [mail_city]",
        "MAIL_STAT": "NY [mail_state]", "MAIL_ZIP": "14512 [mail_zip]", "SITUS_ADDR": "{n} OAK RD, AUSTIN, TX 78701 [situs]", "SITUS_NUM": "{n} [situs_number]",
        "SITUS_STRE": "", "SITUS_ST_1": "OAK", "SITUS_ST_2": "RD", "SITUS_CITY": "AUSTIN [situs_city]", "SITUS_ZIP": "78701 [situs_zip]",
    },
    "Florida Department of Revenue roll (NAL)": {
        "PARCEL_ID": "{n}00 [tax_map_number]", "CO_NO": "11", "DOR_UC": "001 [property_class]", "OWN_NAME": "OWNER {n} [owner]", "OWN_ADDR1": "{n} ELM ST [mail_address]",
        "OWN_ADDR2": "APT {n} [mail_address_2]", "OWN_CITY": "NAPLES [mail_city]", "OWN_STATE": "NY [mail_state]", "OWN_ZIPCD": "14512 [mail_zip]", "OWN_STATE_": "FL",
        "FIDU_NAME": "TRUSTEE {n} [add_owner]", "FIDU_ADDR1": "{n} BANK ST [add_mail_address]", "FIDU_CITY": "MIAMI [add_mail_city]", "FIDU_STATE": "FL [add_mail_state]",
        "FIDU_ZIPCD": "33101 [add_mail_zip]", "PHY_ADDR1": "{n} OAK RD [situs]", "PHY_CITY": "MIAMI [situs_city]", "PHY_ZIPCD": "33101 [situs_zip]",
    },
    "North Carolina OneMap parcels": {
        "parno": "{n}9 [tax_map_number]", "altparno": "{n}", "ownname": "OWNER {n} [owner]", "ownname2": "SECOND {n} [owner_2]", "ownfrst": "", "ownlast": "",
        "mailadd": "{n} ELM ST [mail_address]", "mcity": "NAPLES [mail_city]", "mstate": "NY [mail_state]", "mzip": "14512 [mail_zip]", "siteadd": "{n} OAK RD [situs]",
        "saddno": "{n} [situs_number]", "saddstname": "OAK [situs_street]", "saddsttyp": "RD [situs_street]", "scity": "TRYON [situs_city]", "cntyname": "POLK",
        "legdecfull": "LOT {n}", "owntype": "PRIVATE",
    },
    "New Jersey MOD-IV parcels": {
        "PAMS_PIN": "0101_{n}_1 [tax_map_number]", "PCLBLOCK": "{n}", "PCLLOT": "1", "MUN_NAME": "TRENTON CITY [municipality]", "PROP_CLASS": "2 [property_class]",
        "OWNER_NAME": "OWNER {n} [owner]", "ST_ADDRESS": "{n} ELM ST [mail_address]", "CITY_STATE": "NAPLES, NY [mail_city_state_zip]", "ZIP_CODE": "14512 [mail_zip]",
        "PROP_LOC": "{n} OAK RD [situs]", "ZIP5": "08601 [situs_zip]", "COUNTY": "MERCER",
    },
    "MassGIS Level 3 parcels": {
        "LOC_ID": "F_{n}_1", "PROP_ID": "{n}-1 [tax_map_number]", "OWNER1": "OWNER {n} [owner]", "OWN_ADDR": "{n} ELM ST [mail_address]", "OWN_CITY": "NAPLES [mail_city]",
        "OWN_STATE": "NY [mail_state]", "OWN_ZIP": "14512 [mail_zip]", "OWN_CO": "", "SITE_ADDR": "{n} OAK RD [situs]", "ADDR_NUM": "{n} [situs_number]",
        "FULL_STR": "OAK RD [situs_street]", "LOCATION": "", "CITY": "LEE [situs_city]", "ZIP": "01238 [situs_zip]", "FY": "2026 [roll_year]",
    },
    "Vermont parcels": {
        "SPAN": "111-{n} [tax_map_number]", "OWNER1": "OWNER {n} [owner]", "OWNER2": "SECOND {n} [owner_2]", "ADDRGL1": "{n} ELM ST [mail_address]", "CITYGL": "NAPLES [mail_city]",
        "STGL": "NY [mail_state]", "ZIPGL": "14512 [mail_zip]", "E911ADDR": "{n} OAK RD [situs]", "LOCAPROP": "{n} OAK", "DESCPROP": "LAND & DWELLING", "TNAME": "Cornwall [municipality]",
    },
    "Connecticut parcels (CAMA)": {
        "Link": "09-{n} [tax_map_number]", "Owner": "OWNER {n} [owner]", "Co_Owner": "SECOND {n} [owner_2]", "Mailing_Address": "{n} ELM ST [mail_address]",
        "Mailing_City": "NAPLES [mail_city]", "Mailing_State": "NY [mail_state]", "Mailing_Zip": "14512 [mail_zip]", "Location": "{n} OAK RD [situs]",
        "Property_City": "KENT [situs_city]", "Property_Zip": "06757 [situs_zip]", "Town_Name": "Kent [municipality]",
    },
    "Minnesota parcel data standard": {
        "COUNTY_PIN": "20{n} [tax_map_number]", "OWNER_NAME": "OWNER {n} [owner]", "OWNER_MORE": "SECOND {n} [owner_2]", "OWN_ADD_L1": "{n} ELM ST [mail_one_line]",
        "OWN_ADD_L2": "NAPLES NY 14512 [mail_one_line]", "OWN_ADD_L3": "", "TAX_NAME": "BANK {n}", "TAX_ADD_L1": "PO BOX 9", "ANUMBER": "{n} [situs_number]",
        "ST_PRE_DIR": "W [situs_street]", "ST_NAME": "OAK [situs_street]", "ST_POS_TYP": "RD [situs_street]", "POSTCOMM": "ELY [situs_city]", "ZIP": "55731 [situs_zip]",
        "CTU_NAME": "Ely [municipality]", "CO_NAME": "SAINT LOUIS",
    },
    "Montana cadastral parcels": {
        "PARCELID": "03{n} [tax_map_number]", "OwnerName": "OWNER {n} [owner]", "OwnerAddress1": "{n} ELM ST [mail_address]", "OwnerAddress2": "APT {n} [mail_address_2]",
        "OwnerAddress3": "FLOOR {n} [mail_address_3]", "OwnerCity": "NAPLES [mail_city]", "OwnerState": "NY [mail_state]", "OwnerZipCode": "14512 [mail_zip]",
        "CareOfTaxpayer": "C/O BANK {n} [care_of]", "DbaName": "RANCH {n} [owner_2]", "AddressLine1": "{n} OAK RD [situs]", "CityStateZip": "WINNETT MT 59087 [situs]",
    },
    "Colorado public parcels": {
        "parcel_id": "8{n} [tax_map_number]", "owner": "OWNER {n} [owner]", "ownAddress": "{n} ELM ST [mail_address]", "ownAddCty": "NAPLES [mail_city]",
        "ownAddStt": "NY [mail_state]", "ownAddZpCd": "14512 [mail_zip]", "situsAdd": "{n} OAK RD [situs]", "countyName": "PARK",
    },
}  # fmt: skip


def made_up(columns: dict[str, str]) -> tuple[pa.Table, dict[str, str]]:
    """Return the layer, and the field of each column that has one."""
    table = {}
    wanted = {}
    for name, written in columns.items():
        text, _, field = written.partition(" [")
        table[name] = [text.replace("{n}", str(n)) or None for n in range(101, 101 + ROWS)]
        if field:
            wanted[name] = field.rstrip("]")
    return pa.table({name: pa.array(values, pa.string()) for name, values in table.items()}), wanted


def as_a_shapefile_cuts(names: list[str]) -> list[str]:
    """Cut names to ten characters as GDAL does: those that would be alike are numbered."""
    made: list[str] = []
    for name in names:
        short = name[:10]
        n = 1
        while short in made:
            short = f"{name[:8]}_{n}"
            n += 1
        made.append(short)
    return made


def read_from(table: pa.Table, kind: str = "parcels") -> dict[str, str]:
    from geonotice.layers.columns.expression import columns_of

    mapped = recognise(kind, table)
    assert not mapped.questions, mapped.questions
    return {column: name for name, written in mapped.fields.items() for column in columns_of(written, table.column_names)}


@pytest.mark.parametrize("name", LAYERS)
class TestASchemaOfParcels:
    def test_is_recognized_whole(self, name: str):
        table, wanted = made_up(LAYERS[name])
        assert recognise("parcels", table).schema == name
        found = read_from(table)
        assert {column: field for column, field in found.items() if table.column(column).null_count < ROWS} == wanted

    def test_is_recognized_with_names_cut_to_ten_characters(self, name: str):
        table, wanted = made_up(LAYERS[name])
        cut = dict(zip(table.column_names, as_a_shapefile_cuts(table.column_names), strict=True))
        found = read_from(table.rename_columns(list(cut.values())))
        empty = {cut[column] for column in table.column_names if table.column(column).null_count == ROWS}
        assert {column: field for column, field in found.items() if column not in empty} == {
            cut[column]: field for column, field in wanted.items()
        }

    def test_puts_every_owner_and_the_whole_address_on_the_label(self, name: str):
        table, _ = made_up(LAYERS[name])
        owners = owners_of_record(table, recognise("parcels", table)).to_pylist()
        first = [owner for owner in owners if owner["n"] == 0]
        assert len(first) == ROWS
        for n, owner in enumerate(first, 101):
            assert owner["names"].split("\n")[0] == f"OWNER {n}"
            assert ("SECOND" in str(LAYERS[name])) == (f"SECOND {n}" in owner["names"])
            assert owner["address"].split("\n").count(f"{n} ELM ST") == 1
            assert (owner["city"], owner["state"], owner["zip"][:5]) == ("NAPLES", "NY", "14512")


def test_every_schema_has_its_layer():
    assert {schema.name for schema in SCHEMAS if schema.kind == "parcels"} - {"RPS export"} == set(LAYERS)


class TestAddressPoints:
    def test_of_nena_have_the_whole_street(self):
        table = pa.table({
            "AddNum_Pre": ["", "W"], "Add_Number": ["1", "3"], "AddNum_Suf": ["", "1/2"], "St_PreDir": ["North", ""], "St_PreTyp": ["", "County Road"],
            "St_Name": ["Main", "12"], "St_PosTyp": ["Street", ""], "St_PosDir": ["", "East"], "Unit": ["Apartment 2", ""], "Inc_Muni": ["Italy", "Italy"],
            "Post_Comm": ["Naples", "Naples"], "State": ["NY", "NY"], "Post_Code": ["14512", "14512"],
        })  # fmt: skip
        mapped = recognise("address_points", table)
        assert mapped.schema == "NENA NG9-1-1 address points"
        assert field_text(table, mapped.column("street")).to_pylist() == ["North Main Street", "County Road 12 East"]
        assert field_text(table, mapped.column("number")).to_pylist() == ["1", "W3 1/2"]
        assert [mapped.column(name) for name in ("unit", "city", "state", "zip")] == ["Unit", "Post_Comm", "State", "Post_Code"]

    def test_of_openaddresses_have_their_state_and_zip(self):
        names = ["hash", "number", "street", "unit", "city", "district", "region", "postcode", "id"]
        table = pa.table({name: [name, f"{name} 2"] for name in names})
        assert recognise("address_points", table).fields == {
            "number": "number", "street": "street", "unit": "unit", "city": "city", "state": "region", "zip": "postcode",
        }  # fmt: skip

    def test_with_a_street_in_pieces_of_any_name_have_the_whole(self):
        table = pa.table(
            {
                "HOUSENUM": ["1", "2"],
                "PRE_DIR": ["N", ""],
                "ST_NAME": ["OAK", "ELM"],
                "ST_TYPE": ["RD", "ST"],
                "CITY": ["LEE", "LEE"],
            }
        )
        mapped = recognise("address_points", table)
        assert field_text(table, mapped.column("street")).to_pylist() == ["N OAK RD", "ELM ST"]

    def test_whose_street_has_its_type_already_do_not_say_it_twice(self):
        table = pa.table({"HOUSENUM": ["1", "2"], "ST_NAME": ["OAK RD", "ELM ST"], "ST_TYPE": ["RD", "ST"]})
        assert recognise("address_points", table).column("street") == "ST_NAME"


class TestObjectsInAColumn:
    def test_are_columns_of_their_own(self):
        cell = '{"name": "ANN LEE", "mailing_address": {"street": "1 ELM ST", "city": "NAPLES", "state": "NY", "zip": "14512"}}'
        table = flat_table(pa.table({"PIN": ["1", "2"], "owner": [cell, cell.replace("ANN", "BOB")]}))
        owners = owners_of_record(table, recognise("parcels", table)).to_pylist()
        assert [owner["names"] for owner in owners] == ["ANN LEE", "BOB LEE"]
        assert {(owner["address"], owner["city"], owner["state"], owner["zip"]) for owner in owners} == {
            ("1 ELM ST", "NAPLES", "NY", "14512")
        }

    def test_in_a_list_are_several_owners(self):
        cell = '[{"name": "ANN LEE"}, {"name": "BOB ROE"}, {"name": "CY FOX"}]'
        table = flat_table(
            pa.table({"PIN": ["1", "2"], "owners": [cell, cell], "MAIL_ADDR": ["1 ELM ST"] * 2, "MAIL_CITY": ["NAPLES"] * 2})
        )
        owners = owners_of_record(table, recognise("parcels", table)).to_pylist()
        assert owners[0]["names"] == "ANN LEE\nBOB ROE\nCY FOX"

    def test_lists_of_numbers_stay_as_they_are(self):
        table = pa.table({"PIN": ["1"], "areas": ["[1.5, 2.5]"]})
        assert flat_table(table) is table


class TestALayerOfNoSchema:
    """What no list has is told by the words of its name, or asked: no owner is passed over in silence."""

    def table(self, **columns: str) -> pa.Table:
        return made_up(columns)[0]

    def test_is_read_by_the_words_of_its_names(self):
        table = self.table(
            UPI="5-{n}", OWN_NAME1="SMITH ANN {n}", OWNR_ADR="{n} ELM ST", OWNR_CTY="LEE", OWNR_STAT="NY", OWNR_ZIPCD="14512"
        )
        assert read_from(table) == {
            "UPI": "tax_map_number", "OWN_NAME1": "owner", "OWNR_ADR": "mail_address", "OWNR_CTY": "mail_city", "OWNR_STAT": "mail_state",
            "OWNR_ZIPCD": "mail_zip",
        }  # fmt: skip

    def test_has_its_names_joined_from_first_and_last(self):
        table = self.table(PIN="{n}", FNAME="ANN", LNAME="SMITH{n}", ADDR1="{n} ELM ST", CITY="LEE", ST="NY", ZIP="14512")
        (owner, *_) = owners_of_record(table, recognise("parcels", table)).to_pylist()
        assert (owner["names"], owner["address"], owner["city"], owner["state"]) == ("ANN SMITH101", "101 ELM ST", "LEE", "NY")

    def test_keeps_every_owner_of_several_and_asks_about_one_more(self):
        owners = {f"OWNER{n}": f"OWNER NUMBER {n} OF {{n}}" for n in range(1, 6)}
        table = self.table(PIN="{n}", **owners, LIFE_TENANT="FOX {n} CY", MAILADDR="{n} ELM ST", MAILCSZ="LEE NY 14512")
        mapped = recognise("parcels", table)
        assert [question.field for question in mapped.questions] == ["owner_6"]
        assert owners_of_record(table, mapped).to_pylist()[0]["names"].count("\n") == 4

    def test_with_a_second_owners_own_address_has_two_owners(self):
        table = self.table(
            PIN="{n}", OWNER_1_NAME="A {n}", OWNER_1_ADDRESS="{n} ELM ST", OWNER_1_CITY="LEE", OWNER_1_STATE="NY", OWNER_1_ZIP="14512",
            OWNER_2_NAME="B {n}", OWNER_2_ADDRESS="{n} FIR ST", OWNER_2_CITY="AVON", OWNER_2_STATE="NY", OWNER_2_ZIP="14414",
        )  # fmt: skip
        owners = owners_of_record(table, recognise("parcels", table)).to_pylist()[:2]
        assert [(owner["names"], owner["address"], owner["city"]) for owner in owners] == [
            ("A 101", "101 ELM ST", "LEE"),
            ("B 101", "101 FIR ST", "AVON"),
        ]

    def test_with_the_whole_address_beside_its_street_does_not_print_the_street_twice(self):
        table = self.table(
            PIN="{n}",
            OWNER="A {n}",
            MAIL_ADDR="{n} ELM ST, LEE, NY 14512",
            MAIL_LINE2="{n} ELM ST",
            MAIL_CITY="LEE",
            MAIL_ZIP="14512",
        )
        assert owners_of_record(table, recognise("parcels", table)).to_pylist()[0]["address"] == "101 ELM ST"

    def test_of_columns_without_any_sense_is_asked_about(self):
        table = self.table(APN="{n}", F1="SMITH ANN {n}", F2="{n} ELM ST", F3="RENO NV", F4="89501")
        asked = {question.field: question.columns for question in recognise("parcels", table).questions}
        assert asked == {"owner": ("F1",), "mail_address": ("F2",), "mail_city_state_zip": ("F3",), "mail_zip": ("F4",)}

    def test_of_codes_and_descriptions_is_not(self):
        table = self.table(
            PIN="{n}",
            OWNER_TYPE="PRIVATE PERSON",
            LEGAL_DESC="LOT {n} OF PLAT",
            SCHOOL_DIST="PENN YAN",
            ZONING="R 1",
            SITE_ADDR="{n} OAK RD",
            USE_DESC="ONE FAMILY",
        )
        assert not recognise("parcels", table).questions
