"""Public pages: front, prices, how it works, disclosure rules, developers, originals, terms."""

from app.portal.public import developers, disclosure, front, how, originals, prices, terms

BLUEPRINTS = (
    developers.blueprint,
    disclosure.blueprint,
    front.blueprint,
    how.blueprint,
    originals.blueprint,
    prices.blueprint,
    terms.blueprint,
)
