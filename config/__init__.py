"""Settings, edges of the project, and the kit that every app stands on."""
