"""The benchmark: what a gateway costs per upstream event and per request, beside a floor measured in the same run."""
