"""A Computer drops all letters outside of ASCII from the name of an uploaded file, and with them the dot before its ending."""

import sys

from a2c_smcp.computer.blob import sanitize_name_hint

landed = sanitize_name_hint("报告.xlsx")
print(f"'报告.xlsx' lands as '<id>_{landed}'")
sys.exit(0 if not landed.endswith(".xlsx") else 1)
