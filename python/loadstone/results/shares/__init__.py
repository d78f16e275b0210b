"""The shares of one load that several engines carried out, added up: exactly, or left out."""
