"""Bank and UPI statements, and the messages banks send: read, compared with the book, and made rows to be confirmed."""
