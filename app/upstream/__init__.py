"""The way out: what calls a vendor, one layer a file."""
