"""A match: seats, holes, phases; decide, evolve, due and view. Pure, as the rules are."""
