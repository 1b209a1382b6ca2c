"""Speed, always as a ratio against something that runs in the same minute on the same core."""
