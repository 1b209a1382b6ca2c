"""From data to HTML: templates, boards, plots, Markdown."""
