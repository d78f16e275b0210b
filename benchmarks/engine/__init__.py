"""The load engine against its peers: cost per request, punctuality, truth, behaviour under faults.

Bars are judged here and nowhere in the tests, since they are times of a machine.
"""
