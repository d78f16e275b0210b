"""A study of many arms as the lab leaves it: long runs of several operations, made in minutes.

What `corpus` simulates event by event is drawn here in whole arrays, and the histogram log is encoded a
run at a time, since a large study has a million lines of it.
"""
