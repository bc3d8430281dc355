"""Lots and what is searched among them: the command line and the maps' search must find the same."""

from geonotice.search import Entry

LOTS = (
    Entry("0900-100.00-01.00-015.001", "1 MAIN ST", ("SMITH ANN",)),
    Entry("0900-100.00-01.00-016.000", "11 MAIN ST", ("DOE JANÉ", "DOE JOHN")),
    Entry("0900-100.00-01.00-017.000", "1 MAIN ST UNIT 2", ("O'BRIEN & SONS LLC",)),
    Entry("0900-100.00-01.00-018.000", "21 N Main Street", ("MAIN STREET HOLDINGS",)),
    Entry("0900-100.00-02.00-001.000", "2351 Montauk Hwy", ("TOWN OF X",), ("473689 100-2-1",)),
    Entry("0900-100.00-02.00-002.000", "2353 MONTAUK HIGHWAY", ("ST. MARY'S CHURCH",)),
    Entry("0900-100.00-03.00-001.000", "10 SECOND, PENN YAN", ("ROE",)),
    Entry("0900-100.00-03.00-002.000", "12 Saint Andrews Rd", ()),
    Entry("0900-100.00-03.00-003.000", "4417 CR 12", ("MUÑOZ PEDRO",)),
    Entry("572400/12.1-1-1", "5 ELM AVE", ("TWIN",)),
    Entry("572600/12.1-1-1", "6 ELM AVE", ("TWIN",)),
    Entry("#17", "", ("COUNTY OF YATES",)),
    Entry("51.00-1-1", "7 LAKE SHORE DR W", ("WEST",)),
)

FOUND: dict[str, tuple[int, ...]] = {
    "1 MAIN ST": (0,),
    "1 main street": (0,),
    "1 MAIN": (0, 2),
    "11 Main St.": (1,),
    "Montauk Highway": (4, 5),
    "montauk hwy": (4, 5),
    "2351 Montauk Highway": (4,),
    "North Main": (3,),
    "21 n. main st": (3,),
    "10 Second Street": (6,),
    "10 2nd, Penn Yan": (6,),
    "12 St Andrews Road": (7,),
    "4417 County Road 12": (8,),
    "munoz": (8,),
    "obrien and sons": (2,),
    "saint marys": (5,),
    "900-100-1-15.1": (0,),
    "100-1-15.1": (0,),
    "100-1-16": (1,),
    "0900100000100015001": (0,),
    "473689 100-2-1": (4,),
    "17": (11,),
    "#17": (11,),
    "51-1-1": (12,),
    "12.1-1-1": (9, 10),
    "7 lakeshore": (),
    "7 Lake Shore Drive West": (12,),
    "doe john": (1,),
    "elm": (9, 10),
    "5 Elm Road": (9,),
    "nobody": (),
}
"""A query, and the places of the lots that are meant."""
