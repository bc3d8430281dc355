"""The last element of a map: the layer control, the page's data, and the call that starts the page's script."""

from typing import TYPE_CHECKING, Any

from geonotice.webmap.offline import script_json

if TYPE_CHECKING:
    import folium

__all__ = ["attach"]


def attach(map_: "folium.Map", *, start: str, data: dict[str, Any], names: dict[str, dict[str, str]]) -> None:
    """Add the layer control and start the page.

    Parameters
    ----------
    map_
        The map, with all its layers.
    start
        The function of the page's script: ``start(map, control, data, layers)``.
    data
        What the page shows, words included; plain JSON values.
    names
        The layers' names in the script, by group and kind.
    """
    import folium
    from branca.element import MacroElement
    from folium.template import Template

    class Start(MacroElement):
        """Calls the page's script when everything else stands."""

        _template = Template(
            "{% macro script(this, kwargs) %}"
            "{{ this.start }}({{ this.map_name }}, {{ this.control_name }}, {{ this.data }}, {{ this.layers }});"
            "{% endmacro %}"
        )

        def __init__(self, control: folium.LayerControl) -> None:
            super().__init__()  # type: ignore[no-untyped-call]  # branca leaves this one untyped
            self._name = "Start"
            self.start = start
            self.map_name = map_.get_name()
            self.control_name = control.get_name()
            self.data = script_json(data)
            groups = (
                f"{group}:{{{','.join(f'{script_json(kind)}:{name}' for kind, name in layers.items())}}}"
                for group, layers in names.items()
            )
            self.layers = f"{{{','.join(groups)}}}"

    control = folium.LayerControl(collapsed=False, position="topright", autoZIndex=False)
    map_.add_child(control)
    map_.add_child(Start(control))
