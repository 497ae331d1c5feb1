"""The Celery application: what beat starts, and which worker does it."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("laurel")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
