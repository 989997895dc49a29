"""Says, before anything is changed, what the engine sees in a photo and what each step would do."""
