"""Windows and documents for MCP servers of the official Python SDK (mcp 2.3 or later), in one file to copy.

    desk = Windows(server, host="com.example.build")
    log = desk.open("log", text="Nothing was built yet.", title="Build log", priority=0.8)
    await log.set("Built everything.")        # announced if the text differs

    library = Documents(server, source, host="com.example.library")
    await library.changed("report")           # without a reference: documents came or went

A source has `list()`, which returns documents as dictionaries with `ref` and `title`, and `open(ref)`, which returns pages: a
text, or a dictionary with `title` and `elements`. An element is a text, or a dictionary with `category` and `content`. Both
methods may be async. Clients of both eras of MCP are served. Make both objects before the server runs.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import weakref
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

import mcp_types as types
from mcp.server.lowlevel.server import NotificationOptions
from mcp.server.mcpserver import MCPServer
from mcp.server.subscriptions import ResourcesListChanged, ResourceUpdated
from mcp.shared.exceptions import MCPError

FIRST_MODERN_REVISION = "2026-07-28"
DOCUMENT_NOT_FOUND, PAGE_OUT_OF_RANGE, ELEMENT_NOT_FOUND, INVALID_DPE_URI = 4201, 4202, 4203, 4204
CATEGORIES = set(
    "text heading list code table pivot_table chart diagram image formula link annotation header footer separator "
    "audio video form widget".split()
)


def finder_error(code: int, message: str, **details: Any) -> MCPError:
    """One of the Finder's four errors."""
    return MCPError(code, message, details)


class Windows:
    """The windows of one server."""

    def __init__(self, server: MCPServer, host: str) -> None:
        self._host = host
        self._published = _published(server)
        self._windows: dict[str, Window] = {}
        self._published.owners.append(self)

    def open(self, *path: str, text: str = "", title: str | None = None, priority: float = 0.5,
             fullscreen: bool = False, audience: tuple[str, ...] = ("assistant",)) -> Window:
        """Opens a window at `window://host/path…`. After the server has started, `await announce()` tells clients."""
        uri = "/".join(["window:/", self._host, *(quote(segment, safe="") for segment in path)])
        if uri in self._windows:
            raise ValueError(f"The window '{uri}' is open already")
        if not 0 <= priority <= 1:
            raise ValueError(f"The priority of '{uri}' must be from 0 to 1, not {priority}")
        name = title or (path[-1] if path else self._host)
        resource = types.Resource(
            uri=uri, name=name, title=name, mime_type="text/plain",
            annotations=types.Annotations(priority=priority, audience=list(audience)),
            _meta={"fullscreen": True} if fullscreen else None,
        )
        self._windows[uri] = Window(self, uri, resource, text)
        return self._windows[uri]

    async def announce(self) -> None:
        """Announces that windows were opened."""
        await self._published.list_changed()

    templates: list[types.ResourceTemplate] = []

    def owns(self, uri: str) -> bool:
        return uri in self._windows

    async def list(self) -> list[types.Resource]:
        return [window.resource for window in self._windows.values()]

    async def read(self, uri: str) -> tuple[str, str]:
        return "text/plain", self._windows[uri].text


@dataclass
class Window:
    """An open window."""

    desk: Windows
    uri: str
    resource: types.Resource
    text: str

    async def set(self, text: str) -> None:
        """Shows another text. The same text is not announced; a window that was closed stays closed."""
        if text == self.text or not self.desk.owns(self.uri):
            return
        self.text = text
        await self.desk._published.updated(self.uri)

    async def close(self) -> None:
        if self.desk._windows.pop(self.uri, None) is not None:
            await self.desk.announce()


class Documents:
    """The documents of one source on one server."""

    def __init__(self, server: MCPServer, source: Any, host: str) -> None:
        self._host = host
        self._source = source
        self._published = _published(server)
        self._published.owners.append(self)
        document = f"dpe://{host}/{{doc_ref}}"
        self.templates = [
            types.ResourceTemplate(uri_template=f"{document}/pages/{{page_index}}", name="page"),
            types.ResourceTemplate(uri_template=f"{document}/elements/{{element_id}}", name="element"),
        ]

    async def changed(self, *refs: str) -> None:
        """Announces that documents with these references changed, or, without any, that documents came or went."""
        for uri in [*(self._uri(ref) for ref in refs), f"dpe://{self._host}"]:
            await self._published.updated(uri)
        if not refs:
            await self._published.list_changed()

    def owns(self, uri: str) -> bool:
        return urlsplit(uri).scheme == "dpe" and urlsplit(uri).netloc == self._host

    async def list(self) -> list[types.Resource]:
        return [
            types.Resource(
                uri=facts["uri"], name=facts["title"], title=facts["title"], description=facts.get("summary"),
                annotations=types.Annotations(last_modified=facts.get("last_modified")),
                _meta={key: facts[key] for key in ("file_type", "file_uri", "keywords") if key in facts},
            )
            for facts in [self._facts(info) for info in await _given(self._source.list())]
        ]

    async def read(self, uri: str) -> tuple[str, str]:
        return "application/json", json.dumps(await self._read(uri), ensure_ascii=False)

    async def _read(self, uri: str) -> dict[str, Any]:
        parts = urlsplit(uri)
        query = {key: values[0] for key, values in parse_qs(parts.query).items()}
        path = [unquote(segment) for segment in parts.path.split("/")[1:]]
        infos = await _given(self._source.list())
        try:
            offset, limit = int(query.get("offset", 0)), int(query.get("limit", 20))
            if not path or path == [""]:
                end = offset + limit if "limit" in query else None
                documents = [self._facts(info) for info in infos[offset:end]]
                return {"documents": documents, "total_count": len(infos)}
            ref, kind, number = path if len(path) == 3 else (path[0], None, "") if len(path) == 1 else ("", "?", "")
            if kind not in (None, "pages", "elements") or (kind == "pages" and not number.isdigit()):
                raise ValueError
        except ValueError:
            raise finder_error(INVALID_DPE_URI, f"Invalid DPE URI '{uri}'", uri=uri) from None
        info = next((info for info in infos if info["ref"] == ref), None)
        if info is None:
            raise finder_error(DOCUMENT_NOT_FOUND, f"No document '{ref}'", doc_ref=ref)
        pages = _pages(await _given(self._source.open(ref)))
        if kind is None:
            return self._document(info, pages, query, offset, limit)
        if kind == "elements":
            return self._element(ref, pages, number, query)
        return self._page(ref, pages, int(number), query)

    def _document(self, info: dict[str, Any], pages: list[_Page], query: dict[str, str], offset: int, limit: int) -> dict[str, Any]:
        document = {**self._facts(info), "page_count": len(pages)}
        if query.get("depth") != "pages":
            return document
        summaries = [
            {"page_index": index, "title": page.title, "element_count": len(page.elements),
             "uri": f"{self._uri(info['ref'])}/pages/{index}", "doc_ref": info["ref"]}
            for index, page in enumerate(pages)
        ]
        return {**document, "pages": summaries[offset : offset + limit], "page_offset": offset, "page_limit": limit,
                "page_total": len(pages)}

    def _page(self, ref: str, pages: list[_Page], index: int, query: dict[str, str]) -> dict[str, Any]:
        if index >= len(pages):
            raise finder_error(PAGE_OUT_OF_RANGE, f"No page {index}: '{ref}' has {len(pages)}", doc_ref=ref,
                               page_index=index, page_count=len(pages))
        wanted = query.get("categories")
        elements = [e for e in pages[index].elements if wanted is None or e["category"] in wanted.split(",")]
        page = {"page_index": index, "title": pages[index].title, "doc_ref": ref, "uri": f"{self._uri(ref)}/pages/{index}",
                "elements": elements, "element_count": len(elements)}
        return {**page, **_rendering("\n\n".join(_markdown(element) for element in elements), query)}

    def _element(self, ref: str, pages: list[_Page], element_id: str, query: dict[str, str]) -> dict[str, Any]:
        for index, page in enumerate(pages):
            for element in page.elements:
                if element["element_id"] == element_id:
                    found = {"metadata": {}, **element, "doc_ref": ref, "page_index": index,
                             "uri": f"{self._uri(ref)}/elements/{quote(element_id, safe='')}"}
                    return {**found, **_rendering(_markdown(element), query)}
        raise finder_error(ELEMENT_NOT_FOUND, f"No element '{element_id}' in '{ref}'", doc_ref=ref, element_id=element_id)

    def _facts(self, info: dict[str, Any]) -> dict[str, Any]:
        facts = {"doc_ref": info["ref"], "uri": self._uri(info["ref"]), "file_uri": info.get("file_uri", ""),
                 "file_type": info.get("type", ""), "title": info["title"], "page_count": info.get("page_count", 0)}
        return {**facts, **{key: info[key] for key in ("keywords", "summary", "last_modified") if key in info}}

    def _uri(self, ref: str) -> str:
        return f"dpe://{self._host}/{quote(ref, safe='')}"


@dataclass
class _Page:
    title: str
    elements: list[dict[str, Any]]


def _pages(given: list[Any]) -> list[_Page]:
    """Pages with elements that have ids. An id comes from the content, so that it survives changes elsewhere."""
    seen: dict[str, int] = {}
    pages = []
    for index, page in enumerate(given):
        page = {"elements": [page]} if isinstance(page, str) else page
        elements = []
        for element in page["elements"]:
            element = {"category": "text", "content": {"text": element}} if isinstance(element, str) else dict(element)
            if element["category"] not in CATEGORIES:
                raise ValueError(f"'{element['category']}' is no category of elements")
            digest = hashlib.sha256(json.dumps(element, sort_keys=True).encode()).hexdigest()[:10]
            element_id = element.pop("id", f"{element['category']}-{digest}")
            seen[element_id] = seen.get(element_id, 0) + 1
            suffix = f"-{seen[element_id]}" if seen[element_id] > 1 else ""
            summary = str(element["content"].get("text", json.dumps(element["content"], ensure_ascii=False)))[:120]
            elements.append({"element_id": element_id + suffix, "summary": summary, **element})
        pages.append(_Page(page.get("title") or f"Page {index + 1}", elements))
    return pages


def _rendering(markdown: str, query: dict[str, str]) -> dict[str, str]:
    return {f"content_{query['format']}": markdown} if query.get("format") in ("markdown", "text") else {}


def _markdown(element: dict[str, Any]) -> str:
    content = element["content"]
    match element["category"]:
        case "text":
            return content["text"]
        case "heading":
            return f"{'#' * content.get('level', 1)} {content['text']}"
        case "list":
            marks = (f"{number}." if content.get("ordered") else "-" for number in range(1, len(content["items"]) + 1))
            return "\n".join(f"{mark} {item}" for mark, item in zip(marks, content["items"]))
        case "code":
            return f"```{content.get('language', '')}\n{content['text']}\n```"
        case "table":
            rows = [content["headers"], ["---"] * len(content["headers"]), *content["rows"]]
            return "\n".join("| " + " | ".join(str(cell) for cell in row) + " |" for row in rows)
        case category:
            return f"[{category}: {element['summary']}]"


@dataclass
class _Published:
    """All windows and documents of one server, and the author's own resources behind them."""

    server: MCPServer
    owners: list[Windows | Documents] = field(default_factory=list)
    subscriptions: dict[str, weakref.WeakSet[Any]] = field(default_factory=dict)
    connections: weakref.WeakSet[Any] = field(default_factory=weakref.WeakSet)

    def install(self) -> None:
        lowlevel = self.server._lowlevel_server
        own = {entry: lowlevel.get_request_handler(f"resources/{entry}") for entry in ("list", "read", "templates/list")}

        async def list_resources(ctx: Any, params: Any) -> types.ListResourcesResult:
            self._meet(ctx)
            ours = [resource for owner in self.owners for resource in await owner.list()]
            others = await own["list"].handler(ctx, params)
            return types.ListResourcesResult(resources=[*ours, *others.resources])

        async def list_templates(ctx: Any, params: Any) -> types.ListResourceTemplatesResult:
            ours = [template for owner in self.owners for template in owner.templates]
            others = await own["templates/list"].handler(ctx, params)
            return types.ListResourceTemplatesResult(resource_templates=[*ours, *others.resource_templates])

        async def read(ctx: Any, params: Any) -> Any:
            uri = str(params.uri)
            owner = next((owner for owner in self.owners if owner.owns(uri)), None)
            if owner is None:
                return await own["read"].handler(ctx, params)
            mime_type, text = await owner.read(uri)
            contents = [types.TextResourceContents(uri=uri, mime_type=mime_type, text=text)]
            return types.ReadResourceResult(contents=contents)

        async def subscribe(ctx: Any, params: Any) -> types.EmptyResult:
            self._meet(ctx)
            self.subscriptions.setdefault(str(params.uri), weakref.WeakSet()).add(_connection(ctx))
            return types.EmptyResult()

        async def unsubscribe(ctx: Any, params: Any) -> types.EmptyResult:
            self.subscriptions.get(str(params.uri), weakref.WeakSet()).discard(_connection(ctx))
            return types.EmptyResult()

        lowlevel.add_request_handler("resources/list", types.PaginatedRequestParams, list_resources)
        lowlevel.add_request_handler("resources/templates/list", types.PaginatedRequestParams, list_templates)
        lowlevel.add_request_handler("resources/read", types.ReadResourceRequestParams, read)
        lowlevel.add_request_handler("resources/subscribe", types.SubscribeRequestParams, subscribe)
        lowlevel.add_request_handler("resources/unsubscribe", types.UnsubscribeRequestParams, unsubscribe)
        options = lowlevel.create_initialization_options
        changes = NotificationOptions(resources_changed=True)
        lowlevel.create_initialization_options = lambda given=None, *rest: options(given or changes, *rest)

    def _meet(self, ctx: Any) -> None:
        if ctx.protocol_version < FIRST_MODERN_REVISION:
            self.connections.add(_connection(ctx))

    async def updated(self, uri: str) -> None:
        """Clients of 2025 subscribe to single resources; those of 2026 listen to a stream that the SDK filters."""
        await self.server._subscriptions.publish(ResourceUpdated(uri=uri))
        for subscribed, connections in list(self.subscriptions.items()):
            if subscribed == uri or (uri.count("/") > 2 and subscribed.startswith((f"{uri}/", f"{uri}?"))):
                for connection in list(connections):
                    await connection.send_resource_updated(subscribed)

    async def list_changed(self) -> None:
        await self.server._subscriptions.publish(ResourcesListChanged())
        for connection in list(self.connections):
            await connection.send_resource_list_changed()


_all: weakref.WeakKeyDictionary[MCPServer, _Published] = weakref.WeakKeyDictionary()


def _published(server: MCPServer) -> _Published:
    if server not in _all:
        _all[server] = _Published(server)
        _all[server].install()
    return _all[server]


def _connection(ctx: Any) -> Any:
    """The connection of a request. The session of a context ends with its request."""
    return ctx.session._connection


async def _given(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value
