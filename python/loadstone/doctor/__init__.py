"""What `loadstone doctor` knows: facts of this machine, how steady it is, what is missing and how to
get it.
"""
