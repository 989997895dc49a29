"""A picture server with a real, tiny diffusion model behind the images-edit interface.

It runs in an environment of its own (`make build/diffusion.stamp`) that has no package of the service, and its
modules import none of the service's.
"""
