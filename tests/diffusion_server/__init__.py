"""A picture server with a real, tiny diffusion model behind the images-edit interface.

It runs in an environment of its own (`make build/diffusion.stamp`), which has nothing of the service; the modules of
this package import nothing of it either.
"""
