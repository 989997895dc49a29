"""Pages for members of staff: accounts, jobs, deliveries, payments, queue. For all others there are none."""

from app.portal.staff import account_deeds, accounts, deliveries, job_deeds, jobs, payments, queue

BLUEPRINTS = (accounts.blueprint, jobs.blueprint, deliveries.blueprint, payments.blueprint, queue.blueprint)

__all__ = ["BLUEPRINTS", "account_deeds", "job_deeds"]
