"""Prints sales as pages of a report, with the sum of each page."""

import sys

SALES = [
    ("mon", 12.50),
    ("tue", 8.00),
    ("wed", 15.25),
    ("thu", 9.75),
    ("fri", 21.00),
    ("sat", 30.40),
    ("sun", 4.10),
]


def pages_of(rows, size):
    """Splits rows into pages of a size; the last one may be shorter."""
    count = len(rows) // size
    return [rows[at * size : (at + 1) * size] for at in range(count)]


def total(rows):
    amount = 0.0
    for _, price in rows:
        amount += price
    return round(amount, 2)


def main(size):
    pages = pages_of(SALES, size)
    for number, rows in enumerate(pages, start=1):
        days = " ".join(day for day, _ in rows)
        print(f"page {number}: {days} = {total(rows):.2f}")
    print(f"all: {total([row for rows in pages for row in rows]):.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
