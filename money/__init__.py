"""How money and dates are written: parsed strictly, printed the Indian way."""
