"""The lab measured against itself: what it says where it should say nothing."""
