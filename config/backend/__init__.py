"""Django's PostgreSQL backend with room for every season's prepared statements."""
