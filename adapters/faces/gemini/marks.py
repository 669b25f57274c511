"""What a step that a client sends back says of the vendor that said it first: its `x_dragoman`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from adapters.hub.items import REASONING, Signature
from adapters.hub.tags import owner, tag_id, tag_new_id, tag_signature
from adapters.responses.annotations import EXTENSION
from adapters.responses.tables import ID_PREFIX
from adapters.wire_json import Json, JsonError, as_list, as_object, as_text, loads

NAME: Final = "gemini"
"""The vendor whose own dialect this is: what carries no mark is its."""

_READ: Final = frozenset({"v", "id", "kind", "continues", "before", "after"})


@dataclass(frozen=True, slots=True)
class Mark:
    """`wire` is the vendor; `id` its own id and `kind` the type of its item, where the step tells neither; `rest` is
    what it alone reads; `before` and `after` are items of vendors that had no step; `continues`: the step goes on with
    the message of the one before it.
    """

    wire: str = NAME
    id: str = ""
    kind: str = ""
    rest: Json = field(default_factory=dict[str, Any])
    before: tuple[Json, ...] = ()
    after: tuple[Json, ...] = ()
    continues: bool = False

    @property
    def foreign(self) -> bool:
        """Whether another vendor than the dialect's own said it."""
        return self.wire != NAME

    def put_on(self, item: Json, id: str = "") -> Json:
        """The item in its vendor's name. `id` is the id that the step shows."""
        if not self.foreign:
            return {**item, "id": id} if id else item
        rest = dict(as_object(self.rest.get("rest")))
        if isinstance(status := rest.pop("status", None), str):
            item = {**item, "status": status}
        rode = {**self.rest, "rest": rest} if rest else {key: self.rest[key] for key in self.rest if key != "rest"}
        kept: Json = {EXTENSION: {"v": self.wire, **rode}} if rode else {}
        return {**item, "id": shown_id(item["type"], self.wire, self.id) if self.id or not id else id, **kept}

    def text_of(self, name: str, value: Json) -> str | None:
        """The vendor's own text of the JSON `value`, as long as it says the same."""
        text = as_text(as_object(self.rest.get("rest")).get(name))
        try:
            return text if text and loads(text) == value else None
        except JsonError:
            return None


def read_mark(*steps: Json) -> Mark:
    """The mark of a step, or of a call and its result together."""
    said: Json = {}
    for step in steps:
        said |= as_object(step.get(EXTENSION))
    wire = as_text(said.get("v")) or NAME
    rest = {key: value for key, value in said.items() if key not in _READ}
    before, after = _riders(said.get("before")), _riders(said.get("after"))
    continues = said.get("continues") is True
    return Mark(wire, as_text(said.get("id")), as_text(said.get("kind")), rest, before, after, continues)


def is_foreign(step: Json, mark: Mark) -> bool:
    """Whether another vendor said the step, as its mark or its id tells."""
    return mark.foreign or owner(as_text(step.get("id")), NAME) != NAME


def goes_on(step: Json, last: Json) -> bool:
    """Whether the step tells more of the message that the step before it, `last`, began."""
    if not step.get("type") == last.get("type") == "model_output":
        return False
    mark, other = read_mark(step), read_mark(last)
    return mark.continues and (mark.wire, mark.id) == (other.wire, other.id)


def _riders(value: Any) -> tuple[Json, ...]:
    return tuple(map(as_object, as_list(value)))


def rider_item(rider: Json) -> Json | None:
    """The item of a vendor that rode with a step, as its client shows it; None where it is none."""
    wire, raw = as_text(rider.get("v")), as_object(rider.get("raw"))
    kind = as_text(raw.get("type"))
    if not kind or not wire:
        return None
    item = {**raw, "id": shown_id(kind, wire, as_text(raw.get("id")))}
    if kind == REASONING and (blob := as_text(raw.get("encrypted_content"))):
        item["encrypted_content"] = shown_signature(Signature(wire, blob))
    return item


def shown_id(kind: str, wire: str, id: str, new: str = "") -> str:
    """The id of another vendor's item as clients know it; of `new` where the vendor gave none."""
    prefix = ID_PREFIX.get(kind, "item_")
    return tag_id(prefix, wire, id) if id else tag_new_id(prefix, wire, new)


def shown_signature(signature: Signature) -> str:
    """A vendor's signature as clients know it."""
    return tag_signature(signature, NAME)


def without_mark(value: Json) -> Json:
    """An object without the gateway's own key."""
    return {key: inner for key, inner in value.items() if key != EXTENSION} if EXTENSION in value else value
