"""The Excel book: read, planned, patched, verified and kept, without harm to anything else in it."""
