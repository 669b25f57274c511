"""What the gateway answers, one module a kind of path."""
