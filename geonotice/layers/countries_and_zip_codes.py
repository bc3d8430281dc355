"""States and their ZIP codes, provinces, and countries as assessment rolls spell them.

A code of digits is a ZIP code only where the State says so: ``6390`` of New York has lost a zero, ``2000`` of Sydney has not. Most names of
countries are names of American towns too (Mexico, Italy and Jamaica are in New York): a caller looks at the State and its ZIP code first.
"""

import re
from functools import lru_cache

from geonotice.address_spelling import normal_text

__all__ = [
    "PROVINCES",
    "STATES",
    "ZIPS_OF_STATES",
    "country_at_end",
    "country_of",
    "is_country",
    "is_us",
    "province",
    "spelled_out",
    "state_code",
    "tidy_zip",
    "zip_fits",
]

_STATES_AND_ZIPS = """
AL ALABAMA 350-369|AK ALASKA 995-999|AZ ARIZONA 850-865|AR ARKANSAS 716-729 755|CA CALIFORNIA 900-961|CO COLORADO 800-816|CT CONNECTICUT 060-069
DE DELAWARE 197-199|DC DISTRICT OF COLUMBIA 200-205 569|FL FLORIDA 320-349|GA GEORGIA 300-319 398-399|HI HAWAII 967-968|ID IDAHO 832-838
IL ILLINOIS 600-629|IN INDIANA 460-479|IA IOWA 500-528|KS KANSAS 660-679|KY KENTUCKY 400-427|LA LOUISIANA 700-714|ME MAINE 039-049
MD MARYLAND 206-219|MA MASSACHUSETTS 010-027 055|MI MICHIGAN 480-499|MN MINNESOTA 550-567|MS MISSISSIPPI 386-397|MO MISSOURI 630-658
MT MONTANA 590-599|NE NEBRASKA 680-693|NV NEVADA 889-898|NH NEW HAMPSHIRE 030-038|NJ NEW JERSEY 070-089|NM NEW MEXICO 870-884
NY NEW YORK 005 063 100-149|NC NORTH CAROLINA 270-289|ND NORTH DAKOTA 580-588|OH OHIO 430-459|OK OKLAHOMA 730-731 734-749|OR OREGON 970-979
PA PENNSYLVANIA 150-196|RI RHODE ISLAND 028-029|SC SOUTH CAROLINA 290-299|SD SOUTH DAKOTA 570-577|TN TENNESSEE 370-385|TX TEXAS 733 750-799 885
UT UTAH 840-847|VT VERMONT 050-059|VA VIRGINIA 201 220-246|WA WASHINGTON 980-994|WV WEST VIRGINIA 247-268|WI WISCONSIN 530-549|WY WYOMING 820-831
PR PUERTO RICO 006-007 009|VI VIRGIN ISLANDS 008|GU GUAM 969|AS AMERICAN SAMOA 967|MP NORTHERN MARIANA ISLANDS 969|FM MICRONESIA 969
MH MARSHALL ISLANDS 969|PW PALAU 969|AA ARMED FORCES AMERICAS 340|AE ARMED FORCES EUROPE 090-098|AP ARMED FORCES PACIFIC 962-966
"""
"""The post's codes of States, territories and the armed forces, their names, and the first three digits of their ZIP codes."""

_ZIPS: dict[str, frozenset[str]] = {}
_NAMES: dict[str, str] = {"US VIRGIN ISLANDS": "VI", "USVI": "VI", "P R": "PR", "D C": "DC", "WASHINGTON DC": "DC"}
for _entry in re.split(r"[|\n]", _STATES_AND_ZIPS.strip()):
    _code, *_rest = _entry.split()
    _ranges = [_part for _part in _rest if _part[0].isdigit()]
    _ends = [(_range[:3], _range[-3:]) for _range in _ranges]
    _ZIPS[_code] = frozenset(f"{_three:03d}" for _first, _last in _ends for _three in range(int(_first), int(_last) + 1))
    _NAMES |= {_code: _code, f"{_code[0]} {_code[1]}": _code, " ".join(_part for _part in _rest if not _part[0].isdigit()): _code}

STATES = frozenset(_ZIPS)
"""The post's codes of States, territories and the armed forces."""

ZIPS_OF_STATES = tuple(f"{_state} {_three}" for _state in sorted(_ZIPS) for _three in sorted(_ZIPS[_state]))
"""Each State's code with the first three digits of each of its ZIP codes (:func:`zip_fits`), for whole columns."""

TERRITORIES = frozenset(["PR", "VI", "GU", "AS", "MP", "FM", "MH", "PW"])
"""Those of them that a roll may take for countries; mail to them is domestic."""

_ABBREVIATED = {
    "ALA": "AL", "ARIZ": "AZ", "CALIF": "CA", "COLO": "CO", "CONN": "CT", "FLA": "FL", "ILL": "IL", "MASS": "MA", "MICH": "MI", "MINN": "MN", "NEV": "NV",
    "N MEX": "NM", "N CAR": "NC", "S CAR": "SC", "ORE": "OR", "PENN": "PA", "PENNA": "PA", "TENN": "TN", "TEX": "TX", "WASH": "WA", "WISC": "WI", "WIS": "WI",
}  # fmt: skip
_NAMES |= _ABBREVIATED

_PROVINCE_NAMES = {
    "ALBERTA": "AB", "BRITISH COLUMBIA": "BC", "MANITOBA": "MB", "NEW BRUNSWICK": "NB", "NEWFOUNDLAND": "NL", "NEWFOUNDLAND AND LABRADOR": "NL",
    "NOVA SCOTIA": "NS", "NORTHWEST TERRITORIES": "NT", "NUNAVUT": "NU", "ONTARIO": "ON", "ONT": "ON", "PRINCE EDWARD ISLAND": "PE", "QUEBEC": "QC",
    "QUE": "QC", "PQ": "QC", "P Q": "QC", "SASKATCHEWAN": "SK", "YUKON": "YT",
}  # fmt: skip
PROVINCES = frozenset(_PROVINCE_NAMES.values())
"""The post's codes of the provinces and territories of Canada."""

_COUNTRIES = """
AD AND ANDORRA|AE ARE UNITED ARAB EMIRATES,UAE,U A E|AR ARG ARGENTINA|AM ARM ARMENIA|AW ABW ARUBA|AU AUS AUSTRALIA|AT AUT AUSTRIA,OSTERREICH,OESTERREICH
AG ATG ANTIGUA,ANTIGUA AND BARBUDA|AI AIA ANGUILLA|BS BHS BAHAMAS,THE BAHAMAS|BH BHR BAHRAIN|BD BGD BANGLADESH|BB BRB BARBADOS|BY BLR BELARUS
BE BEL BELGIUM,BELGIQUE,BELGIE,BELGIEN|BZ BLZ BELIZE|BM BMU BERMUDA|BO BOL BOLIVIA|BA BIH BOSNIA,BOSNIA AND HERZEGOVINA|BR BRA BRAZIL,BRASIL
BG BGR BULGARIA|KH KHM CAMBODIA|CM CMR CAMEROON|CA CAN CANADA|KY CYM CAYMAN ISLANDS,GRAND CAYMAN|CL CHL CHILE|CN CHN CHINA,P R CHINA,PR CHINA,PRC,PEOPLES REPUBLIC OF CHINA
CO COL COLOMBIA|CR CRI COSTA RICA|HR HRV CROATIA,HRVATSKA|CU CUB CUBA|CW CUW CURACAO|CY CYP CYPRUS|CZ CZE CZECH REPUBLIC,CZECHIA,CESKO,CESKA REPUBLIKA
DK DNK DENMARK,DANMARK|DM DMA DOMINICA|DO DOM DOMINICAN REPUBLIC,REPUBLICA DOMINICANA|EC ECU ECUADOR|EG EGY EGYPT|SV SLV EL SALVADOR|EE EST ESTONIA,EESTI
ET ETH ETHIOPIA|FJ FJI FIJI|FI FIN FINLAND,SUOMI|FR FRA FRANCE|GF GUF FRENCH GUIANA|PF PYF FRENCH POLYNESIA|DE DEU GERMANY,DEUTSCHLAND,WEST GERMANY|GH GHA GHANA
GI GIB GIBRALTAR|GR GRC GREECE,HELLAS,ELLADA|GD GRD GRENADA|GT GTM GUATEMALA|GG GGY GUERNSEY|GY GUY GUYANA|HT HTI HAITI|HN HND HONDURAS
HK HKG HONG KONG,HONG KONG SAR|HU HUN HUNGARY,MAGYARORSZAG|IS ISL ICELAND,ISLAND|IN IND INDIA,BHARAT|ID IDN INDONESIA|IR IRN IRAN|IQ IRQ IRAQ
IE IRL IRELAND,REPUBLIC OF IRELAND,EIRE|IM IMN ISLE OF MAN|IL ISR ISRAEL|IT ITA ITALY,ITALIA|CI CIV IVORY COAST|JM JAM JAMAICA,JAMAICA W I,JAMAICA WEST INDIES
JP JPN JAPAN,NIPPON,NIHON|JE JEY JERSEY CHANNEL ISLANDS,CHANNEL ISLANDS|JO JOR JORDAN|KZ KAZ KAZAKHSTAN|KE KEN KENYA
KR KOR SOUTH KOREA,KOREA,REPUBLIC OF KOREA,ROK,KOREA SOUTH|KW KWT KUWAIT|LV LVA LATVIA,LATVIJA|LB LBN LEBANON|LR LBR LIBERIA|LI LIE LIECHTENSTEIN|LT LTU LITHUANIA,LIETUVA
LU LUX LUXEMBOURG|MO MAC MACAU,MACAO|MY MYS MALAYSIA|MT MLT MALTA|MX MEX MEXICO,MEJICO|MC MCO MONACO|MA MAR MOROCCO,MAROC|NP NPL NEPAL
NL NLD NETHERLANDS,THE NETHERLANDS,HOLLAND,NEDERLAND|NZ NZL NEW ZEALAND|NI NIC NICARAGUA|NG NGA NIGERIA|NO NOR NORWAY,NORGE|OM OMN OMAN|PK PAK PAKISTAN
PA PAN PANAMA|PY PRY PARAGUAY|PE PER PERU|PH PHL PHILIPPINES,THE PHILIPPINES|PL POL POLAND,POLSKA|PT PRT PORTUGAL|QA QAT QATAR|RO ROU ROMANIA
RU RUS RUSSIA,RUSSIAN FEDERATION,ROSSIYA|KN KNA ST KITTS,SAINT KITTS,ST KITTS AND NEVIS|LC LCA ST LUCIA,SAINT LUCIA|VC VCT ST VINCENT
SA SAU SAUDI ARABIA|RS SRB SERBIA,SRBIJA|SG SGP SINGAPORE|SK SVK SLOVAKIA,SLOVAK REPUBLIC,SLOVENSKO|SI SVN SLOVENIA,SLOVENIJA|ZA ZAF SOUTH AFRICA,REPUBLIC OF SOUTH AFRICA,RSA
ES ESP SPAIN,ESPANA|LK LKA SRI LANKA|SE SWE SWEDEN,SVERIGE|CH CHE SWITZERLAND,SCHWEIZ,SUISSE,SVIZZERA|SY SYR SYRIA|TW TWN TAIWAN,TAIWAN R O C,TAIWAN ROC
TZ TZA TANZANIA|TH THA THAILAND|TT TTO TRINIDAD,TRINIDAD AND TOBAGO,TOBAGO|TN TUN TUNISIA|TR TUR TURKEY,TURKIYE|TC TCA TURKS AND CAICOS,TURKS AND CAICOS ISLANDS
UA UKR UKRAINE,UKRAINA|GB GBR UNITED KINGDOM,UK,U K,GREAT BRITAIN,ENGLAND,SCOTLAND,WALES,NORTHERN IRELAND|UY URY URUGUAY|VE VEN VENEZUELA
VN VNM VIETNAM,VIET NAM|VG VGB BRITISH VIRGIN ISLANDS,BVI,TORTOLA BVI|ZM ZMB ZAMBIA|ZW ZWE ZIMBABWE|MM MMR MYANMAR,BURMA|MK MKD NORTH MACEDONIA,MACEDONIA|ME MNE MONTENEGRO
"""
"""ISO 3166's two codes, the English name, and further spellings: native ones, parts of the United Kingdom, common abbreviations."""

_SPELLED: dict[str, str] = {}
_COUNTRY_NAMES: set[str] = {"日本", "日本国", "中国", "中國", "台灣", "香港", "대한민국", "한국", "РОССИЯ", "ΕΛΛΑΔΑ", "ישראל"}
for _entry in re.split(r"[|\n]", _COUNTRIES.strip()):
    _two, _three_letters, _names = _entry.split(" ", 2)
    _spellings = _names.split(",")
    _COUNTRY_NAMES |= set(_spellings)
    _SPELLED |= {_two: _spellings[0], _three_letters: _spellings[0]}

TOWNS_TOO = frozenset(
    [
        "BRAZIL",
        "CHILE",
        "CHINA",
        "CUBA",
        "DENMARK",
        "EGYPT",
        "ENGLAND",
        "FRANCE",
        "GERMANY",
        "GREECE",
        "HOLLAND",
        "INDIA",
        "IRELAND",
        "ITALY",
        "JAMAICA",
        "JORDAN",
        "LEBANON",
        "LIBERIA",
        "MALTA",
        "MEXICO",
        "NORWAY",
        "PANAMA",
        "PERU",
        "POLAND",
        "PORTUGAL",
        "RUSSIA",
        "SCOTLAND",
        "SPAIN",
        "SWEDEN",
        "SWITZERLAND",
        "SYRIA",
        "TURKEY",
        "WALES",
    ]
)
"""Names of countries that American towns have too."""

_HOME = {"US", "USA", "U S A", "U S", "UNITED STATES", "UNITED STATES OF AMERICA", "AMERICA", "ESTADOS UNIDOS", "840"}
_LONGEST_COUNTRY = 4
_OF_A_TOWN = {
    "NEW",
    "NORTH",
    "SOUTH",
    "EAST",
    "WEST",
    "LITTLE",
    "MOUNT",
    "MT",
    "PORT",
    "FORT",
    "LAKE",
    "POINT",
    "UPPER",
    "LOWER",
    "OLD",
    "THE",
}
"""Before one of these words' other half no country is meant: New Mexico, West Jordan, New South Wales."""

POSTAL_CANADA = re.compile(r"\b[ABCEGHJ-NPRSTVXY]\d[A-Z]\s?-?\d[A-Z]\d\b", re.IGNORECASE)
POSTAL_BRITAIN = re.compile(r"(?<![\w#])(?:GIR ?0AA|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})$", re.IGNORECASE)


def state_code(text: str) -> str:
    """Return the code of a State, territory or armed force that a text names in any common spelling; empty where it names none.

    Examples
    --------
    >>> state_code("N.Y."), state_code("New York"), state_code("ny"), state_code("Puerto Rico"), state_code("ON")
    ('NY', 'NY', 'NY', 'PR', '')
    """
    return _NAMES.get(normal_text(text).replace(" AND ", " & "), "") or _NAMES.get(
        " ".join(text.upper().replace(".", " ").split()), ""
    )


def province(text: str) -> str:
    """Return the code of the Canadian province that a text names; empty where it names none.

    Examples
    --------
    >>> province("ON"), province("Québec"), province("Ontario"), province("NY")
    ('ON', 'QC', 'ON', '')
    """
    plain = normal_text(text)
    return plain if plain in PROVINCES else _PROVINCE_NAMES.get(plain, "")


def zip_fits(code: str, state: str) -> bool:
    """Whether five digits, or five and four, are a ZIP code of a State: the post's first three digits say which State it is.

    Examples
    --------
    >>> zip_fits("14512", "NY"), zip_fits("06390-0001", "NY"), zip_fits("60313", "DE"), zip_fits("1451", "NY")
    (True, True, False, False)
    """
    return bool(re.fullmatch(r"\d{5}(?:-\d{4})?", code)) and code[:3] in _ZIPS.get(state, ())


def is_us(country: str) -> bool:
    """Whether a text names the United States; an empty one does not.

    Examples
    --------
    >>> is_us("U.S.A."), is_us("United States"), is_us(""), is_us("Canada")
    (True, True, False, False)
    """
    return " ".join(normal_text(country).split()) in _HOME


def is_country(text: str, *, codes: bool = False) -> bool:
    """Whether a whole text is another country's name; with ``codes``, also whether it is one of ISO's two or three letters.

    Examples
    --------
    >>> is_country("Deutschland"), is_country("U.K."), is_country("FRANCE"), is_country("DE"), is_country("DEU", codes=True)
    (True, True, True, False, True)
    """
    plain = _plain(text)
    return plain in _COUNTRY_NAMES or (codes and plain in _SPELLED)


def spelled_out(country: str) -> str:
    """Return the name of a country that is written as one of ISO's codes; anything else as it is.

    Examples
    --------
    >>> spelled_out("DE"), spelled_out("CAN"), spelled_out("UK"), spelled_out("Suisse")
    ('GERMANY', 'CANADA', 'UK', 'Suisse')
    """
    plain = _plain(country)
    return country if plain in _COUNTRY_NAMES else _SPELLED.get(plain, country)


@lru_cache(maxsize=16_384)
def country_at_end(text: str) -> tuple[str, str]:
    """Return a text without the country at its end, and the country as the text spells it; the text and nothing where it has none.

    Examples
    --------
    >>> country_at_end("OSAKA, JAPAN"), country_at_end("FRANKFURT GERMANY"), country_at_end("MEXICO DF MEXICO")
    (('OSAKA', 'JAPAN'), ('FRANKFURT', 'GERMANY'), ('MEXICO DF', 'MEXICO'))
    >>> country_at_end("LAS CRUCES NEW MEXICO"), country_at_end("SEOUL, Republic of Korea"), country_at_end("PARIS (FRANCE)")
    (('LAS CRUCES NEW MEXICO', ''), ('SEOUL', 'Republic of Korea'), ('PARIS', 'FRANCE'))
    """
    words = [(found.start(), found.end()) for found in re.finditer(r"[^\s,;()/]+", text)]
    for count in range(min(_LONGEST_COUNTRY, len(words)), 0, -1):
        start, end = words[-count][0], words[-1][1]
        if _plain(text[start:end]) in _COUNTRY_NAMES:
            before = _plain(text[slice(*words[-count - 1])]) if count < len(words) else ""
            between = text[words[-count - 1][1] : start] if count < len(words) else ""
            if before in _OF_A_TOWN and not between.strip():
                return text, ""
            return text[:start].rstrip(" ,;(/-"), text[start:end]
    return text, ""


def country_of(text: str) -> str:
    """Return the country at the end of a text, as it stands there; empty for the United States and where there is none.

    Examples
    --------
    >>> country_of("SCOTLAND PH28QJ UK"), country_of("TORONTO ONTARIO CANADA"), country_of("NAPLES NY 14512 USA")
    ('UK', 'CANADA', '')
    """
    return country_at_end(text.strip(" ,."))[1]


def _plain(text: str) -> str:
    return normal_text(text.replace(".", " ") if re.search(r"\.\S", text) else text)


_ZIP = 5


@lru_cache(maxsize=16_384)
def tidy_zip(code: str, extra: str = "", *, state: str = "", home: bool = True) -> str:
    """Write a ZIP code as the post does: five digits, a hyphen before four more. Zeros alone are no code.

    Zeros that a number lost at the front are put back only where the State's own ZIP codes begin with them, and the length says so.

    Parameters
    ----------
    code
        As the layer has it: text, or a number's digits.
    extra
        The four digits after it, where the layer keeps them apart.
    state
        The State of the address, in any spelling.
    home
        Whether it is an address in the United States: elsewhere digits are left as they are.

    Examples
    --------
    >>> tidy_zip("6510", state="CT"), tidy_zip("11001.0"), tidy_zip("145121234"), tidy_zip("14512", "0001"), tidy_zip("0"), tidy_zip("M4V1H", "4")
    ('06510', '11001', '14512-1234', '14512-0001', '', 'M4V1H4')
    >>> tidy_zip("6510"), tidy_zip("2000", state="NY"), tidy_zip("901", state="PR"), tidy_zip("65101234", state="CT"), tidy_zip("5691021")
    ('6510', '2000', '00901', '06510-1234', '5691021')
    >>> tidy_zip("14512-"), tidy_zip("14512-0000"), tidy_zip("60313", home=False)
    ('14512', '14512', '60313')
    """
    text = re.sub(r"\.0*$", "", code.strip())
    plus = re.sub(r"\.0*$", "", extra.strip())
    if not home:
        return text
    if POSTAL_CANADA.fullmatch(text + plus):
        return text + plus
    digits = re.sub(r"[\s-]", "", text)
    if not (digits.isascii() and digits.isdigit()):
        return text
    if not digits.strip("0"):
        return ""
    whole = _with_zeros(digits, state_code(state))
    if len(whole) == 2 * _ZIP - 1:
        first, rest = whole[:_ZIP], whole[_ZIP:]
    elif len(whole) == _ZIP:
        first, rest = whole, plus.zfill(4) if plus.isdigit() and len(plus) < _ZIP else ""
    else:
        return text
    return f"{first}-{rest}" if rest.strip("0") else first


def _with_zeros(digits: str, state: str) -> str:
    """Put back the zeros at the front, of five digits or of nine, where the State has ZIP codes that begin so."""
    for length in (_ZIP, 2 * _ZIP - 1):
        if length - 2 <= len(digits) < length:
            full = digits.zfill(length)
            if zip_fits(full[:_ZIP], state):
                return full
    return digits
