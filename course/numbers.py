"""Stub until the real one is merged."""


def disagreement(a, b):
    return []


def evaluated(a, b):
    return []
