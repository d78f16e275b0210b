"""What a finding is: a reason to doubt a figure, what it is about, and what it withholds."""
