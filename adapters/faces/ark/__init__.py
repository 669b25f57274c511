"""Ark Responses, as clients speak and read it."""
