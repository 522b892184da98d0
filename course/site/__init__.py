"""The web edition: both languages as HTML, from the notebooks and READMEs as they are stored."""
