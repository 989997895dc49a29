"""The looks of a picture in forms that have it made again: the same options that the order form offers for its
steps.
"""

from collections.abc import Collection

from flask_wtf import FlaskForm
from wtforms import SelectField

from app.domain.errors import InvalidRequest
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.options import OPTIONS, EffectOptions
from engine.types.usable_options import list_usable_options


class LookForm(FlaskForm):
    """A form with a field for each option, named as in the API's faults: `options.sky`."""

    @property
    def looks(self) -> EffectOptions:
        """The looks that were chosen. Raises InvalidRequest for values that are not offered."""
        sent = {each.name: self[_name(each.name)].data for each in OPTIONS if _name(each.name) in self}
        known = {each.name: set(map(str, each.choices)) for each in OPTIONS}
        faults = {
            _name(name): "Choose from the list." for name, text in sent.items() if text and text not in known[name]
        }
        if faults:
            raise InvalidRequest(faults)
        return EffectOptions.of({name: text for name, text in sent.items() if text})

    def offer_looks(self, request: EditRequest, steps: Collection[Enhancement]) -> list[str]:
        """Offer the looks of these steps of a picture made with the request; returns the names of their fields."""
        offered = [each for each in list_usable_options() if each.is_for(steps)]
        for option in offered:
            present = request.chosen_options.chosen.get(option.name, option.usual)
            others = [(value.value, each.label) for value, each in option.choices.items() if value is not present]
            unchanged = f"No change ({option.choices[present].label.lower()})"
            self[_name(option.name)].choices = [("", unchanged), *others]
        return [_name(each.name) for each in offered]


def _name(option_name: str) -> str:
    return f"options.{option_name}"


for _option in OPTIONS:
    setattr(LookForm, _name(_option.name), SelectField(_option.label, choices=[], validate_choice=False))
