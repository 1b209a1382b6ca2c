"""Many games at once, on cores and GPUs: uniformly random legal play in compiled loops."""
