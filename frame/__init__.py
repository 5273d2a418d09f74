"""The window around the pages: session, sidebar, menu, and the look."""
