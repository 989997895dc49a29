"""Orders: their list, the page of one, its results and pictures, and the wizard that places one."""

from app.portal.orders import evidence, job, order_list, pictures, public_page, results, wizard

BLUEPRINTS = (
    job.blueprint,
    order_list.blueprint,
    pictures.blueprint,
    public_page.blueprint,
    results.blueprint,
    evidence.blueprint,
    wizard.blueprint,
)
