"""Gemini Interactions, as clients speak and read it."""
