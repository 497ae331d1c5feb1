"""`manage.py benchmark`: seasons of real size, load as in production, and yardsticks beside."""
