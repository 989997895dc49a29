"""The steps that ask a generative server, and the gate that holds its answers to the photo."""
