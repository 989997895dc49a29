"""The command line for folders of photos: finds them, processes them in parallel, writes results and a report."""
