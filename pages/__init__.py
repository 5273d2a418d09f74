"""One file a screen: read, show, act; no arithmetic."""
