"""Houses, gardens, streets and rooms drawn at random and rendered with exact labels, to train and to measure on."""
