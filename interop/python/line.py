"""The line between the harness and a peer: one JSON object per line, commands in, answers and events out."""

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any

Command = Callable[..., Awaitable[Any]]


class Line:
    def __init__(self) -> None:
        # The SDK logs to stdout, where the harness expects answers: what it prints goes to stderr instead.
        self._out = os.fdopen(os.dup(1), "w", buffering=1)
        os.dup2(2, 1)

    def event(self, peer: str, name: str, payload: Any) -> None:
        self._say({"peer": peer, "event": name, "payload": payload})

    async def serve(self, commands: dict[str, Command]) -> None:
        """Carries out commands side by side until the harness closes the line."""
        reader = asyncio.StreamReader(limit=1 << 24)
        loop = asyncio.get_running_loop()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        running: set[asyncio.Task[None]] = set()
        while line := await reader.readline():
            task = asyncio.create_task(self._carry_out(commands, json.loads(line)))
            running.add(task)
            task.add_done_callback(running.discard)
        # Not a return: some releases do not let the event loop end.
        os._exit(0)

    async def _carry_out(self, commands: dict[str, Command], order: dict[str, Any]) -> None:
        try:
            self._say({"id": order["id"], "value": await commands[order["command"]](**order["args"])})
        except Exception as error:  # whatever the SDK raises is an answer for the harness
            fault = {"type": type(error).__name__, "message": str(error)}
            self._say({"id": order["id"], "error": fault})

    def _say(self, message: dict[str, Any]) -> None:
        self._out.write(json.dumps(message, default=str) + "\n")
