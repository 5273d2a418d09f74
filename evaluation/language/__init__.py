"""How well Munshi understands what people write, measured on files of labelled texts that lie elsewhere."""
