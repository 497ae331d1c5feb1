"""What the pages of the admin are made of."""
