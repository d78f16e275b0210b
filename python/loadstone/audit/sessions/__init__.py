"""Rules on sessions: how they ended, and what they were made with."""
