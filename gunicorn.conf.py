"""What gunicorn takes up by itself where it is started in this folder, by `flask up` or by hand."""

worker_class = "app.serving.worker.Worker"
workers = 2
threads = 8
loglevel = "warning"
