"""The register: the database of permits issued, rescinded and voided, and its log."""
