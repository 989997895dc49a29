"""Reviews: claimed, decided, finished."""
