"""Things taken out of a room: what was behind them continues by the room's own planes, light and pattern."""
