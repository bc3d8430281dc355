"""The use cases, called by the command line, the web and Python alike."""
