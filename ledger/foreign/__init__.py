"""People's own tables and bank statements: recognised by their captions, confirmed by a person, read, never written.

open_book ──Munshi's own layout?──► read_book
│ no                                                  layouts/*.toml
└── a mapping was confirmed? ── yes ──► read_foreign      │
└── no ──► recognise ◄──────────────────────────┘  ──► OtherLayout, carrying what was found
"""

from ledger.entries import Table
from ledger.foreign.mapping import OtherLayout, Question, Recognised, TableMapping, title_of
from ledger.foreign.opening import open_book
from ledger.foreign.reading import read_foreign
from ledger.foreign.recognition import recognise

__all__ = [
    "OtherLayout",
    "Question",
    "Recognised",
    "Table",
    "TableMapping",
    "open_book",
    "read_foreign",
    "recognise",
    "title_of",
]
