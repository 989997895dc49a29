"""What background processes run: RQ's entry points, the watch over them, the timers."""
