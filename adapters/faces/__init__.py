"""Dialects that clients speak, where their words are not the common ones: requests retold, answers written."""
