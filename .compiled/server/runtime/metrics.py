"""What is counted while the server runs, and how it is shown to Prometheus.

Counting is an addition to a plain dict: the Prometheus library only writes the answer. A scrape reaches any one of
the workers, which share a port; so each leaves its figures with the engine, and whoever is asked shows all of them,
by worker.
"""

import json
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

COUNTERS: Final[Mapping[str, tuple[str, str]]] = {
    "connections": ("Connections that were greeted.", ""),
    "moves": ("Plays, draws and undos that were stored, by the worker that took them.", ""),
    "entries": ("Entries applied, of all kinds.", "kind"),
    "refusals": ("Commands refused, by code.", "code"),
    "errors": ("Messages answered with an error, by code.", "code"),
    "resumes": ("Pages that came back, by what they were given: tail or snapshot.", "with"),
    "overflows": ("Connections ended because their reader fell behind.", ""),
    "solved": ("Deals whose best was found, by where: kept with the engine, or worked out anew.", "where"),
    "engine_errors": ("Failures of the engine, by code.", "code"),
    "house_players_called": ("House players called to a match, anew ones and those that come back.", ""),
    "engine_reconnects": ("Times the engine's connection came back.", ""),
}
GAUGES: Final[Mapping[str, str]] = {
    "open_connections": "Connections now.",
    "rooms": "Matches held now.",
    "sessions": "Connections in a match now.",
    "outages": "Outages of the engine that are remembered.",
    "tasks": "Background tasks now.",
    "opening": "Matches that are being loaded.",
    "subscriptions": "Channels listened to.",
    "appends_waiting": "Commands that the engine has not answered.",
    "unreplicated": "Appends acked before as many replicas as are wanted had them.",
    "letters": "Commands that wait in a match's mailbox.",
    "leases_to_end": "Matches with leases that are still to be ended.",
    "lines": "Connections of every kind, before and after their handshake.",
    "turned_away": "Connections ended at once because there were too many.",
    "closing": "Connections that are being closed.",
    "lobby_lookers": "Connections that look at the list of rooms.",
    "waiting": "Connections that wait for a quick match.",
    "house_players": "House players that this worker runs.",
    "rounds_in_company": "Rounds of courses with ghosts beside them.",
    "solving": "Deals that are being solved, or wait for it.",
    "addresses": "Addresses whose allowance is remembered.",
}
HISTOGRAMS: Final[Mapping[str, str]] = {
    "append_seconds": "From handing an append to the engine to its answer.",
    "solve_seconds": "From a deal's turn at a solving process to its answer.",
    "told_seconds": "From an entry's time at the engine to its frames being queued.",
}
BOUNDS_S: Final = (0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Histogram:
    """How often a duration fell into each bucket; the last bucket has no upper bound."""

    __slots__ = ("buckets", "total_s")

    def __init__(self) -> None:
        self.buckets = [0] * (len(BOUNDS_S) + 1)
        self.total_s = 0.0

    def observe(self, seconds: float, times: int = 1) -> None:
        """Count one duration, or several that were the same."""
        self.buckets[bisect_left(BOUNDS_S, seconds)] += times
        self.total_s += seconds * times


class Metrics:
    """The figures of one worker."""

    __slots__ = ("counts", "durations", "gauges")

    def __init__(self) -> None:
        self.counts: defaultdict[tuple[str, str], int] = defaultdict(int)
        self.gauges: dict[str, int] = {}
        self.durations = {name: Histogram() for name in HISTOGRAMS}

    def count(self, name: str, label: str = "", times: int = 1) -> None:
        """Add one, or several at once."""
        self.counts[name, label] += times

    def dump(self) -> bytes:
        """Return the figures for other workers to show."""
        return json.dumps(
            {
                "counts": [[name, label, count] for (name, label), count in self.counts.items()],
                "gauges": self.gauges,
                "durations": {name: [one.buckets, one.total_s] for name, one in self.durations.items()},
            }
        ).encode()


class _Shown(Collector):
    def __init__(self, notes: Mapping[str, Any]) -> None:
        self._notes = notes

    def collect(self) -> Iterator[Metric]:
        """Yield each family with the figures of all workers."""
        for name, (about, label) in COUNTERS.items():
            counter = CounterMetricFamily(f"fairway_{name}", about, labels=["worker", label] if label else ["worker"])
            for worker, note in self._notes.items():
                for counted, value, count in note["counts"]:
                    if counted == name:
                        counter.add_metric([worker, value] if label else [worker], count)
            yield counter
        for name, about in GAUGES.items():
            gauge = GaugeMetricFamily(f"fairway_{name}", about, labels=["worker"])
            for worker, note in self._notes.items():
                gauge.add_metric([worker], note["gauges"].get(name, 0))
            yield gauge
        for name, about in HISTOGRAMS.items():
            histogram = HistogramMetricFamily(f"fairway_{name}", about, labels=["worker"])
            for worker, note in self._notes.items():
                buckets, total_s = note["durations"].get(name, ([], 0.0))
                rows, sum_so_far = [], 0
                for bound, count in zip([*map(str, BOUNDS_S), "+Inf"], buckets, strict=False):
                    sum_so_far += count
                    rows.append((bound, sum_so_far))
                histogram.add_metric([worker], rows, total_s)
            yield histogram


def show(notes: Mapping[str, bytes]) -> bytes:
    """Return all workers' figures in Prometheus' text format; `notes` are their dumps by worker name."""
    registry = CollectorRegistry()
    registry.register(_Shown({worker: json.loads(note) for worker, note in notes.items()}))
    return generate_latest(registry)
