"""Holding a service to its CPUs and memory: control groups of either version, or what is left
without.
"""
