"""Pages for everybody: the front, prices, how it works, rules, for developers, the documentation, the terms."""

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
