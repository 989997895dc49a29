"""Who is billed stands on receipts from then on; each field may be empty, none holds more than a receipt does."""

import pytest

from app.container import Container
from tests.portal.conftest import NewPerson
from tests.portal.credits.test_receipt_pages import EVIL, paid, receipt
from tests.portal.person import Person

PATH = "/account/billing"
DETAILS = {"company": "Harbor Homes LLC", "address": "5 Pier Road\n\n  Portland, ME 04101 ", "tax_id": "12-3456789"}


def sold_to(person: Person, container: Container, amount: str = "50") -> str:
    page = receipt(person, paid(container, person, amount))
    return " ".join(page.html.select(".parties dd")[1].get_text(" ").split())


def save(person: Person, **fields: str) -> str:
    form = person.open(PATH).forms["billing-form"]
    for name, value in fields.items():
        form[name] = value
    return person.send(form).text


def test_a_receipt_names_company_address_and_tax_number_as_they_were_given(
    person: Person, container: Container
) -> None:
    before = paid(container, person)
    assert "Saved. New receipts use these details." in save(person, **DETAILS)
    told = "Harbor Homes LLC Jo Agent 5 Pier Road Portland, ME 04101 pat@example.com Tax number 12-3456789"
    assert sold_to(person, container, "20") == told
    save(person, company="", address="", tax_id="")
    assert sold_to(person, container, "10") == "Jo Agent pat@example.com"
    first = " ".join(receipt(person, before).html.select(".parties dd")[1].get_text(" ").split())
    assert first == "Jo Agent pat@example.com"


def test_the_account_page_says_who_is_billed_and_leads_to_the_form(person: Person) -> None:
    page = person.open("/account")
    assert "Only your name and e-mail address" in page.html.select_one("[aria-labelledby=billing]").text
    assert page.html.select_one(f'main a[href="{PATH}"]')
    save(person, **DETAILS)
    assert "Harbor Homes LLC, tax number 12-3456789" in person.open("/account").text
    form = person.open(PATH).forms["billing-form"]
    assert form["address"].value.splitlines() == ["5 Pier Road", "Portland, ME 04101"]


@pytest.mark.parametrize(
    ("field", "value"),
    [("company", "C" * 201), ("address", "A" * 501), ("address", "\n".join("123456789")), ("tax_id", "9" * 41)],
)
def test_what_is_too_long_comes_back_with_the_reason_and_changes_nothing(
    person: Person, field: str, value: str
) -> None:
    save(person, **DETAILS)
    form = person.open(PATH).forms["billing-form"]
    form[field] = value
    page = form.submit(expect_errors=True)
    assert page.status_code == 422
    said = page.html.select_one(f"#{field}-error").text
    assert f"The {field.replace('tax_id', 'tax number')} must have at most" in said
    assert page.html.select_one(".summary a").text in said
    assert page.forms["billing-form"][field].value.split() == value.split()
    assert person.open(PATH).forms["billing-form"]["company"].value == "Harbor Homes LLC"


def test_nothing_of_it_is_markup(person: Person, container: Container) -> None:
    save(person, company=EVIL, address=EVIL, tax_id=EVIL)
    assert sold_to(person, container).count(EVIL) == 3
    assert receipt(person, paid(container, person, "20")).html.select_one(".receipt script") is None


def test_it_is_the_account_s_own(person: Person, new_person: NewPerson) -> None:
    save(person, **DETAILS)
    assert new_person("other@example.com").open(PATH).forms["billing-form"]["company"].value == ""


def test_the_data_that_its_owner_downloads_has_it(person: Person, container: Container) -> None:
    save(person, **DETAILS)
    paid(container, person)
    document = person.send(person.open("/account").forms["download-data"]).json
    account, bought = document["account"], document["purchases"][0]["receipt"]
    address = "5 Pier Road\nPortland, ME 04101"
    assert (account["billingCompany"], account["billingAddress"], account["taxId"]) == (
        "Harbor Homes LLC",
        address,
        "12-3456789",
    )
    assert (bought["buyerCompany"], bought["buyerAddress"], bought["buyerTaxId"]) == (
        "Harbor Homes LLC",
        address,
        "12-3456789",
    )
