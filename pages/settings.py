"""Settings: who uses Munshi, where things are kept, what the environment says."""

from frame import desk, settings_cards
from frame.look import centred, head

bench = desk.workbench()
with centred():
    head("Settings", "What is set here is kept on this machine.")
    settings_cards.show_person(bench, desk.today())
    settings_cards.show_places(bench)
    settings_cards.show_environment()
