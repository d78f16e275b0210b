"""What driving many machines costs the driver: their labs are made up, their run folders are real."""
