"""What every HTTP edge shares: reading requests, writing replies, and their description."""
