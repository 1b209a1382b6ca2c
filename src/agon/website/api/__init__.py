"""The JSON API under /api/v1: everything that can be done on the site, for programs."""
