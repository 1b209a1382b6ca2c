"""For those who run the site: is it well (`/healthz`), and its figures (`/metrics`)."""
