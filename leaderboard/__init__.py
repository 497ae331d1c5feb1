"""Where one stands: versions, buckets, ranks and every read of them."""
