"""A Computer does not listen to notify:tool_call_cancel: a cancelled call runs on."""

import sys

from a2c_smcp.computer import Computer, SMCPComputerClient

client = SMCPComputerClient(computer=Computer(name="c"))
listened = sorted(client.handlers["/smcp"])
print(f"the Computer listens to {', '.join(listened)}")
sys.exit(0 if "notify:tool_call_cancel" not in listened else 1)
