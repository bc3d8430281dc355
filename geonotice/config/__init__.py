"""The files a person writes: one frozen dataclass each, checked by pydantic only where a file is read."""
