"""Rooms, hub, gateway, outboxes, supervisor: what runs. No raw engine commands."""
