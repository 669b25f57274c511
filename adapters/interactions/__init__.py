"""The Interactions wire: steps and their deltas, as Google's APIs speak it."""
