/* Draws the site of an event, or a route, on the map of the desk: Leaflet-Geoman does the drawing, the town's own feet are what is kept.
   townDrawing(inside, options) with options: paints, changed(things), said(text). A thing is {what, line, points}: points in the town's feet. */
"use strict";
L.PM.setOptIn(true); // the lots of the town are not to be reshaped: only what is drawn here
window.townDrawing = function (inside, options) {
  const { map, at, feet } = inside;
  const things = []; // {what, line, layer}
  map.pm.setGlobalOptions({ snapDistance: 12, finishOn: "dblclick", tooltips: false, allowSelfIntersection: false });
  map.doubleClickZoom.disable();

  function style(thing) {
    const paint = options.paints[thing.line ? "parades" : /^(parking|car park|parking lot|parking area)$/i.test(thing.what.trim()) ? "parking" : "drawn"];
    return { color: paint.color, weight: paint.weight, dashArray: paint.dash || null, fill: !thing.line, fillColor: paint.fill || "#ffffff", fillOpacity: 0.6, pane: "overlayPane" };
  }
  function outline(thing) {
    const found = thing.layer.getLatLngs();
    return (thing.line ? found : found[0]).map((place) => feet(place).map((n) => Math.round(n * 100) / 100));
  }
  function told() { options.changed(things.map((thing) => ({ what: thing.what, line: thing.line, points: outline(thing) }))); }
  function keep(layer, what, line) {
    const thing = { what, line, layer };
    layer.options.pmIgnore = false;
    L.PM.reInitLayer(layer);
    layer.setStyle(style(thing));
    layer.on("pm:edit pm:dragend pm:cut pm:rotateend", told);
    layer.on("pm:remove", () => { const n = things.indexOf(thing); if (n >= 0) { things.splice(n, 1); told(); } });
    things.push(thing);
    return thing;
  }
  let next = { what: "stage", line: false };
  map.on("pm:create", (event) => {
    keep(event.layer, next.what, next.line);
    stop();
    told();
  });
  function stop() {
    map.pm.disableDraw();
    if (map.pm.globalEditModeEnabled()) map.pm.disableGlobalEditMode();
    if (map.pm.globalRemovalModeEnabled()) map.pm.disableGlobalRemovalMode();
    if (map.pm.globalDragModeEnabled()) map.pm.disableGlobalDragMode();
    options.mode("");
  }
  function place(points, what, line) {
    const shape = points.map(([x, y]) => at(x, y));
    const layer = line ? L.polyline(shape) : L.polygon(shape);
    layer.addTo(map);
    return keep(layer, what, line);
  }
  return {
    things,
    load(listed) { for (const one of listed) place(one.points, one.what, one.line); told(); },
    draw(mode, what) {
      stop();
      next = { what, line: mode === "Line" };
      const look = style(next);
      map.pm.enableDraw(mode, { pathOptions: look, templineStyle: look, hintlineStyle: { ...look, dashArray: "4 4" }, cursorMarker: true });
      options.mode(mode);
    },
    change() { stop(); map.pm.enableGlobalEditMode({ allowSelfIntersection: false }); map.pm.enableGlobalDragMode(); options.mode("change"); },
    stop,
    rectangle(what, width, depth) {
      const [x, y] = feet(options.middle());
      const one = place([[x - width / 2, y - depth / 2], [x + width / 2, y - depth / 2], [x + width / 2, y + depth / 2], [x - width / 2, y + depth / 2]], what, false);
      told();
      return one;
    },
    rename(n, what) { things[n].what = what; things[n].layer.setStyle(style(things[n])); told(); },
    remove(n) { things[n].layer.remove(); things.splice(n, 1); told(); },
    move(n, east, north) {
      const moved = outline(things[n]).map(([x, y]) => at(x + east, y + north));
      things[n].layer.setLatLngs(things[n].line ? moved : [moved]);
      told();
    },
    show(n) { map.fitBounds(things[n].layer.getBounds().pad(2)); },
  };
};
