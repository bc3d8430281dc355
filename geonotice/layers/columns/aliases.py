"""What the columns of parcel layers, rolls and other layers are called, as assessors and States publish them.

Names are written with their underscores, because a Shapefile cuts them to ten characters with the underscores in place
(``PRIMARY_OWNER`` becomes ``PRIMARY_OW``). Case, underscores, spaces and a year in front or behind do not count.
Order matters only for the key (:data:`KEY_COLUMNS`); elsewhere two columns that fit one field and say different things are a question.
"""

KEY_COLUMNS = (
    "PRINT_KEY", "PRINTKEY", "PRINT_KEY_CODE", "SBL", "SWIS_SBL_ID", "SWIS_PRINT_KEY_ID", "PIN", "PARCELKEY", "PARCEL", "PARID",
    "TAX_MAP_NUMBER", "TAX_MAP_NO", "TAX_MAP_NUM", "TAX_MAP_ID", "TAX_MAP", "TAXMAP", "TAXMAPNUM", "TMP", "TAX_ID", "TAXID", "TAX_PIN", "TAXPIN",
    "SCTM", "SCTM_NUMBER", "DSBL", "DSBL_ID", "SECTION_BLOCK_LOT", "SBL_ID", "PIN_SBL", "TAX_PARCEL_ID", "TAX_PARCEL", "TAXPARCELID", "TAX_PARCEL_NUMBER",
    "PARCEL_ID", "PARCELID", "PARCEL_NUMBER", "PARCEL_NUM", "PARCEL_NO", "PARCELNO", "PARCELNUMB", "PARCEL_KEY", "PARCEL_PIN", "PRCL_ID", "PRCLID",
    "MUNI_PARCEL_ID", "APN", "PARNO", "PARCELNB", "PCL_ID", "GPIN", "PID", "PID_NUM", "PROP_ID", "PROPERTY_ID", "MAP_PAR_ID", "LOC_ID", "SPAN", "GIS_LINK",
    "PARCEL_ID_NR", "UPI", "FOLIO", "FOLIO_NUMBER", "FOLIO_NO", "STRAP", "AIN", "PPIN", "MBLU", "ASSESSOR_PARCEL_NUMBER", "MAP_BLOCK_LOT", "MAP_LOT", "MAPLOT", "MAP_BLK_LOT", "MAP_BK_LOT", "MAP_TAXLOT", "MAP_TAX_LOT", "TLID", "TAXLOT_ID", "TAXLOTID", "TAXLOT", "PARCEL_GRID", "STANPAR", "MBL", "BBL", "BLOCK_LOT", "PAMS_PIN", "UNIQUE_ID", "ACCOUNT_NUMBER", "ACCOUNTNUM", "ID",
)  # fmt: skip
"""The key, in order of preference: the first that is filled and unique on 98 % of rows. The first ten are fixed by the plan."""

PARCEL_ALIASES: dict[str, tuple[str, ...]] = {
    "swis": ("SWIS", "SWIS_CODE", "SWISCODE", "SWIS_CD"),
    "role": (),
    "municipality": (
        "MUNI_NAME", "MUNICIPALITY_NAME", "MUNICIPALITY", "MUNI", "CITYTOWN_NAME", "CITY_TOWN_NAME", "TOWN_NAME", "TOWN", "TOWNNAME",
        "LOC_MUNI_NAME", "MUNICIPAL_NAME",
    ),
    "property_class": (
        "PROP_CLASS", "PROPERTY_CLASS", "PROPERTY_CLASS_CODE", "PROP_CLASS_CODE", "PROPCLASS", "PROP_CLS", "PROPERTYCLASS", "T_PROP_CLASS_CODE_FULL",
        "PROPERTY_CLASS_CD", "CLASS_CODE", "PCLASS", "PROP_CL", "CURRENT_PROPERTY_CLASS",
    ),
    "ownership": (),  # its columns are OWNERSHIP_COLUMNS
    "roll_year": ("ROLL_YR", "ROLL_YEAR", "ASSESSMENT_YEAR", "TAX_YEAR", "ROLLYEAR", "ROLLYR", "ASSESS_YR", "FISCAL_YEAR", "FY"),
    "roll_section": ("ROLL_SECTION", "ROLL_SECT", "ROLLSECTION", "ROLL_SEC"),
    "owner": (
        "PRIMARY_OWNER", "PRIMARY_OWNER_NAME", "OWNER", "OWNER_NAME", "OWNERNAME", "OWNER1", "OWNER_1", "OWNER_NAME_1", "OWNER_NAME1", "OWNERNAME1", "OWNNAME",
        "OWN_NAME", "OWNNAME1", "OWN1", "OWNERS", "OWNER_NAMES", "OWNERS_NAME", "COUNTY_OWNER", "PROPERTY_OWNER", "PROPERTY_OWNER_NAME", "PROP_OWNER",
        "CURRENT_OWNER", "CUR_OWNER", "OWNER_OF_RECORD", "OWNER_FULL_NAME", "OWNERFULLNAME", "OWNER_FULL", "NAME_OWNER", "TAXPAYER", "TAXPAYER_NAME",
        "OWNER_LINE_1", "OWNER_LINE1", "MAILING_NAME", "DEED_OWNER", "OWNERNME1", "GRANTEE_OWNER", "OWNER_NM", "PRIMARYOWNER", "NAME_1", "NAME1",
    ),
    "owner_2": (
        "OWNER2", "OWNER_2", "OWNER_NAME_2", "OWNER_NAME2", "OWNERNAME2", "OWNNAME2", "OWN2", "CO_OWNER", "COOWNER", "CO_OWNER_NAME", "COOWNERS", "SECOND_OWNER",
        "SECONDARY_OWNER", "JOINT_OWNER", "OWNER_LINE_2", "OWNER_LINE2", "OWNERNME2", "NAME_2", "NAME2",  "ADDL_OWNER",
    ),
    **{
        f"owner_{n}": (
            f"OWNER{n}", f"OWNER_{n}", f"OWNER_NAME_{n}", f"OWNER_NAME{n}", f"OWNERNAME{n}", f"OWNNAME{n}", f"OWN{n}", f"OWNERNME{n}", f"NAME_{n}", f"NAME{n}",
            f"OWNER_LINE_{n}", f"OWNER_LINE{n}",
        )
        for n in range(3, 10)
    },
    "care_of": (
        "CARE_OF", "CAREOF", "OWNER_CAREOF", "OWNER_CARE_OF", "CO_NAME", "C_O", "NAME_CARE", "CARE_OF_NAME", "CAREOFTAXPAYER", "IN_CARE_OF", "MAIL_CARE_OF", "ATTENTION_TO", "ATTENTION_TO_IN_CARE_OF",
        "ATTENTION", "ATTN", "ATTENTION_LINE", "OWNER_CO", "MAIL_ATTN", "ATTENTION_NAME",
    ),
    "mail_address": (
        "MAIL_ADDR", "MAIL_ADDRESS", "MAILING_ADDRESS", "MAILADDR", "MAILADDRESS", "MAIL_ADDR1", "MAIL_ADDR_1", "MAIL_ADDRESS_1", "MAIL_ADDRESS1", "MAIL_ADD1",
        "MAILING_ADDRESS_1", "MAILING_ADDRESS1", "MAILING_ADDRESS_STREET", "MAIL_STREET", "OWN_ADDR", "OWN_ADDR1", "OWNER_ADDRESS", "OWNER_ADDRESS_1", "OWNER_ADDRESS1",
        "OWNERADDRESS", "OWNER_ADDR", "OWNER_ADDR1", "OWNER_ADDR_1", "OWNER_STREET", "OWNADDR", "OWNADDR1", "OWNADD1", "OWN_ADD1", "OWNER_MAILING_ADDRESS",
        "ADDRESS_OF_OWNER", "OWNERMAILADDR", "STREET_ADDRESS", "MAIL_ST", "MAILING_STREET", "MAILADD", "MADDR1", "MAIL_LINE_1", "MAIL_LINE1", "ADDRGL1",
        "MAILADDR1", "ST_ADDRESS", "OWNER_MAIL_ADDRESS", "BILL_ADDR", "BILLING_ADDRESS", "TAXPAYER_ADDRESS", "PSTLADDRESS", "MAIL_ADRS", "ADDRESS_1", "ADDRESS1", "ADDR1", "ADDR_1",
    ),
    "mail_address_2": (
        "MAIL_ADDR2", "MAIL_ADDR_2", "MAIL_ADDRESS_2", "MAIL_ADDRESS2", "MAIL_ADD2", "MAILING_ADDRESS_2", "MAILING_ADDRESS2", "OWN_ADDR2", "OWNER_ADDRESS_2",
        "OWNER_ADDRESS2", "OWNER_ADDR2", "OWNER_ADDR_2", "OWNADDR2", "OWNADD2", "OWN_ADD2", "ADDITIONAL_ADDRESS", "MADDR2", "MAIL_LINE_2", "MAIL_LINE2", "ADDRGL2",
        "MAILADDR2", "ADDRESS_2", "ADDRESS2", "ADDR2", "ADDR_2",
    ),
    **{
        f"mail_address_{n}": (
            f"MAIL_ADDR{n}", f"MAIL_ADDR_{n}", f"MAIL_ADDRESS_{n}", f"MAIL_ADDRESS{n}", f"MAILING_ADDRESS_{n}", f"MAILING_ADDRESS{n}", f"OWN_ADDR{n}",
            f"OWNER_ADDRESS_{n}", f"OWNER_ADDRESS{n}", f"OWNER_ADDR{n}", f"MAIL_LINE_{n}", f"MAIL_LINE{n}", f"MAILADDR{n}", f"ADDRESS_{n}", f"ADDRESS{n}", f"MADDR{n}", f"ADDR{n}", f"ADDR_{n}",
        )
        for n in (3, 4)
    },
    "po_box": ("PO_BOX", "POBOX", "MAIL_PO_BOX", "MAIL_POBOX", "MAILING_ADDRESS_PO_BOX", "PO_BOX_NUMBER", "P_O_BOX", "MAIL_BOX", "MAILING_PO_BOX"),
    "mail_city": (
        "MAIL_CITY", "MAILCITY", "MAILING_CITY", "OWN_CITY", "OWNER_CITY", "OWNERCITY", "OWNCITY", "MAILING_ADDRESS_CITY", "MCITY", "CITYGL", "BILL_CITY",
        "TAXPAYER_CITY", "PSTLCITY",
    ),
    "mail_state": (
        "MAIL_STATE", "MAILSTATE", "MAILING_STATE", "OWN_STATE", "OWNER_STATE", "OWNERSTATE", "OWNSTATE", "MAILING_ADDRESS_STATE", "MSTATE", "STGL", "MAIL_ST_CODE",
        "BILL_STATE", "TAXPAYER_STATE", "PSTLSTATE", "OWNER_PRVST",
    ),
    "mail_zip": (
        "MAIL_ZIP", "MAILZIP", "MAILING_ZIP", "OWN_ZIP", "OWNER_ZIP", "OWNERZIP", "OWNZIP", "MAILING_ADDRESS_ZIP", "MAIL_ZIP_CODE", "MAILING_ZIP_CODE",
        "MAIL_ZIPCODE", "OWNER_ZIP_CODE", "OWNER_ZIPCODE", "MZIP", "ZIPGL", "MAIL_ZIP5", "MAIL_POSTAL_CODE", "BILL_ZIP", "TAXPAYER_ZIP", "PSTLZIP5", "OWNERZIP1",
    ),
    "mail_zip_4": ("MAIL_ZIP4", "ZIP4", "OWNER_ZIP4", "MAIL_ZIP_4", "ZIP_4", "MAILZIP4", "PSTLZIP4"),
    "mail_country": ("MAIL_COUNTRY", "MAILCOUNTRY", "MAILING_COUNTRY", "OWN_CO", "OWNER_COUNTRY", "OWN_COUNTRY", "OWNERCOUNTRY", "COUNTRY", "CNTRYGL"),
    "mail_city_state_zip": (
        "CITY_STATE_ZIP", "CITY_STATE", "CITYSTATEZIP", "MAIL_CITY_STATE_ZIP", "MAIL_CSZ", "CSZ", "OWNER_CSZ", "CITYSTZIP", "CITY_ST_ZIP", "MAIL_CITYSTZIP",
        "MAILING_CITY_STATE_ZIP", "OWNER_CITY_STATE_ZIP", "OWNER_CITY_STATE",
    ),
    "mail_one_line": (
        "FULL_MAILING_ADDRESS", "MAIL_ADDRESS_FULL", "MAILING_ADDRESS_FULL", "FULL_MAIL_ADDRESS", "OWNER_FULL_ADDRESS", "OWNER_ADDRESS_FULL", "MAIL_FULL",
    ),
    "add_owner": ("ADD_OWNER", "ADD_OWNER_NAME", "ADDOWNER"),
    "add_mail_address": ("ADD_MAIL_ADDR", "ADD_MAIL_ADDRESS"),
    "add_po_box": ("ADD_MAIL_PO_BOX", "ADD_PO_BOX"),
    "add_mail_city": ("ADD_MAIL_CITY",),
    "add_mail_state": ("ADD_MAIL_STATE",),
    "add_mail_zip": ("ADD_MAIL_ZIP",),
    "situs": (
        "PARCEL_ADDR", "PARCEL_ADDRESS", "PARCELADDR", "NC_PARCEL_ADDRESS", "SITUS", "SITUS_ADDRESS", "SITUS_ADDR", "SITUSADDR", "SITE_ADDR", "SITE_ADDRESS",
        "SITEADDRESS", "SITEADDR", "PROPERTY_ADDRESS", "PROP_ADDR", "PROP_ADDRESS", "PROPADDR", "PHYSICAL_ADDRESS", "PHYS_ADDR", "LOCATION_ADDRESS", "LOCATION", "LOCAPROP",
        "PROP_LOC", "PROPERTY_LOCATION", "PROP_LOCATION", "LOC_ADDRESS", "E911_ADDRESS", "E911ADDR", "FULL_ADDRESS", "FULLADDRESS", "STREET_LOCATION",
        "LOC_ADDR", "SITE_LOCATION", "PARCEL_LOCATION", "DESCPROP", "FULL_STR_ADDR",
    ),
    "situs_number": (
        "LOC_ST_NBR", "PARCEL_STREET_NUMBER", "PARCEL_ADDRESS_NUMBER", "SITUS_NUMBER", "ADDR_NUM", "STREET_NUMBER", "STREET_NUM", "STREET_NO", "ST_NUMBER", "ST_NUM",
        "HOUSE_NUMBER", "HOUSE_NUM", "HOUSE_NO", "LOCNUMB", "LOC_NUM", "LOC_NUMBER", "HOUSENUM", "STNUM", "ADDRNUM", "LOC_NO", "SITE_NUM", "SITE_STR_NO", "STNBR", "PROP_LOC_NUM", "ADDRESS_NUM", "ADDRNO",
    ),
    "situs_street": (
        "LOC_STREET", "LOC_ST_NAME", "PARCEL_STREET", "PARCEL_ADDRESS_STREET", "SITUS_STREET", "STREET_NAME", "STREETNAME", "ST_NAME", "STNAME", "LOCNAME", "FULL_STR",
        "SITE_STREET", "LOC_NAME", "ADDRESS_STREET", "ADDRESS_NAM", "ADDRESS_NAME", "ADDRSTREET",
    ),
    "situs_suffix": ("LOC_MAIL_ST_SUFF", "LOC_ST_SUFFIX", "PARCEL_SUFFIX", "PARCEL_ADDRESS_SUFF", "PARCEL_ADDRESS_SUFFIX", "STREET_SUFFIX", "ST_SUFFIX"),
    "situs_unit": ("LOC_UNIT", "LOC_UNIT_NAME", "LOC_UNIT_NBR", "SITUS_UNIT", "PARCEL_UNIT", "SITE_UNIT", "UNIT_NUMBER", "UNIT_NO", "UNIT"),
    "situs_city": (
        "PARCEL_CITY", "SITUS_CITY", "SITE_CITY", "PROP_CITY", "LOC_CITY", "PROPERTY_CITY", "LOCATION_CITY", "PHYSICAL_CITY",
    ),
    "situs_state": ("PARCEL_STATE", "SITUS_STATE", "SITE_STATE", "PROP_STATE", "LOC_STATE", "PROPERTY_STATE"),
    "situs_zip": ("LOC_ZIP", "PARCEL_ZIP", "SITUS_ZIP", "SITE_ZIP", "PROP_ZIP", "PROPERTY_ZIP", "PARCEL_ZIPCODE", "LOCATION_ZIP"),
}  # fmt: skip
"""The fields of parcels and owners. ``mail_zip_4`` and ``situs_suffix`` are parts that go onto ``mail_zip`` and ``situs_street``."""

OWNERSHIP_COLUMNS = (
    "CONDO", "CONDO_FLAG", "IS_CONDO", "CONDO_IND", "CONDOMINIUM", "CONDO_NAME", "CONDO_ID", "CONDO_NUMBER", "CONDO_NO", "OWNERSHIP_CODE", "OWNERSHIP_CD",
    "OWNERSHIP_TYPE", "OWNERSHIP_DESC",
)  # fmt: skip
"""What may say that a lot belongs to a condominium. The first that is there is taken: a column passed over here is no question."""

UNSIDED_STREETS = ("STREET_ADDRESS", "ST_ADDRESS")
"""Names of an owner's street, by the State's rolls, that say no owner: the property's, where another column says that it is the owner's."""

BARE_NAMES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "ADDRESS": ("mail_address", "situs", ("ADDRESS", "ADDR", "STREET_ADDR", *UNSIDED_STREETS)),
    "CITY": ("mail_city", "situs_city", ("CITY",)),
    "STATE": ("mail_state", "situs_state", ("STATE", "ST")),
    "ZIP": ("mail_zip", "situs_zip", ("ZIP", "ZIP_CODE", "ZIPCODE", "ZIP5")),
}
"""Names that say neither whether they are the owner's nor the property's: the owner's field, the property's field, the names."""

COMPOSED: dict[str, tuple[str, ...]] = {
    "owner": ("PRIMARY_OWNER_FIRST_NAME", "PRIMARY_OWNER_MI", "PRIMARY_OWNER_LAST_NAME", "PRIMARY_OWNER_SUFFIX"),
    "owner_2": ("ADDITIONAL_OWNER_1_FIRST", "ADDITIONAL_OWNER_1_MI", "ADDITIONAL_OWNER_1_LAST_NAME", "ADDITIONAL_OWNER_1_SUFFIX"),
    "mail_address": ("MAILING_ADDRESS_PREFIX", "MAILING_ADDRESS_NUMBER", "MAILING_ADDRESS_STREET", "MAILING_ADDRESS_SUFF"),
    "situs_street": ("PARCEL_ADDRESS_STREET", "PARCEL_ADDRESS_SUFF"),
}
"""Fields that the State's published rolls give in pieces, in the order they are put together in."""

COMPOSED_BY = {
    "owner": "PRIMARY_OWNER_LAST_NAME",
    "owner_2": "ADDITIONAL_OWNER_1_LAST_NAME",
    "mail_address": "MAILING_ADDRESS_STREET",
    "situs_street": "PARCEL_ADDRESS_STREET",
}
"""The piece of each without which there is nothing to put together."""

OWNER_PIECES: tuple[tuple[str, ...], ...] = (
    ("FIRST_NAME", "FIRSTNAME", "FNAME", "OWNER_FIRST_NAME", "OWNER_FIRST", "OWN_FIRST", "OWNFRST", "OWNERFIRSTNAME", "GIVEN_NAME", "OWNER_FNAME", "PRIMARY_OWNER_FIRST", "OWNER1_FIRST", "OWNER1_FIRST_NAME", "OWNER_NAME_FIRST", "FIRST"),
    ("MIDDLE_NAME", "MIDDLENAME", "MNAME", "OWNER_MIDDLE_NAME", "OWNER_MIDDLE", "MIDDLE_INITIAL", "OWNER_MI", "MI", "MIDDLE"),
    ("LAST_NAME", "LASTNAME", "LNAME", "OWNER_LAST_NAME", "OWNER_LAST", "OWN_LAST", "OWNLAST", "OWNERLASTNAME", "SURNAME", "OWNER_LNAME", "PRIMARY_OWNER_LAST", "OWNER1_LAST", "OWNER1_LAST_NAME", "OWNER_NAME_LAST", "LAST"),
    ("NAME_SUFFIX", "OWNER_SUFFIX", "OWNER_NAME_SUFFIX"),
)  # fmt: skip
"""The pieces of an owner's name, where no column has the whole; the third is needed."""

KEY_PARTS: tuple[tuple[tuple[str, ...], ...], ...] = (
    (("DISTRICT", "DIST", "DSBL_DISTRICT"), ("SECTION", "SEC", "SECT"), ("BLOCK", "BLK"), ("LOT",)),
    (("SECTION", "SEC", "SECT"), ("BLOCK", "BLK"), ("LOT",), ("SUBLOT", "SUB_LOT", "SUFFIX", "LOT_SUFFIX")),
    (("BORO", "BOROUGH", "BOROCODE"), ("BLOCK", "BLK"), ("LOT",)),
    (("MAP", "MAP_NO", "MAPNO", "MAP_NUM", "TAX_MAP", "MAP_NUMBER"), ("BLOCK", "BLK", "MAP_BLOCK"), ("LOT", "LOT_NO", "MAP_LOT"), ("UNIT", "SUBLOT", "SUB_LOT", "SUB", "CONDO", "EXT")),
    (("MAP", "MAP_NO", "MAPNO", "MAP_NUM", "TAX_MAP", "MAP_NUMBER"), ("LOT", "LOT_NO", "LOTNO", "PARCEL", "LOT_NUM", "LOT_NUMBER"), ("UNIT", "SUBLOT", "SUB_LOT", "SUB", "CONDO", "EXT")),
    (("BLOCK", "BLK", "PCLBLOCK"), ("LOT", "PCLLOT", "LOT_NO"), ("QUALIFIER", "QUAL", "PCLQCODE", "QCODE")),
    (("BOOK",), ("PAGE", "MAP"), ("PARCEL", "LOT")),
)  # fmt: skip
"""Columns over which a tax map number is spread, in its order."""

STREET_PIECES: tuple[tuple[str, ...] | None, ...] = (
    ("ST_PREMOD", "PRE_MOD", "PREMOD", "ST_PRE_MOD"),
    ("ST_PREDIR", "ST_PREFIX", "ADDR_PN", "PRE_DIR", "PREDIR", "ST_PRE_DIR", "STREET_PREDIR", "STREET_PREFIX", "PREFIX_DIRECTION", "STREET_DIRECTION", "DIR_PRE", "PREFIX_DIR", "ST_DIR", "PREDIRECTION", "SITUS_PREDIR", "SITE_PREDIR", "STREET_DIR", "STPREDIR", "PRE_DIRECTION", "PREFIXDIRECTION"),
    ("ST_PRETYP", "PRE_TYPE", "PRETYPE", "ST_PRE_TYP", "STREET_PRETYPE"),
    ("ST_PRESEP", "PRE_TYPE_SEP", "ST_PRE_SEP"),
    None,
    ("ST_POSTYP", "POST_TYPE", "POSTTYPE", "ST_POS_TYP", "STREET_TYPE", "STREETTYPE", "ST_TYPE", "STTYPE", "STREET_SUFFIX", "STREETSUFFIX", "ST_SUFFIX", "STSUFFIX", "SUF_TYPE", "SUFTYPE", "SUFFIX_TYPE", "ROAD_TYPE", "LOC_ST_SUFFIX", "SITUS_SUFFIX", "SITE_SUFFIX", "SITUS_STREET_TYPE", "SITE_STREET_TYPE", "SITE_TYPE", "SUFFIX", "STREET_SUF", "POSTYPE", "STREET_TYP", "ADDR_ST", "TYPE"),
    ("ST_POSDIR", "POST_DIR", "POSTDIR", "ST_POS_DIR", "SUF_DIR", "SUFDIR", "SUFFIX_DIRECTION", "STREET_POSTDIR", "STREET_SUFFIX_DIR", "SITUS_POSTDIR", "SITE_POSTDIR", "SUFFIXDIR", "POSTDIRECTION"),
    ("ST_POSMOD", "POST_MOD", "POSTMOD", "ST_POS_MOD"),
)  # fmt: skip
"""The pieces of a street's name in their order, None for the name itself."""

LAYER_ALIASES: dict[str, dict[str, tuple[str, ...]]] = {
    "zoning": {
        "district": (
            "DISTRICT", "ZONING", "ZONE", "ZONE_CODE", "ZONECODE", "ZONECLASS", "ZONE_CLASS", "ZONING_DISTRICT", "ZONINGDIST", "ZONE_DIST", "ZONEDIST",
            "BASE_DISTRICT", "BASE_DISTR", "ZONING_CODE", "ZONINGCODE", "ZONE_TYPE", "ZONETYPE", "ZONE_ID", "ZDIST", "ZONING_CLASS", "ZN_CODE", "ZCODE",
            "ZONE_SYMBOL", "ZONE_ABBR", "ZONE_DISTRICT",
        ),
        "name": ("ZONEDESC", "ZONE_DESC", "ZONE_NAME", "ZONENAME", "DISTRICT_NAME", "ZONING_DESCRIPTION", "ZONE_DESCRIPTION", "DESCRIPTION", "NAME", "ZONING_DESC"),
        "municipality": ("MUNI_NAME", "MUNICIPALITY", "MUNI", "TOWN", "TOWN_NAME"),
    },
    "municipalities": {
        "name": ("NAME", "MUNI_NAME", "MUNICIPALITY", "MUNI", "MUNICIPALITY_NAME", "TOWN_NAME", "TOWNNAME", "BORONAME", "BORO_NAME", "CITYTOWN_NAME"),
        "kind": ("MUNI_TYPE", "KIND", "TYPE", "MUNITYPE", "CLASS_TYPE", "MUNICIPALITY_TYPE"),
        "swis": ("SWIS", "SWIS_CODE"),
        "clerk_name": ("CLERK_NAME", "CLERK", "CLERKNAME"),
        "clerk_address": ("CLERK_ADDRESS", "CLERK_ADDR", "CLERKADDRESS"),
    },
    "streets": {
        "name": (
            "COMPLETE_STREET_NAME", "COMPLETESTREETNAME", "STREET_NAME", "STREETNAME", "FULL_NAME", "FULLNAME", "NAME", "ROAD_NAME", "ROADNAME", "STREET", "ST_NAME",
            "RD_NAME", "FULL_STREET_NAME", "LABEL",
        ),
        "jurisdiction": ("JURISDICTION", "OWNING_JURISDICTION", "JURIS", "OWNER", "OWNERSHIP", "JURISDICTI", "MAINTAINED_BY", "MAINT_JURISDICTION"),
    },
    "railroads": {
        "name": ("NAME", "RR_NAME", "RAILROAD", "RRNAME", "LINE", "LINE_NAME", "FULLNAME"),
        "owner": ("OWNER", "RROWNER1", "RR_OWNER", "OWNERSHIP", "OPERATOR"),
    },
    "water": {"name": ("NAME", "WATER_NAME", "GNIS_NAME", "FULLNAME", "LAKE_NAME", "WATERBODY")},
    "address_points": {
        "address": (
            "ADDRESS", "FULL_ADDRESS", "FULLADDRESS", "FULL_ADDR", "FULLADDR", "ADDRESS_LABEL", "ADDRESSLABEL", "COMPLETE_ADDRESS", "ADDR_FULL", "SITE_ADDRESS",
            "SITEADDRESS", "LABEL_ADDRESS",
        ),
        "number": (
            "ADDRESS_NUMBER", "ADDRESSNUMBER", "NUMBER", "HOUSE_NUMBER", "HOUSENUM", "HOUSE_NUM", "ADDR_NUM", "ADDRNUM", "ADD_NUMBER", "PREFIXED_ADDRESS_NUMBER",
            "STREET_NUMBER", "HOUSE_NO",
        ),
        "street": (
            "COMPLETE_STREET_NAME", "COMPLETESTREETNAME", "STREET_NAME", "STREETNAME", "STREET", "ST_NAME", "FULL_STREET", "FULL_NAME", "FULLNAME", "ROAD_NAME",
            "STREET_NM", "ADDR_SN",
        ),
        "unit": ("UNIT", "UNIT_NUMBER", "UNIT_ID", "SUBADDRESS", "UNIT_NO", "APARTMENT", "APT", "SUB_ADDRESS"),
        "city": ("ZIP_NAME", "POSTAL_CITY", "POST_CITY", "CITY", "POSTAL_COMMUNITY", "POST_COMM", "ZIPNAME", "POSTALCTYNAME", "USPS_CITY", "PO_NAME", "CITY_NM", "COMM", "CTYNAME", "CITYTOWN_NAME", "CITYTOWNNAME"),
        "state": ("STATE", "ST", "STATE_CD"),
        "zip": ("ZIP_5", "ZIP_CD", "ZIP_CODE", "ZIPCODE", "ZIP", "ZIP5", "POST_CODE", "POSTAL_CODE"),
    },
}  # fmt: skip
"""The other layers. Here the order is preference: these layers are known by the State's schemas, where one thing stands under several names."""
