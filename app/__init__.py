"""The gateway: everything that touches the world."""
