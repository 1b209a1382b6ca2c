"""What an account is: names, passwords, tokens, limits. No pages."""
