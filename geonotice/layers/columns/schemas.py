"""Public schemas that are recognized whole: what each is known by, and which of its columns is what.

One record is one schema. A column may be written in any spelling (case and underscores do not count) or cut to ten characters. A field is a tuple
of alternatives, of which the first that the layer has is taken; an alternative may join columns (see :mod:`geonotice.layers.columns.expression`),
and of those that are not there or empty nothing is said. A joined field needs the column marked ``!``. ``ignored`` are columns that are not what their
name suggests: they are taken for nothing, and nothing is asked about them. What a record does not name is recognized by its name like any other column.
"""

from dataclasses import dataclass, field

__all__ = ["SCHEMAS", "Schema"]


@dataclass(frozen=True, slots=True)
class Schema:
    """A published schema.

    Parameters
    ----------
    name
        What it is called, for the reports.
    known_by
        The columns that tell it: so many of them as ``needs`` must be there.
    needs
        How many; 0 for all.
    fields
        Field to alternatives.
    ignored
        Columns that are not what their name suggests.
    kind
        The kind of layer.
    """

    name: str
    known_by: tuple[str, ...]
    needs: int = 0
    fields: dict[str, tuple[str, ...]] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()
    kind: str = "parcels"


_NENA_STREET = "St_PreMod + St_PreDir + St_PreTyp + St_PreSep + !St_Name + St_PosTyp + St_PosDir + St_PosMod"
_LEGACY_STREET = "LSt_PreDir + !LSt_Name + LSt_Type + LSt_PosDir"

SCHEMAS: tuple[Schema, ...] = (
    Schema(
        "NYS Tax Parcels",
        ("PRINT_KEY", "SWIS", "MUNI_NAME", "PARCEL_ADDR", "PRIMARY_OWNER", "MAIL_ADDR"),
        needs=4,
        ignored=("OWNER_TYPE", "NYS_NAME"),
    ),
    Schema(
        "RPS export",
        ("PRINT_KEY", "PRIMARY_OWNER", "LOC_ST_NBR", "STREET_ADDRESS", "ROLL_SECTION"),
        needs=4,
        ignored=("CURRENT_OWNER",),
    ),
    Schema(
        "MassGIS Level 3 parcels",
        ("LOC_ID", "PROP_ID", "OWNER1", "OWN_ADDR", "SITE_ADDR"),
        needs=4,
        fields={
            "owner": ("OWNER1",),
            "mail_address": ("OWN_ADDR",),
            "mail_city": ("OWN_CITY",),
            "mail_state": ("OWN_STATE",),
            "mail_zip": ("OWN_ZIP",),
            "mail_country": ("OWN_CO",),
            "situs": ("SITE_ADDR",),
            "situs_number": ("ADDR_NUM",),
            "situs_street": ("FULL_STR",),
            "situs_unit": ("LOCATION",),
            "situs_city": ("CITY",),
            "situs_zip": ("ZIP",),
            "property_class": ("USE_CODE",),
            "roll_year": ("FY",),
        },
        ignored=("OWN_CO_CUT", "LOC_ID_OLD"),
    ),
    Schema(
        "Vermont parcels",
        ("SPAN", "OWNER1", "ADDRGL1", "CITYGL", "STGL"),
        needs=4,
        fields={
            "owner": ("OWNER1",),
            "owner_2": ("OWNER2",),
            "mail_address": ("ADDRGL1",),
            "mail_address_2": ("ADDRGL2",),
            "mail_city": ("CITYGL",),
            "mail_state": ("STGL",),
            "mail_zip": ("ZIPGL",),
            "situs": ("E911ADDR", "LOCAPROP"),
            "municipality": ("TNAME", "TOWN", "TOWNNAME"),
            "roll_year": ("GLYEAR", "YEAR"),
        },
        ignored=("DESCPROP", "LOCAPROP", "HSDECL"),
    ),
    Schema(
        "Wisconsin statewide parcels",
        ("OWNERNME1", "PSTLADRESS", "SITEADRESS", "CONAME"),
        fields={
            "tax_map_number": ("PARCELID", "TAXPARCELID"),
            "owner": ("OWNERNME1",),
            "owner_2": ("OWNERNME2",),
            "mail_one_line": ("PSTLADRESS",),
            "situs": ("SITEADRESS",),
            "situs_number": ("ADDNUMPREFIX + '' + !ADDNUM + ADDNUMSUFFIX",),
            "situs_street": ("PREFIX + !STREETNAME + STREETTYPE + SUFFIX",),
            "situs_unit": ("UNITTYPE + !UNITID",),
            "situs_state": ("STATE",),
            "situs_zip": ("ZIPCODE",),
            "municipality": ("PLACENAME",),
            "property_class": ("PROPCLASS",),
            "roll_year": ("TAXROLLYEAR",),
        },
        ignored=("CONAME", "STATEID", "LANDMARKNAME", "ZIP4", "SCHOOLDIST", "AUXCLASS"),
    ),
    Schema(
        "Local Government Model (Esri)",
        ("OWNERNME1", "PSTLADDRESS", "PSTLCITY", "PSTLSTATE", "SITEADDRESS"),
        needs=4,
        fields={
            "tax_map_number": ("PARCELID", "LOWPARCELID"),
            "owner": ("OWNERNME1",),
            "owner_2": ("OWNERNME2",),
            "mail_address": ("PSTLADDRESS",),
            "mail_address_2": ("PSTLADDRESS2", "PSTLADDR_1"),
            "mail_city": ("PSTLCITY",),
            "mail_state": ("PSTLSTATE",),
            "mail_zip": ("PSTLZIP5", "PSTLZIP"),
            "mail_zip_4": ("PSTLZIP4",),
            "situs": ("SITEADDRESS",),
            "situs_city": ("SITECITY", "SITUSCITY"),
            "situs_state": ("SITESTATE",),
            "situs_zip": ("SITEZIP",),
            "municipality": ("CVTTXDSCRP",),
            "property_class": ("CLASSCD",),
        },
        ignored=("CNVYNAME", "OWNERNAMES", "FULLCSZ", "SITECSZ", "PRPRTYDSCR", "SCHLDSCRP", "USEDSCRP", "CLASSDSCRP"),
    ),
    Schema(
        "Texas StratMap land parcels",
        ("PROP_ID", "GEO_ID", "OWNER_NAME", "NAME_CARE", "MAIL_ADDR", "SITUS_ADDR"),
        needs=5,
        fields={
            "owner": ("OWNER_NAME",),
            "care_of": ("NAME_CARE",),
            "mail_address": ("MAIL_LINE1",),
            "mail_address_2": ("MAIL_LINE2",),
            "mail_one_line": ("MAIL_ADDR",),
            "mail_city": ("MAIL_CITY",),
            "mail_state": ("MAIL_STAT", "MAIL_STATE"),
            "mail_zip": ("MAIL_ZIP",),
            "situs": ("SITUS_ADDR",),
            "situs_number": ("SITUS_NUM",),
            "situs_city": ("SITUS_CITY",),
            "situs_state": ("SITUS_STATE",),
            "situs_zip": ("SITUS_ZIP",),
            "roll_year": ("TAX_YEAR",),
        },
        ignored=("LEGAL_DESC", "SITUS_STREET_PREFIX", "SITUS_STREET", "SITUS_STREET_SUFFIX", "SITUS_ST_1", "SITUS_ST_2", "COUNTY"),
    ),
    Schema(
        "Florida Department of Revenue roll (NAL)",
        ("PARCEL_ID", "OWN_NAME", "OWN_ADDR1", "OWN_ZIPCD", "PHY_ADDR1", "DOR_UC"),
        needs=5,
        fields={
            "tax_map_number": ("PARCEL_ID", "PARCELNO"),
            "owner": ("OWN_NAME",),
            "mail_address": ("OWN_ADDR1",),
            "mail_address_2": ("OWN_ADDR2",),
            "mail_city": ("OWN_CITY",),
            "mail_state": ("OWN_STATE",),
            "mail_zip": ("OWN_ZIPCD",),
            # a trustee or guardian with an address of their own: a letter too many costs a stamp
            "add_owner": ("FIDU_NAME",),
            "add_mail_address": ("FIDU_ADDR1 + ', ' + FIDU_ADDR2",),
            "add_mail_city": ("FIDU_CITY",),
            "add_mail_state": ("FIDU_STATE",),
            "add_mail_zip": ("FIDU_ZIPCD",),
            "situs": ("PHY_ADDR1",),
            "situs_unit": ("PHY_ADDR2",),
            "situs_city": ("PHY_CITY",),
            "situs_zip": ("PHY_ZIPCD",),
            "property_class": ("DOR_UC",),
            "roll_year": ("ASMNT_YR",),
        },
        ignored=("OWN_STATE_DOM", "S_LEGAL", "ALT_KEY", "STATE_PAR_ID", "PARCEL_ID_PRV_HMSTD"),
    ),
    Schema(
        "North Carolina OneMap parcels",
        ("PARNO", "OWNNAME", "MAILADD", "MCITY", "MSTATE", "SITEADD"),
        needs=5,
        fields={
            "tax_map_number": ("PARNO", "ALTPARNO"),
            "owner": ("OWNNAME", "OWNFRST + !OWNLAST"),
            "owner_2": ("OWNNAME2",),
            "mail_address": ("MAILADD",),
            "mail_address_2": ("MUNIT",),
            "mail_city": ("MCITY",),
            "mail_state": ("MSTATE",),
            "mail_zip": ("MZIP",),
            "situs": ("SITEADD",),
            "situs_number": ("SADDNO",),
            "situs_street": ("SADDPREF + !SADDSTNAME + SADDSTTYP + SADDSTSUF",),
            "situs_unit": ("SUNIT",),
            "situs_city": ("SCITY",),
            "situs_state": ("SSTATE",),
            "situs_zip": ("SZIP",),
            "roll_year": ("REVISEYEAR",),
        },
        ignored=("OWNFRST", "OWNLAST", "OWNTYPE", "CNTYNAME", "LEGDECFULL", "STNAME", "SUBDIVISIO", "SOURCEAGNT"),
    ),
    Schema(
        "New Jersey MOD-IV parcels",
        ("PAMS_PIN", "PROP_LOC", "ST_ADDRESS", "CITY_STATE", "MUN_NAME"),
        needs=4,
        fields={
            "tax_map_number": ("PAMS_PIN", "GIS_PIN"),
            "owner": ("OWNER_NAME",),
            "mail_address": ("ST_ADDRESS",),
            "mail_city_state_zip": ("CITY_STATE",),
            "mail_zip": ("ZIP_CODE",),
            "situs": ("PROP_LOC",),
            "situs_zip": ("ZIP5",),
            "municipality": ("MUN_NAME",),
            "property_class": ("PROP_CLASS",),
        },
        ignored=("COUNTY", "BLDG_DESC", "LAND_DESC", "FAC_NAME", "PCL_MUN"),
    ),
    Schema(
        "Connecticut parcels (CAMA)",
        ("OWNER", "MAILING_ADDRESS", "MAILING_CITY", "MAILING_STATE", "LOCATION", "TOWN_NAME", "PROPERTY_CITY", "CAMA_LINK", "CO_OWNER"),
        needs=5,
        fields={
            "tax_map_number": ("LINK", "CAMA_LINK", "PARCEL_ID", "PID", "GIS_ID"),
            "owner": ("OWNER",),
            "owner_2": ("CO_OWNER",),
            "mail_address": ("MAILING_ADDRESS",),
            "mail_city": ("MAILING_CITY",),
            "mail_state": ("MAILING_STATE",),
            "mail_zip": ("MAILING_ZIP",),
            "situs": ("LOCATION", "PROPERTY_ADDRESS"),
            "situs_city": ("PROPERTY_CITY",),
            "situs_zip": ("PROPERTY_ZIP",),
            "municipality": ("TOWN_NAME", "TOWN"),
            "property_class": ("STATE_USE",),
        },
        ignored=("STATE_USE_DESCRIPTION", "OCCUPANCY", "EDITOR"),
    ),
    Schema(
        "Minnesota parcel data standard",
        ("COUNTY_PIN", "OWNER_NAME", "OWN_ADD_L1", "OWN_ADD_L2", "CTU_NAME"),
        needs=4,
        fields={
            "tax_map_number": ("COUNTY_PIN", "STATE_PIN", "PIN"),
            "owner": ("OWNER_NAME",),
            "owner_2": ("OWNER_MORE",),
            "mail_one_line": ("!OWN_ADD_L1 + ', ' + OWN_ADD_L2 + ', ' + OWN_ADD_L3 + ', ' + OWN_ADD_L4",),
            "situs_number": ("ANUMBERPRE + '' + !ANUMBER + ANUMBERSUF",),
            "situs_street": ("ST_PRE_MOD + ST_PRE_DIR + ST_PRE_TYP + ST_PRE_SEP + !ST_NAME + ST_POS_TYP + ST_POS_DIR + ST_POS_MOD",),
            "situs_unit": ("SUB_TYPE1 + !SUB_ID1",),
            "situs_city": ("POSTCOMM",),
            "situs_zip": ("ZIP",),
            "municipality": ("CTU_NAME",),
            "property_class": ("USECLASS1",),
            "roll_year": ("TAX_YEAR",),
        },
        # the taxpayer's: the owner's stand beside them
        ignored=("TAX_NAME", "TAX_ADD_L1", "TAX_ADD_L2", "TAX_ADD_L3", "TAX_ADD_L4", "CO_NAME", "ZIP4", "LANDMARK", "OWNERSHIP"),
    ),
    Schema(
        "Montana cadastral parcels",
        ("PARCELID", "OwnerName", "OwnerAddress1", "OwnerZipCode", "CareOfTaxpayer", "AddressLine1", "CityStateZip"),
        needs=5,
        fields={
            "tax_map_number": ("PARCELID", "PropertyID"),
            "owner": ("OwnerName",),
            "owner_2": ("DbaName",),
            "care_of": ("CareOfTaxpayer",),
            "mail_address": ("OwnerAddress1",),
            "mail_address_2": ("OwnerAddress2",),
            "mail_address_3": ("OwnerAddress3",),
            "mail_city": ("OwnerCity",),
            "mail_state": ("OwnerState",),
            "mail_zip": ("OwnerZipCode",),
            "situs": ("AddressLine1 + ', ' + CityStateZip",),
            "situs_unit": ("AddressLine2",),
            "roll_year": ("TaxYear",),
        },
        ignored=("LegalDescriptionShort", "Subdivision", "CountyName", "PropType", "CertificateOfSurvey"),
    ),
    Schema(
        "Colorado public parcels",
        ("PARCEL_ID", "OWNER", "OWNADDRESS", "OWNADDCTY", "OWNADDSTT", "OWNADDZPCD", "SITUSADD"),
        needs=4,
        fields={
            "tax_map_number": ("PARCEL_ID", "ACCOUNT"),
            "owner": ("OWNER",),
            "mail_address": ("OWNADDRESS", "OWNADD", "OWNERADD"),
            "mail_city": ("OWNADDCTY",),
            "mail_state": ("OWNADDSTT",),
            "mail_zip": ("OWNADDZPCD",),
            "situs": ("SITUSADD",),
            "situs_city": ("SITADDCTY",),
            "situs_zip": ("SITADDZIP",),
        },
        ignored=("COUNTYNAME", "LEGALDESC", "SUBDIVISION"),
    ),
    Schema(
        "NENA NG9-1-1 address points",
        ("Add_Number", "St_Name", "St_PosTyp", "Post_Comm", "Post_Code", "Inc_Muni", "St_PreDir"),
        needs=3,
        kind="address_points",
        fields={
            "number": ("AddNum_Pre + '' + !Add_Number + AddNum_Suf", "AddNumComb"),
            "street": (_NENA_STREET, _LEGACY_STREET),
            "unit": ("Building + Floor + Unit + Room + Seat",),
            "city": ("Post_Comm", "MSAGComm", "Inc_Muni"),
            "state": ("State",),
            "zip": ("Post_Code",),
        },
        ignored=("Country", "County", "Addtl_Loc", "LandmkName"),
    ),
    Schema(
        "NG9-1-1 address points (2015 names)",
        ("AddNum", "StreetName", "PostType", "PreDir", "PostComm", "PostCode", "IncMuni"),
        needs=4,
        kind="address_points",
        fields={
            "number": ("AddNumPre + '' + !AddNum + AddNumSuf",),
            "street": ("PreMod + PreDir + PreType + PreTypeSep + !StreetName + PostType + PostDir + PostMod",),
            "unit": ("Building + Floor + Unit + Room + Seat",),
            "city": ("PostComm", "MSAGComm", "IncMuni"),
            "state": ("State",),
            "zip": ("PostCode", "ZipCode"),
        },
    ),
    Schema(
        "OpenAddresses",
        ("NUMBER", "STREET", "UNIT", "CITY", "DISTRICT", "REGION", "POSTCODE", "HASH"),
        needs=6,
        kind="address_points",
        fields={
            "number": ("NUMBER",),
            "street": ("STREET",),
            "unit": ("UNIT",),
            "city": ("CITY",),
            "state": ("REGION",),
            "zip": ("POSTCODE",),
        },
    ),
)  # fmt: skip
"""The schemas, the first that fits taken."""
