"""Browser files from npm packages, as they are: see VENDORED.md."""
