"""What background processes run: the functions that RQ calls, the watch over claims, the timers."""
