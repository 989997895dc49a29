"""Pages for everybody: the front, prices, how it works, for developers, the documentation, the terms."""

from app.portal.public import developers, docs, front, how, prices, terms

BLUEPRINTS = (
    developers.blueprint,
    docs.blueprint,
    front.blueprint,
    how.blueprint,
    prices.blueprint,
    terms.blueprint,
)
