"""What Agents and Computers of the official package have in common."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from a2c_smcp.smcp import SMCP_NAMESPACE

NOTIFICATIONS = [
    "notify:enter_office",
    "notify:leave_office",
    "notify:update_config",
    "notify:update_tool_list",
    "notify:update_desktop",
    "notify:update_skills",
    "notify:tool_call_cancel",
]


def overhear(client: Any, hear: Callable[[str, Any], None]) -> None:
    """Reports every notification to the harness and leaves its handling to the SDK, if it has a handler."""
    handlers = client.handlers.get(SMCP_NAMESPACE, {})
    for event in NOTIFICATIONS:
        client.on(event, _chain(event, handlers.get(event), hear), namespace=SMCP_NAMESPACE)


def _chain(event: str, handler: Any, hear: Callable[[str, Any], None]) -> Any:
    async def heard(data: Any) -> None:
        hear(event, data)
        if handler is not None:
            await handler(data)

    return heard


_returning: set[asyncio.Task[Any]] = set()


def join_again(client: Any, join: Callable[[], Awaitable[Any]] | None) -> None:
    """After a lost connection the SDK comes back by itself, but leaves it to its user to join again."""

    async def returned() -> None:
        if join is not None:
            # Not awaited: the SDK goes on connecting only when this handler has returned.
            task = asyncio.ensure_future(join())
            _returning.add(task)
            task.add_done_callback(_returning.discard)

    client.on("connect", returned, namespace=SMCP_NAMESPACE)


async def explain_refusal(client: Any, connecting: Awaitable[None]) -> None:
    """Connects. The reason of a refusal is not in the exception but in an event of its own."""
    reasons: list[Any] = []

    async def refused(reason: Any = None) -> None:
        reasons.append(reason)

    client.on("connect_error", refused, namespace=SMCP_NAMESPACE)
    try:
        await connecting
    except Exception as error:
        if reasons:
            raise ConnectionError(f"{error}: {reasons}") from error
        raise


async def refused_join(client: Any, *, role: str, name: str, office: str) -> str:
    """Asks to join where that must be refused, and returns the reason. Agents of the SDK never ask, they only tell."""
    request = {"role": role, "name": name, "office_id": office}
    joined, reason = await client.call("server:join_office", request, namespace=SMCP_NAMESPACE, timeout=10)
    if joined:
        raise RuntimeError(f"{role} {name} was let into {office}")
    return str(reason)
