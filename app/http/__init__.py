"""The way in: what HTTP asks of every route."""
