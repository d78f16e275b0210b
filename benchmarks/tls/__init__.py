"""What TLS costs builds of the engine and the echo backend that differ in their cryptography."""
