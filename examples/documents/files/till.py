"""Counts the cups of a day."""


def count(sales):
    """Cups sold, by shop."""
    cups = {}
    for shop, number in sales:
        cups[shop] = cups.get(shop, 0) + number
    return cups


if __name__ == "__main__":
    print(count([("Harbour", 2), ("Station", 3), ("Harbour", 1)]))
