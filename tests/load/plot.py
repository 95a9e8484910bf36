"""How cost grows, as a small SVG: no library for a few lines."""

from pathlib import Path
from typing import Any

WIDTH, HEIGHT, LEFT, BOTTOM, GAP = 280, 190, 46, 30, 20
LETTER, LINE = 5.4, 12
"""What a label needs to the right of its line's end, a letter, and from one label to the next."""
SERIES = {"fairway": "#0a6b3d", "fairway, compiled": "#2458a8", "echo": "#b0532a"}
NAMES = {"echo": "L1"}
Series = dict[str, list[tuple[float, float]]]


def draw(rows: dict[tuple[str, int, str], dict[str, float]], small: dict[str, Any], to: Path) -> None:
    """Write the plot: CPU a move by matches and by players at a human pace, and a move's rules by match length.

    `small` has what `micro.measure` gave, by server.
    """
    closed, pace = (
        {
            name: [
                (matches * scale, row["server_ms"])
                for (kind, matches, server), row in rows.items()
                if (kind, server) == (wanted, name)
            ]
            for name in SERIES
        }
        for wanted, scale in (("closed", 1), ("pace", 4))
    )
    length = {name: [(int(n), us) for n, us in own["move_us_by_holes"].items()] for name, own in small.items()}
    panels = [
        ("Server CPU, ms per 1,000 moves, by matches at once", closed),
        ("The same at 1 move/s each, by players", pace),
        ("Decide, evolve and one view, us, by holes a match", length),
    ]
    panels = [(title, series) for title, series in panels if any(series.values())]
    labels = [NAMES.get(name, name) for _, series in panels for name, points in series.items() if points]
    wide = WIDTH + max((len(label) for label in labels), default=0) * LETTER + GAP
    body = "".join(
        f'<g transform="translate({index * wide:.0f},0)">{_panel(title, series)}</g>'
        for index, (title, series) in enumerate(panels)
    )
    to.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {len(panels) * wide:.0f} {HEIGHT + 24}" '
        f'font-family="sans-serif" font-size="10"><rect width="100%" height="100%" fill="#fff"/>{body}</svg>\n'
    )


def _panel(title: str, series: Series) -> str:
    names = sorted({x for points in series.values() for x, _ in points})
    top = 1.15 * max(y for points in series.values() for _, y in points)
    step = (WIDTH - LEFT) / max(1, len(names) - 1)

    def place(x: float, y: float) -> tuple[float, float]:
        return LEFT + names.index(x) * step, 24 + (HEIGHT - BOTTOM) * (1 - y / top)

    parts = [f'<text x="{LEFT}" y="14" font-weight="bold">{title}</text>']
    for mark in range(5):
        y = place(names[0], top * mark / 4)[1]
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 3:.1f}" text-anchor="end">{top * mark / 4:.0f}</text>')
    parts += [f'<text x="{place(x, 0)[0]:.1f}" y="{HEIGHT + 10}" text-anchor="middle">{x:,.0f}</text>' for x in names]
    ends = []
    for name, points in series.items():
        if not points:
            continue
        spots = [place(*point) for point in points]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{SERIES[name]}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{SERIES[name]}"/>' for x, y in spots]
        ends.append((spots[-1], name))
    free = float("inf")
    for (_, y), name in sorted(ends, key=lambda end: -end[0][1]):  # beyond all lines, from below, none over another
        free = min(y, free - LINE)
        parts.append(f'<text x="{WIDTH + 7}" y="{free + 3:.1f}" fill="{SERIES[name]}">{NAMES.get(name, name)}</text>')
    return "".join(parts)
