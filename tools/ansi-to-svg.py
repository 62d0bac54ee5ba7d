#!/usr/bin/env python3
"""Draws what a terminal shows as an SVG: ./parley --color always demo | tools/ansi-to-svg.py FROM TO >docs/images/demo.svg

FROM and TO are the first and the last line to draw, counted from 1.
"""
import html
import re
import sys

COLOURS = {
    "31": "#f7768e",
    "32": "#9ece6a",
    "33": "#e0af68",
    "34": "#7aa2f7",
    "35": "#bb9af7",
    "36": "#7dcfff",
    "2": "#737aa2",
}
WIDTH, HEIGHT, MARGIN = 8.4, 19, 16


def pieces(line):
    """The pieces of a line: its text, and the colour it is in."""
    colour = None
    for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
        code = re.fullmatch(r"\x1b\[([0-9;]*)m", piece)
        if code:
            colour = COLOURS.get(code.group(1))
        else:
            # Browsers fold blanks, so each run of words is placed by itself.
            for part in re.split(r"( {2,}|^ | $)", piece):
                if part:
                    yield part, colour


def main():
    first, last = int(sys.argv[1]), int(sys.argv[2])
    lines = [line.rstrip("\n") for line in sys.stdin][first - 1 : last]
    plain = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in lines]
    width = max(len(line) for line in plain) * WIDTH + 2 * MARGIN
    height = len(lines) * HEIGHT + 2 * MARGIN
    print(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
        f'viewBox="0 0 {width:.0f} {height}" role="img" '
        'aria-label="Five agents work together; each has a lane, and every line is on the bus">'
    )
    print(f'<rect width="{width:.0f}" height="{height}" rx="8" fill="#1a1b26"/>')
    print('<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" fill="#c0caf5">')
    for number, line in enumerate(lines):
        y = MARGIN + number * HEIGHT + 14
        column = 0
        for text, colour in pieces(line):
            if text.isspace():
                column += len(text)
                continue
            fill = f' fill="{colour}"' if colour else ""
            # A place for each piece: fonts differ in how wide they draw boxes and dots.
            print(
                f'<text x="{MARGIN + column * WIDTH:.1f}" y="{y}"{fill} '
                f'textLength="{len(text) * WIDTH:.1f}">{html.escape(text)}</text>'
            )
            column += len(text)
    print("</g></svg>")


main()
