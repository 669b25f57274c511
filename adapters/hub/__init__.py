"""The hub: the small neutral vocabulary that every wire is decoded to and encoded from."""
