"""Public pages: front, prices, how it works, disclosure rules, developers, documentation, originals, terms."""

from app.portal.public import developers, disclosure, docs, front, how, originals, prices, terms

BLUEPRINTS = (
    developers.blueprint,
    disclosure.blueprint,
    docs.blueprint,
    front.blueprint,
    how.blueprint,
    originals.blueprint,
    prices.blueprint,
    terms.blueprint,
)
