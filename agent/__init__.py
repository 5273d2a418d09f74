"""The conversation: what a message means, what is done about it, and how that is told."""
