"""What becomes of the log: deliveries, their attempts and forgotten webhooks go when their time is over."""

from datetime import datetime

from sqlalchemy import and_, delete, or_, select
from sqlalchemy.orm import Session

from app.domain.sending import DeliveryState
from app.domain.webhooks import HELD_KEPT, KEPT
from app.models import Attempt, Delivery, Event, Webhook

BATCH = 1000


def forget(session: Session, now: datetime) -> int:
    """Remove some deliveries whose time is over, with their attempts and test events; how many there were."""
    settled = Delivery.state.in_((DeliveryState.SUCCEEDED, DeliveryState.FAILED))
    lately = and_(Delivery.failed_at.is_not(None), Delivery.failed_at > now - KEPT)
    over = or_(
        and_(settled, Delivery.created_at <= now - KEPT, ~lately),
        and_(Delivery.state == DeliveryState.HELD, Delivery.created_at <= now - HELD_KEPT),
        Delivery.webhook_id.in_(select(Webhook.id).where(Webhook.deleted_at.is_not(None))),
    )
    rows = session.execute(
        select(Delivery.number, Delivery.event_id, Delivery.job_id).where(over).limit(BATCH)
    ).all()
    numbers = [row.number for row in rows]
    session.execute(delete(Attempt).where(Attempt.delivery_number.in_(numbers)))
    session.execute(delete(Delivery).where(Delivery.number.in_(numbers)))
    session.execute(delete(Event).where(Event.id.in_([row.event_id for row in rows if row.job_id is None])))
    empty = ~select(Delivery.number).where(Delivery.webhook_id == Webhook.id).exists()
    session.execute(delete(Webhook).where(Webhook.deleted_at.is_not(None), empty))
    return len(rows)
