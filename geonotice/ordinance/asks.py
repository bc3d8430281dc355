"""What each check decides, in words: shown beside a rule, so that whoever reads a profile against the law sees what the program will ask.

The guide's table says the same, word for word; a test holds the two together.
"""

__all__ = ["CHECK_ASKS"]

CHECK_ASKS: dict[str, str] = {
    "access": "at least one access road is stated; whether they are enough stays with the official",
    "acreage": "the premises have at least so many acres, by the map",
    "advertise": "its principal purpose is not to advertise goods",
    "agent": "an applicant who does not reside in the town (not: the county) names an agent in the county",
    "alcohol": "a reminder where alcohol is served on Town property",
    "amendment": "a change of the event is filed in time",
    "animals": "a reminder where there are animals",
    "appeal": "an appeal is filed in time",
    "camping": "an event that runs into another day has camping or housing",
    "cap_exempt": "whether the property belongs entirely to an owner whom the caps do not bind",
    "cap_other": "fewer events than the cap this year, on a property outside residential districts or in both",
    "cap_residential": "fewer permits than the cap this year, on a property in a residential district",
    "capacity": "a reminder with area, frontage, access roads, and the ground for each person",
    "certificates": "the structures on the property have valid certificates of occupancy",
    "charity_benefit": "the event benefits a local charitable organization, whatever the district and whether or not it charges",
    "charity_proof": "a reminder to an applicant that is no charity",
    "distinct_events": "one event goes on under one application: distinct events need one each",
    "entry": "owner and tenant let the Town enter to inspect and clean",
    "exempt_events": "whether it is one of the exempt events of Southampton 283-2A(3)",
    "expressive_notice": "a reminder for expressive activity",
    "facility": "a reminder where it is in a Town building or on Town grounds",
    "factors": "a reminder with the area and the number of persons",
    "filed_before": "the application was filed so many days before the event",
    "highway": "a reminder where a parade closes a Town highway",
    "history_years": "a reminder with the permits rescinded in so many years",
    "hours": "the event begins and ends within the hours of the day; where it runs over several days, a person looks at the nights",
    "insurance": "the policy has at least these limits, is not cancelled on shorter notice, and names the Town",
    "lights": "none of these exterior lights is used",
    "other_property": "no violations on the applicant's other property: weighed, no bar",
    "outdoor_sale": "it is not primarily an outdoor sale, but on premises of these owners",
    "owner_consent": "an applicant who does not own the property has the owner's statement",
    "parade_interval": "no other parade within so many days, between Memorial Day and Labor Day",
    "parking": "room for at least one car for so many persons",
    "profit": "it is not both largely for private profit and without a substantial donation to a charity",
    "rides": "no carnival rides on a residential lot, unless it is municipal or beside a State or county road or the Long Island Rail Road",
    "security_plan": "for more than so many persons a security plan is submitted",
    "setbacks": "what is drawn keeps the yards of the district, the clause's own distance, and the officials' buffer",
    "signs": "signs go up no sooner, and come down no later, than the periods say; on county and State roads with that agency's approval",
    "statement": "a reminder with the answers that are not given yet",
    "tents": "tents go up no sooner, and come down no later, than the periods say, and stand no longer in all",
    "violations": "no outstanding violations and no unsatisfied conditions on the property (of the applicant it asks nothing)",
    "waiver": "a reminder with what is stated as waived",
    "yard_sale": "whether a yard sale keeps to the days and hours that make it exempt",
}
"""By the name of the check."""
