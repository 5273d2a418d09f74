"""Munshi's own layout: the fills of groups and balances, number formats, and which mode stands where."""

from collections.abc import Mapping

from ledger.entries import Group, Mode

GROUP_FILLS: Mapping[Group, str] = {
    "HOME": "FFEE7ADD",
    "PERSONAL": "FF70AD47",
    "WISHLIST": "FFC00000",
    "AVOID": "FFFF0000",
    "PAY HOME": "FFFFFF00",
}
"""of a debit row's C to G and J; transfers and credits are not painted"""
OPENING_FILL = "FF5B9BD5"
CLOSING_FILL = "FF4472C4"
WHITE_TEXT_ON = ("FFC00000", "FF4472C4")
"""fills too dark for black text"""

MONEY_FORMAT = r"[>=100000]##\,##\,##0.00;[<0]-##,##0.00;##,##0.00"
"""groups 1,23,456.50, and -506.00 with its minus

A format has room for two conditions. One must be for the minus, which LibreOffice leaves out of a format's last
section, so that the third size is missing: a crore is grouped 100,00,000.00, and -123,456.50 by thousands.
"""
RUPEE_FORMAT = r'[>=100000]"₹"##\,##\,##0.00;[<0]-"₹"##,##0.00;"₹"##,##0.00'
DATE_FORMAT = "dd-mmm-yyyy"
LAST_VALIDATED_ROW = 2005
"""how far down a ledger sheet offers its lists"""

MONTH_MODES: tuple[Mode, Mode] = ("PHONEPE", "WALLET")
"""of a month's sheet, in the order of the balances in H and I"""
CASH_MODES: tuple[Mode, Mode] = ("MONEY", "BANK")
"""of CASH TRACKER, likewise"""
