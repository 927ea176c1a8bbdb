"""The numbers in the prose of the chapter on real layers, cell by cell and in order."""


def explained():
    layers = 96
    return {"explore-note": [2 * layers]}
