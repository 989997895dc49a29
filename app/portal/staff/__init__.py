"""Pages only for members of staff: accounts, jobs, deliveries, payments, queue."""

from app.portal.staff import accounts, deliveries, jobs, payments, queue

BLUEPRINTS = (accounts.blueprint, jobs.blueprint, deliveries.blueprint, payments.blueprint, queue.blueprint)
