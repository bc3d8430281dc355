/* The map of the desk, and the only file that knows what draws it: Leaflet on a canvas, in the town's own coordinates, in feet.
   townMap(element, options) draws; options: box, paints, permits (an address), shapes, said(text), picked(id), marks (whether the lot that is clicked
   is shown as chosen). It returns {show(kind, yes), find(id), choose(id), inside}:
   what draws on it (town-drawing.js) is handed the map and the two ways between the town's feet and the map's. */
"use strict";
window.townMap = function (element, options) {
  const paints = options.paints;
  const [west, south, east, north] = options.box;
  // Far from the origin a canvas loses precision: the map counts from a corner of the box.
  const at = (x, y) => [y - south, x - west];
  const map = L.map(element, { crs: L.CRS.Simple, preferCanvas: true, minZoom: -12, maxZoom: 3, zoomSnap: 0.5, attributionControl: false, zoomAnimation: false, fadeAnimation: false, pmIgnore: false });
  const canvas = L.canvas({ padding: 0.3 });
  const layers = {};
  for (const name of ["water", "zoning", "parcels", "municipalities", "railroads", "streets", "labels"]) layers[name] = L.layerGroup().addTo(map);
  const over = L.featureGroup().addTo(map);
  const overLabels = L.layerGroup().addTo(map);
  const mark = L.featureGroup().addTo(map);
  const ROLES = { lot: "lots", right_of_way: "right_of_way", railroad: "railroad", water: "water_parcel" };
  let have = null, asked = 0;

  function look(kind, areal) {
    const paint = paints[kind] || paints.lots;
    return { renderer: canvas, color: paint.color, weight: paint.weight, dashArray: paint.dash || null, fill: Boolean(areal && paint.fill), fillColor: paint.fill || "#ffffff", fillOpacity: paint.opacity, interactive: false };
  }
  function points(flat, unit) {
    const out = [];
    let x = 0, y = 0;
    for (let n = 0; n < flat.length; n += 2) { x += flat[n]; y += flat[n + 1]; out.push(at(x * unit, y * unit)); }
    return out;
  }
  function figure(shape, unit, style, areal) {
    const parts = shape.map((rings) => rings.map((ring) => points(ring, unit)));
    return areal ? L.polygon(parts, style) : L.polyline(parts.map((rings) => rings[0]), style);
  }
  function label(place, text, group) {
    const words = document.createElement("span");
    words.textContent = text; // text, never markup
    L.marker(place, { icon: L.divIcon({ className: "label", iconSize: null, html: words }), interactive: false, keyboard: false }).addTo(group);
  }
  function pixelFt() { return 1 / map.getZoomScale(map.getZoom(), 0); }
  function boxOf(bounds) { return [bounds.getWest() + west, bounds.getSouth() + south, bounds.getEast() + west, bounds.getNorth() + south]; }

  async function refresh() {
    const seen = map.getBounds();
    if (have && have.zoom === map.getZoom() && have.bounds.contains(seen)) return;
    const wanted = seen.pad(0.25), zoom = map.getZoom(), mine = ++asked;
    let found;
    try {
      const answer = await fetch(`/map/view?box=${boxOf(wanted).map((n) => n.toFixed(1)).join(",")}&pixel_ft=${pixelFt().toFixed(4)}`);
      if (!answer.ok) throw new Error(answer.status);
      found = await answer.json();
    } catch {
      options.said("The map cannot be read. Is the desk still open? Load the page again.");
      return;
    }
    if (mine !== asked) return; // the map has been moved on since
    have = { bounds: wanted, zoom };
    for (const name in layers) layers[name].clearLayers();
    for (const [id, role, shape] of found.parcels) {
      const drawn = figure(shape, found.unit, { ...look(ROLES[role] || "lots", true), interactive: true }, true);
      drawn.on("click", () => pick(id, drawn));
      drawn.addTo(layers.parcels);
    }
    for (const name in found.layers) {
      const areal = name === "zoning" || name === "water";
      const style = look(name, areal);
      // Under lots that can be clicked; above them where the lots are left out.
      if (name === "zoning") style.fillOpacity = 0.35;
      const named = new Set();
      for (const [text, shape] of found.layers[name]) {
        if (!shape.length) continue;
        const drawn = figure(shape, found.unit, style, areal || name === "municipalities");
        drawn.addTo(layers[name]);
        if (text && !named.has(text) && (name === "zoning" ? pixelFt() < 12 : name === "streets" ? pixelFt() < 4 : name === "municipalities")) {
          const middle = drawn.getBounds().getCenter();
          if (seen.contains(middle)) { named.add(text); label(middle, text, layers.labels); }
        }
      }
    }
    permits.eachLayer((one) => one.bringToFront());
    over.bringToFront();
    mark.bringToFront();
    element.dataset.lots = found.parcels.length; // drawn: a click finds them
    const left = found.left_out.length ? ` Left out so far off: ${found.left_out.join(", ")}.` : "";
    options.said(found.parcels.length || !found.count ? left.trim() : `${found.count.toLocaleString("en-US")} lots are here. Zoom in to see them.${left}`);
  }

  // The lot that was clicked last keeps its mark while the map moves: it is a figure of its own.
  function choose(id, drawn) {
    mark.clearLayers();
    delete element.dataset.chosen;
    if (!drawn) over.eachLayer((one) => { if (one.town.id === id) drawn = one; });
    if (!drawn) return;
    L.polygon(drawn.getLatLngs(), { ...look("chosen", true), interactive: false }).addTo(mark);
    mark.bringToFront();
    element.dataset.chosen = id;
  }
  function pick(id, drawn) {
    if (options.marks) choose(id, drawn);
    options.picked(id);
  }

  function overlay(shapes) {
    for (const [kind, id, text, shape] of shapes.shapes) {
      const style = look(kind, kind !== "radius" && kind !== "setback_line");
      const drawn = figure(shape, shapes.unit, { ...style, interactive: Boolean(id), fillOpacity: kind === "near_miss" ? 0.3 : 0.75 }, true);
      if (id) drawn.on("click", () => pick(id, drawn));
      drawn.town = { kind, id };
      drawn.addTo(over);
      if (text) drawn.label = [drawn.getBounds().getCenter(), text];
    }
    const write = () => {
      overLabels.clearLayers();
      over.eachLayer((one) => {
        if (!one.label) return;
        const box = one.getBounds(), wide = (box.getEast() - box.getWest()) / pixelFt();
        if (wide > 6 * one.label[1].length + 6) label(one.label[0], one.label[1], overLabels);
      });
    };
    map.on("zoomend", write);
    return write;
  }

  const scale = L.control({ position: "bottomleft" });
  scale.onAdd = function () {
    const bar = L.DomUtil.create("div", "scale");
    const set = () => {
      const room = pixelFt() * 120, power = 10 ** Math.floor(Math.log10(room));
      const feet = [5, 2, 1].map((n) => n * power).find((n) => n <= room);
      bar.style.width = `${feet / pixelFt()}px`;
      bar.textContent = `${feet.toLocaleString("en-US")} ft`;
    };
    map.on("zoomend", set);
    map.whenReady(set);
    return bar;
  };

  const write = options.shapes ? overlay(options.shapes) : () => {};
  const whole = L.latLngBounds(at(west, south), at(east, north));
  // A railroad on the list may cross the whole town: the search area is what is looked at.
  const areas = over.getLayers().filter((one) => one.town.kind === "radius");
  map.fitBounds(areas.length ? areas[0].getBounds() : over.getLayers().length ? over.getBounds().pad(over.getLayers().length > 1 ? 0.15 : 1.2) : whole);
  map.setMaxBounds(whole.extend(over.getLayers().length ? over.getBounds() : whole).pad(1));
  scale.addTo(map);
  write();
  let later = 0;
  map.on("moveend", () => { clearTimeout(later); later = setTimeout(refresh, 80); });
  refresh();
  // Permits of the year stay as they are while the map moves: they are few, and read once.
  const permits = L.layerGroup().addTo(map);
  async function drawPermits() {
    const found = await (await fetch(options.permits)).json();
    for (const [id, numbers, shape] of found.shapes) {
      const drawn = figure(shape, found.unit, { ...look("one_left", true), interactive: true }, true);
      drawn.on("click", () => pick(id, drawn));
      const words = document.createElement("span");
      words.textContent = `Permit ${numbers}`; // text, never markup
      drawn.bindTooltip(words);
      drawn.addTo(permits);
    }
  }
  if (options.permits) drawPermits().catch(() => options.said("The permits of the year cannot be read."));
  return {
    inside: { map, canvas, look, at, feet: (place) => [place.lng + west, place.lat + south] },
    show(name, yes) { if (name === "permits") { if (yes) permits.addTo(map); else map.removeLayer(permits); } else if (layers[name]) { if (yes) layers[name].addTo(map); else map.removeLayer(layers[name]); } },
    choose,
    find(id) { over.eachLayer((one) => { if (one.town.id === id) map.fitBounds(one.getBounds().pad(1.5), { maxZoom: 0 }); }); },
  };
};
