"""The Responses wire family: what OpenAI and Ark have in common, which is nearly everything."""
