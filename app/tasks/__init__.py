"""The work of background processes: functions that RQ calls, renewal of leases, timers."""
