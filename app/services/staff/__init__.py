"""What members of staff see and change: accounts, jobs, deliveries, payments, queues."""
