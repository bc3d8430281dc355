/* The event map: weeks, badges, pop-ups with permits, lists, and a search over every parcel of the town. */
"use strict";
geonotice.events = (map, control, data, layers) => {
  const { make, fact } = geonotice;
  const drawn = new Map(); // number of a parcel to its shape
  const marks = new Map(); // number of a parcel to its badge
  const ofParcel = data.parcels.map(() => []);
  data.permits.forEach((permit, number) => permit.parcels.forEach((parcel) => ofParcel[parcel].push(number)));
  const STATES = { full: "None left", charity: "None left, but one for a charity", last: "One left", open: "left", decide: "Needs an official's decision", exempt: "No cap" };
  const stateWords = (parcel) => (parcel.state === "open" ? `${parcel.left} left` : STATES[parcel.state]);
  const NEAR = 14; // zoom from which badges show their number at full size

  function permitLines(permit) {
    const facts = [permit.night, permit.charitable, permit.persons === null ? "" : `${permit.persons.toLocaleString("en-US")} persons`, permit.distinct ? `${permit.distinct} distinct events` : ""];
    return [
      make("div", {}, make("strong", permit.status === "void" ? { class: "gone" } : {}, permit.title || permit.kind), " ", make("span", {}, permit.number)),
      make("div", {}, [permit.title ? permit.kind : "", ...facts].filter(Boolean).join(", ")),
      permit.applicant ? make("div", {}, permit.applicant) : null,
      permit.issued ? make("div", {}, `issued ${permit.issued}`) : null,
      permit.status === "rescinded" ? make("div", { class: "over" }, "Rescinded: counts all the same") : null,
      permit.status === "void" ? make("div", { class: "over" }, "Void: does not count") : null,
      permit.over ? make("div", { class: "over" }, permit.override ? `ISSUED PAST THE CAP: ${permit.override}` : "ISSUED PAST THE CAP") : null,
      ...(permit.conflicts || []).map((text) => make("div", {}, make("span", { class: "tag" }, "near another event"), " ", text)),
      permit.note ? make("div", {}, permit.note) : null,
    ];
  }

  function popup(number) {
    const parcel = data.parcels[number];
    const facts = make("dl");
    fact(facts, "Address", parcel.situs);
    fact(facts, parcel.owners && parcel.owners.length > 1 ? "Owners" : "Owner", parcel.owners);
    fact(facts, "Zoning", parcel.zone);
    fact(facts, "Used", parcel.used);
    fact(facts, "At night", parcel.night);
    fact(facts, "Why", parcel.why);
    fact(facts, "Next possible", parcel.next);
    const rows = ofParcel[number].map((permit) => make("tr", {}, make("td", {}, data.permits[permit].days), make("td", {}, permitLines(data.permits[permit]))));
    return make("div", {}, make("h3", {}, parcel.id), make("p", { class: "status" }, stateWords(parcel)), facts, make("table", {}, make("tbody", {}, rows)));
  }

  function show(number) {
    const shape = drawn.get(number);
    const layer = layers.parcels[data.parcels[number].state];
    if (!map.hasLayer(layer)) map.addLayer(layer);
    if (!layer.hasLayer(shape)) { only.checked = false; setWeek(week); }
    map.fitBounds(shape.getBounds(), { maxZoom: Math.max(map.getZoom(), 16.5), padding: [90, 90], animate: false });
    shape.openPopup(data.parcels[number].at);
  }

  // Shapes and badges; a badge goes with its shape's layer, so that the legend switches both.
  for (const [state, layer] of Object.entries(layers.parcels)) {
    const badges = L.layerGroup();
    layer.eachLayer((shape) => {
      const number = shape.feature.id;
      const parcel = data.parcels[number];
      drawn.set(number, shape);
      shape.bindPopup(() => popup(number), { maxWidth: 390, minWidth: 260 });
      shape.bindTooltip(() => make("div", {}, make("strong", {}, parcel.id), make("div", {}, parcel.situs), make("div", {}, stateWords(parcel))), { sticky: true });
      const over = ofParcel[number].some((permit) => data.permits[permit].over);
      const face = document.createElement("div");
      face.innerHTML = data.badges[state].replace("@", String(Number(parcel.left ?? 0))); // a drawing of the page's own and a number
      const icon = L.divIcon({ className: over ? "badge over" : "badge", iconSize: [0, 0], html: face });
      const mark = L.marker(parcel.at, { icon, pane: "badges", keyboard: false, alt: "" });
      mark.on("click", () => shape.openPopup(parcel.at));
      mark.bindTooltip(() => make("div", {}, make("strong", {}, parcel.id), make("div", {}, parcel.situs), make("div", {}, stateWords(parcel))));
      marks.set(number, mark);
      badges.addLayer(mark);
    });
    layer.badges = badges;
  }
  map.createPane("badges").style.zIndex = 580;
  for (const layer of Object.values(layers.parcels)) {
    if (map.hasLayer(layer)) layer.badges.addTo(map);
    layer.on("add", () => layer.badges.addTo(map));
    layer.on("remove", () => layer.badges.remove());
  }
  const far = () => map.getContainer().classList.toggle("far", map.getZoom() < NEAR);
  map.on("zoomend", far);
  for (const [name, layer] of Object.entries(layers.others)) {
    if (data.packed[name]) geonotice.unpack(layer, data.packed[name]);
    layer.eachLayer((shape) => {
      const words = data.others[name][shape.feature.id];
      if (!words || !(words[0] || words[1])) return;
      shape.bindPopup(() => make("div", {}, make("h3", {}, words[0]), make("p", {}, words[1])), { maxWidth: 320 });
    });
  }
  geonotice.furnish(map, control, data.home);
  far();
  const alongStreets = ["streets", "railroads"].filter((name) => layers.others[name]).flatMap((name) => layers.others[name].getLayers()
    .filter((shape) => data.others[name][shape.feature.id][0] && shape.getLatLngs().length)
    .map((shape) => ({ ...geonotice.along(shape, data.others[name][shape.feature.id][0]), of: name })));
  const words = [...data.labels, ...alongStreets];
  const badgeBoxes = () => {
    const half = map.getZoom() < NEAR ? 6 : 10;
    return [...marks.values()].filter((mark) => map.hasLayer(mark)).map((mark) => {
      const { x, y } = map.latLngToLayerPoint(mark.getLatLng());
      return [x - half, y - half, x + half, y + half];
    });
  };
  geonotice.labels(map, words.map((label) => ({ ...label, layer: layers.parcels[label.of] || layers.others[label.of] })), badgeBoxes);

  // The weeks.
  const slider = document.getElementById("slider");
  const only = document.getElementById("only");
  const bars = document.getElementById("bars");
  const most = Math.max(1, ...data.weeks.map((one) => one.permits.length + one.parades.length));
  let week = data.week;
  slider.max = String(data.weeks.length - 1);
  data.weeks.forEach((one, number) => {
    const n = one.permits.length + one.parades.length;
    const bar = make("i", { title: `${one.days}: ${n}`, onclick: () => setWeek(number) });
    bar.style.height = n ? `${Math.max(8, 100 * n / most)}%` : "2px";
    if (!n) bar.classList.add("none");
    bars.append(bar);
  });
  const months = make("div", { class: "months", "aria-hidden": "true" }, ["J", "F", "M", "A", "M", "J", "J", "A", "S", "O", "N", "D"].map((letter) => make("span", {}, letter)));
  bars.after(months);

  function line(permit) {
    const places = permit.parcels.map((number) => make("div", {}, make("button", { type: "button", class: "link", onclick: () => show(number) }, data.parcels[number].id), " ", data.parcels[number].situs));
    return make("li", {}, make("span", { class: "when" }, permit.days), permitLines(permit), places);
  }
  function showParade(number) {
    const shape = shapeOf("parades", number);
    if (!map.hasLayer(layers.others.parades)) map.addLayer(layers.others.parades);
    map.fitBounds(shape.getBounds(), { padding: [60, 60], animate: false });
    shape.openPopup();
  }
  function paradeLine(number) {
    const parade = data.parades[number];
    const link = make("button", { type: "button", class: "link", onclick: () => showParade(number) }, parade.title || "Parade");
    return make("li", {}, make("span", { class: "when" }, parade.days), link, make("span", {}, ` ${parade.number}`), make("div", {}, parade.detail));
  }
  function shapeOf(name, number) {
    return layers.others[name].getLayers().find((shape) => shape.feature.id === number);
  }

  function setWeek(number) {
    week = Math.min(Math.max(number, 0), data.weeks.length - 1);
    const one = data.weeks[week];
    slider.value = String(week);
    slider.setAttribute("aria-valuetext", one.days);
    [...bars.children].forEach((bar, at) => bar.classList.toggle("now", at === week));
    for (const id of ["days", "paper-days"]) document.getElementById(id).textContent = one.days;
    for (const id of ["on", "paper-on"]) {
      const lines = [...one.permits.map((permit) => line(data.permits[permit])), ...one.parades.map(paradeLine)];
      document.getElementById(id).replaceChildren(...(lines.length ? lines : [make("li", { class: "nothing" }, "Nothing is on in this week.")]));
    }
    const now = new Set(one.permits.flatMap((permit) => data.permits[permit].parcels));
    for (const [parcel, mark] of marks) {
      const layer = layers.parcels[data.parcels[parcel].state];
      const shown = !only.checked || now.has(parcel);
      if (shown !== layer.hasLayer(drawn.get(parcel))) {
        if (shown) { layer.addLayer(drawn.get(parcel)); layer.badges.addLayer(mark); } else { layer.removeLayer(drawn.get(parcel)); layer.badges.removeLayer(mark); }
      }
      const classes = mark.options.icon.options.className.replace(" now", "") + (now.has(parcel) ? " now" : "");
      if (mark.options.icon.options.className !== classes) {
        mark.options.icon.options.className = classes;
        if (mark._icon) mark._icon.classList.toggle("now", now.has(parcel));
        mark.setZIndexOffset(now.has(parcel) ? 1000 : 0);
      }
    }
  }
  slider.addEventListener("input", () => setWeek(Number(slider.value)));
  only.addEventListener("change", () => setWeek(week));
  document.getElementById("before").addEventListener("click", () => setWeek(week - 1));
  document.getElementById("after").addEventListener("click", () => setWeek(week + 1));
  setWeek(week);

  // The lists.
  const full = document.getElementById("full");
  data.parcels.forEach((parcel, number) => {
    if (parcel.state !== "full" && parcel.state !== "charity") return;
    full.append(make("tr", {}, make("td", {}, make("button", { type: "button", class: "link", onclick: () => show(number) }, parcel.id), make("div", {}, parcel.situs)), make("td", {}, parcel.used, parcel.state === "charity" ? make("div", {}, "one for a charity") : null), make("td", {}, parcel.next)));
  });
  if (!full.firstChild) full.append(make("tr", {}, make("td", { colspan: "3" }, "None.")));
  const all = document.getElementById("permits");
  for (const permit of data.permits) {
    const places = permit.parcels.map((number) => make("div", {}, make("button", { type: "button", class: "link", onclick: () => show(number) }, data.parcels[number].id)));
    all.append(make("tr", {}, make("td", {}, permit.number, make("div", {}, permit.title || permit.kind), permit.status === "issued" ? null : make("div", { class: "over" }, permit.status), permit.over ? make("div", { class: "over" }, "past the cap") : null), make("td", {}, permit.days), make("td", {}, places)));
  }

  data.parades.forEach((parade, number) => {
    const link = make("button", { type: "button", class: "link", onclick: () => showParade(number) }, "its route");
    all.append(make("tr", {}, make("td", {}, parade.number, make("div", {}, parade.title || "parade")), make("td", {}, parade.days), make("td", {}, link)));
  });

  // The search: the packed list of every parcel is taken apart when somebody first asks for it.
  let rows = null;
  let message = "";
  let spot = null;
  const packed = document.getElementById("index").textContent.trim();
  function withPermits() {
    return data.parcels.map((parcel, number) => [parcel.id, parcel.situs, parcel.owners || [], parcel.at, number, []]);
  }
  function prepare(list) {
    rows = list.map(([id, situs, owners, at, number, also]) => geonotice.entry(id, situs, owners, { at, number, also }));
  }
  async function unpack() {
    if (!packed) { prepare(withPermits()); return; }
    if (typeof DecompressionStream === "undefined") {
      prepare(withPermits());
      message = "This browser is too old to search every parcel: only those with permits are searched.";
      return;
    }
    const bytes = Uint8Array.from(atob(packed), (sign) => sign.charCodeAt(0));
    const text = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
    const [ids, places, names, norths, easts, numbers, others] = text.split("\x1d").map((column) => column.split("\x1e"));
    let north = 0;
    let east = 0;
    prepare(ids.map((id, n) => {
      north += Number(norths[n]);
      east += Number(easts[n]);
      return [id, places[n], names[n] ? names[n].split("\x1f") : [], [north / 100000, east / 100000], numbers[n] === "" ? null : Number(numbers[n]), others[n] ? others[n].split("\x1f") : []];
    }));
  }
  let loading = null;
  function goTo(row) {
    if (row.number !== null) { show(row.number); return; }
    if (spot) spot.remove();
    const facts = make("dl");
    fact(facts, "Address", row.situs);
    fact(facts, "Owner", row.owners);
    map.setView(row.at, Math.max(map.getZoom(), 16.5), { animate: false });
    spot = L.circleMarker(row.at, { radius: 9, weight: 3, color: "#1d2430", fillColor: "#fff", fillOpacity: 0.6, pane: "evidence" }).addTo(map);
    spot.bindPopup(make("div", {}, make("h3", {}, row.id), make("p", { class: "status" }, `No permit in ${data.year}`), facts)).openPopup();
  }
  const box = document.getElementById("search");
  geonotice.search((query) => {
    if (!rows) {
      loading = loading || unpack().then(() => box.dispatchEvent(new Event("input")));
      return { hits: [], message: "Reading the list of parcels…" };
    }
    const found = geonotice.match(rows, query);
    return {
      more: found.more,
      message,
      hits: found.rows.map((row) => ({ title: row.id, detail: [row.situs, ...row.owners, row.number === null ? "" : stateWords(data.parcels[row.number])].filter(Boolean).join(" · "), go: () => goTo(row) })),
    };
  });
};
