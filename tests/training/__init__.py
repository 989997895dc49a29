"""Tests of the training tools."""
