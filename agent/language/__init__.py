"""Understanding without a model: transactions, edits, consent, questions and intents, as pure functions."""
