"""What has been done with a folder, kept beside it: so that a second run goes on and never orders twice."""

import hashlib
import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from brightlist.errors import BrightlistError
from brightlist.models import PlaceOrder
from brightlist.private_files import write_private
from brightlist.transport import Transport
from brightlist.uploads import Photo, Upload


class OrderedOtherwise(BrightlistError):
    """The folder was ordered before, with other photos or choices."""


@dataclass
class Resumption:
    """How far a folder has come. An order is noted with its key before it is sent, and its job once it is known."""

    path: Path
    wish: str
    """Tells whether the same was wanted before: photos, choices and service."""
    agreed_cost: float | None = None
    upload: Upload | None = None
    order: PlaceOrder | None = None
    order_key: str | None = None
    job_id: str | None = None

    @classmethod
    def of(
        cls,
        folder: Path,
        photos: Sequence[Photo],
        fields: dict[str, Any],
        transport: Transport,
        *,
        again: bool = False,
    ) -> Self:
        """What is noted of the folder, or a beginning; with `again` always a beginning. What was wanted otherwise
        and not ordered is forgotten. With a test key it is noted apart: it was never charged.

        Raises OrderedOtherwise where it was ordered, or may have been.
        """
        path = folder.with_name(f"{folder.name}.brightlist{'-test' if transport.is_test else ''}.json")
        wish = _describe(photos, fields, transport.root)
        if again or not path.exists():
            return cls(path, wish)
        found = cls._read(path)
        if found.wish == wish:
            return found
        if found.job_id:
            raise OrderedOtherwise(
                f"{folder} was ordered before, with other photos or choices: the job {found.job_id}. Order it anew "
                "with `brightlist enhance --again`."
            )
        if found.order:
            raise OrderedOtherwise(
                f"An order of {folder} with other photos or choices was sent and not answered. Run that command "
                "again first, or forget it with `brightlist enhance --again`."
            )
        return cls(path, wish)

    @classmethod
    def _read(cls, path: Path) -> Self:
        kept = json.loads(path.read_text())
        upload, order = kept.pop("upload"), kept.pop("order")
        return cls(
            path,
            **kept,
            upload=Upload.read(upload) if upload else None,
            order=PlaceOrder.read(order) if order else None,
        )

    def save(self) -> None:
        """Note it now."""
        write_private(
            self.path,
            {
                "wish": self.wish,
                "agreed_cost": self.agreed_cost,
                "upload": self.upload.to_json() if self.upload else None,
                "order": self.order.to_json() if self.order else None,
                "order_key": self.order_key,
                "job_id": self.job_id,
            },
        )

    def agree(self, cost: float) -> None:
        """The user agreed to pay this."""
        self.agreed_cost = cost
        self.save()

    def begin_upload(self, upload: Upload) -> None:
        """Photos are to be sent to these URLs."""
        self.upload = upload
        self.save()

    def begin_order(self, order: PlaceOrder) -> None:
        """This order is about to be sent: whatever happens from now on, it is sent again under the same key."""
        self.order, self.order_key = order, str(uuid.uuid4())
        self.save()

    def forget_order(self) -> None:
        """The order was refused. Its photos are kept: the service makes one order of them at most."""
        self.order = self.order_key = None
        self.save()

    def forget_upload(self) -> None:
        """The photos must be sent again, if they are still to be ordered."""
        self.upload = None
        self.forget_order()

    def end_order(self, job_id: str) -> None:
        """The order became this job; the URLs are of no use any more."""
        self.upload = self.order = self.order_key = None
        self.job_id = job_id
        self.save()


def _describe(photos: Sequence[Photo], fields: dict[str, Any], url: str) -> str:
    found = [(str(each.path), each.type, (stat := each.path.stat()).st_size, stat.st_mtime_ns) for each in photos]
    return hashlib.sha256(json.dumps([found, fields, url], sort_keys=True).encode()).hexdigest()
