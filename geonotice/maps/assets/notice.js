/* The notice map: pop-ups of parcels, the list, the search. The data's words are shown as text. */
"use strict";
geonotice.notice = (map, control, data, layers) => {
  const { make, fact, feet } = geonotice;
  const drawn = new Map(); // number of a parcel to its shape

  function popup(parcel) {
    const facts = make("dl");
    fact(facts, "Address", parcel.situs);
    const letters = parcel.letters || [];
    fact(facts, "On the mailing list", letters);
    const others = (parcel.owners || []).filter((name) => !letters.some((line) => line.includes(name))); // not named twice
    fact(facts, others.length > 1 ? "Owners" : "Owner", others);
    fact(facts, "Distance", parcel.feet === null || parcel.feet === undefined ? "" : feet(parcel.feet));
    fact(facts, "Also", parcel.also);
    fact(facts, "Why", parcel.reasons);
    fact(facts, "To check", parcel.review);
    fact(facts, "Kind", parcel.role);
    return make("div", {}, make("h3", {}, parcel.id), make("p", { class: "status" }, parcel.status), facts);
  }

  function show(number) {
    const shape = drawn.get(number);
    const parcel = data.parcels[number];
    if (!shape) return;
    for (const layer of Object.values(layers.parcels)) {
      if (layer.hasLayer(shape) && !map.hasLayer(layer)) map.addLayer(layer);
    }
    map.fitBounds(shape.getBounds(), { maxZoom: Math.max(map.getZoom(), 17), padding: [80, 80], animate: false });
    shape.openPopup(parcel.at);
  }

  for (const layer of Object.values(layers.parcels)) {
    layer.eachLayer((shape) => {
      const number = shape.feature.id;
      const parcel = data.parcels[number];
      drawn.set(number, shape);
      shape.bindPopup(() => popup(parcel), { maxWidth: 340 });
      shape.bindTooltip(() => make("div", {}, make("strong", {}, parcel.id), make("div", {}, parcel.situs), make("div", {}, (parcel.owners || []).join("; "))), { sticky: true });
      const thin = shape.options.weight;
      shape.on("mouseover", () => shape.setStyle({ weight: thin + 2 }));
      shape.on("mouseout", () => shape.setStyle({ weight: thin }));
    });
  }
  for (const [name, layer] of Object.entries(layers.others)) {
    layer.eachLayer((shape) => {
      const words = data.others[name][shape.feature.id];
      if (!words || !(words[0] || words[1])) return;
      shape.bindPopup(() => make("div", {}, make("h3", {}, words[0]), make("p", {}, words[1])), { maxWidth: 320 });
    });
  }

  geonotice.furnish(map, control, data.home);
  const marks = data.labels.map((label) => ({ ...label, layer: layers.parcels[label.of] || layers.others[label.of] }));
  geonotice.labels(map, marks);

  const body = document.getElementById("rows");
  if (body) {
    data.list.forEach((number) => {
      const parcel = data.parcels[number];
      body.append(make("tr", {},
        make("td", { class: "row" }, parcel.row.split(", ").flatMap((run, n) => [n ? ", " : "", make("span", { class: "whole" }, run)])),
        make("td", {}, make("button", { type: "button", class: "link", onclick: () => show(number) }, parcel.id), make("div", {}, parcel.situs)),
        make("td", {}, parcel.relation, parcel.review.length ? make("div", {}, make("span", { class: "tag", title: parcel.review.join("; ") }, "check")) : null),
        make("td", { class: "ft" }, parcel.feet === null || parcel.feet === undefined ? "" : feet(parcel.feet))));
    });
  }

  const index = data.parcels.map((parcel, number) => geonotice.entry(parcel.id, parcel.situs, parcel.owners || [], { number, numbers: parcel.numbers || [] }));
  geonotice.search((query) => {
    const found = geonotice.match(index, query);
    return { more: found.more, hits: found.rows.map((row) => ({ title: row.id, detail: [row.situs, ...row.owners].filter(Boolean).join(" · "), go: () => show(row.number) })) };
  });
};
