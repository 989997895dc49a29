"""Learning to see scenes: outlines, renders, the net and its training. The product never imports this."""
