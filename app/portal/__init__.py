"""The portal: HTML pages for customers and staff."""
