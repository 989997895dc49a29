"""Brightlist: a service that turns photos of houses into pictures for listings."""
