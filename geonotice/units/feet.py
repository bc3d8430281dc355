"""The two feet, in metres."""

US_SURVEY_FOOT_M = 1200 / 3937
"""The US survey foot in metres (exactly 1200/3937): the foot of New York's State plane, and of everything here."""

INTERNATIONAL_FOOT_M = 0.3048
"""The international foot in metres, shorter by two parts in a million: 2 ft at a coordinate of 1,000,000 ft."""
