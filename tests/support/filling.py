"""Forms of the viewer, filled in and sent as a browser does it."""

from __future__ import annotations

import html
import json
import re
from typing import Any
from urllib.parse import urlencode

from viewing import HOST, Browser

_FIELD = re.compile(
    r'<(input|select|textarea)([^>]*?) name="([^"]*)"([^>]*)>(?:\n?([^<]*)</textarea>)?'
)


def fields_in(page: str) -> list[tuple[str, str]]:
    """What a browser would send of a form that nobody touched."""
    sent = []
    form = page[page.index('<form method="post" class="form"') :]
    form = form[: form.index("</form>")]
    for tag, before, name, after, text in _FIELD.findall(form):
        given = before + after
        if "disabled" in given:
            continue
        value = re.search(r'value="([^"]*)"', given)
        if tag == "select":
            options = form[form.index(f'name="{name}"') :].partition("</select>")[0]
            chosen = re.findall(r"<option selected>([^<]*)", options)
            sent.append((name, chosen[0] if chosen else re.findall(r"<option>([^<]*)", options)[0]))
        elif tag == "textarea":
            sent.append((name, text))
        elif not re.search('type="(checkbox|radio)"', given) or "checked" in given:
            sent.append((name, value[1] if value else "on"))
    return [(html.unescape(name), html.unescape(text)) for name, text in sent]


def send(client: Browser, address: str, fields: list[tuple[str, str]], do: str = "save") -> Any:
    body = urlencode([*fields, ("do", do)])
    headers = {"Origin": HOST, "Content-Type": "application/x-www-form-urlencoded"}
    return client.post(address, headers=headers, content=body)


def edited(fields: list[tuple[str, str]], **new: str) -> list[tuple[str, str]]:
    return [
        (name, new.get(name.replace(":", "_").replace("/", "_"), text)) for name, text in fields
    ]


def form(client: Browser, path: str, at: str = "") -> tuple[str, list[tuple[str, str]]]:
    address = f"/-/form?{urlencode({'path': path, 'at': at})}"
    answer = client.get(address)
    assert answer.status_code == 200, answer.text[-500:]
    return address, fields_in(answer.text)


def value(client: Browser, path: str) -> Any:
    writer = client.site.documents[0].writer
    assert writer is not None
    return json.loads(writer.read(path))


def labels(client: Browser) -> list[str]:
    return [row["label"] for row in client.get("/-/steps.json").json()["done"]]
