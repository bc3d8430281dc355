/* The event map: weeks, badges, every lot with what is left of its permits, lists, and a search over lots and permits. */
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

  /** What is known of a lot or parcel, above its permits. */
  function facts(of, land) {
    const list = make("dl");
    fact(list, "Address", of.situs);
    fact(list, of.owners && of.owners.length > 1 ? "Owners" : "Owner", of.owners);
    fact(list, "Zoning", land.zone);
    fact(list, "Where", land.note);
    fact(list, "Used", land.used);
    fact(list, "At night", land.night);
    fact(list, "Why", land.why);
    fact(list, "Next possible", land.next);
    return list;
  }

  function popup(number) {
    const parcel = data.parcels[number];
    const rows = ofParcel[number].map((permit) => make("tr", {}, make("td", {}, data.permits[permit].days), make("td", {}, permitLines(data.permits[permit]))));
    return make("div", {}, make("h3", {}, parcel.id), make("p", { class: "status" }, stateWords(parcel)), facts(parcel, parcel), rows.length ? make("table", {}, make("tbody", {}, rows)) : null);
  }

  /** A lot without a permit, or one whose layer is switched off; `also` are other lots at the same place. */
  function lotPopup(lot, also = []) {
    const row = rows[lot];
    const land = data.lands[row.land];
    const others = also.filter((other) => other !== lot);
    const more = others.length ? make("p", { class: "others" }, `${others.length + 1} lots lie here. Others: `, others.slice(0, 20).map((other) => [make("button", { type: "button", class: "link", onclick: () => openLot(other, rows[other].at(), also) }, rows[other].id), " "]).flat()) : null;
    if (row.number !== null) return make("div", {}, popup(row.number), more);
    return make("div", {}, make("h3", {}, row.id), make("p", { class: "status" }, `No permit in ${data.year}: ${stateWords(land).toLowerCase()}`), facts(row, land), more);
  }

  function openLot(lot, latlng, also = []) {
    const popped = L.popup({ maxWidth: 390, minWidth: 260 }).setLatLng(latlng).setContent(lotPopup(lot, also));
    const mine = L.polyline(geonotice.lots.outline(packed, lot), { pane: "ring", color: "#1d2430", weight: 3.5, interactive: false }).addTo(map);
    popped.on("remove", () => mine.remove());
    popped.openOn(map);
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
  let ground = null;
  for (const [name, layer] of Object.entries(layers.others)) {
    if (data.packed[name]) geonotice.unpack(layer, data.packed[name]);
    layer.eachLayer((shape) => {
      const words = data.others[name][shape.feature.id];
      if (!words || !(words[0] || words[1])) return;
      const told = () => make("div", {}, make("h3", {}, words[0] || "Parade"), make("p", {}, words[1]));
      if (name !== "zoning" && name !== "water") { shape.bindPopup(told, { maxWidth: 320 }); return; }
      shape.on("click", () => { ground = told; }); // the map hears of the click next: a lot comes before the ground it lies on
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
    const [from, to] = one.days.split(" to "); // neither is broken over two lines
    for (const id of ["days", "paper-days"]) document.getElementById(id).replaceChildren(make("span", { class: "whole" }, from), " to ", make("span", { class: "whole" }, to));
    for (const id of ["on", "paper-on"]) {
      const lines = [...one.permits.map((permit) => line(data.permits[permit])), ...one.parades.map(paradeLine)];
      document.getElementById(id).replaceChildren(...(lines.length ? lines : [make("li", { class: "nothing" }, "Nothing is on in this week.")]));
    }
    for (const [id, at] of [["before", 0], ["after", data.weeks.length - 1]]) document.getElementById(id).disabled = week === at;
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

  // The lists, with months of three letters.
  const brief = (days) => days.replace(/(January|February|March|April|June|July|August|September|October|November|December)\b/g, (month) => month.slice(0, 3));
  const full = document.getElementById("full");
  data.parcels.forEach((parcel, number) => {
    if (parcel.state !== "full" && parcel.state !== "charity") return;
    full.append(make("tr", {}, make("td", {}, make("button", { type: "button", class: "link", onclick: () => show(number) }, parcel.id), make("div", {}, parcel.situs)), make("td", {}, parcel.used, parcel.state === "charity" ? make("div", {}, "one for a charity") : null), make("td", {}, brief(parcel.next))));
  });
  if (!full.firstChild) full.append(make("tr", {}, make("td", { colspan: "3" }, "None.")));
  const all = document.getElementById("permits");
  for (const permit of data.permits) {
    const places = permit.parcels.map((number) => make("div", {}, make("button", { type: "button", class: "link", onclick: () => show(number) }, data.parcels[number].id)));
    all.append(make("tr", {}, make("td", {}, permit.number, make("div", {}, permit.title || permit.kind), permit.status === "issued" ? null : make("div", { class: "over" }, permit.status), permit.over ? make("div", { class: "over" }, "past the cap") : null), make("td", {}, brief(permit.days)), make("td", {}, places)));
  }

  data.parades.forEach((parade, number) => {
    const link = make("button", { type: "button", class: "link", onclick: () => showParade(number) }, "its route");
    all.append(make("tr", {}, make("td", {}, parade.number, make("div", {}, parade.title || "parade")), make("td", {}, brief(parade.days)), make("td", {}, link)));
  });

  // The lots: their words and outlines are inflated at once; what this browser is too old for is said.
  let rows = null; // of every lot
  let packed = null; // their outlines
  let entries = null; // what the search looks through
  let message = "";
  const text = (id) => document.getElementById(id).textContent.trim();
  const at = (lot) => () => geonotice.lots.inside(packed, lot);
  async function unpack() {
    if (!text("index")) { rows = []; return; }
    const [index, outlines] = await Promise.all([geonotice.lots.inflate(text("index")), geonotice.lots.inflate(text("outlines"))]);
    if (!index) {
      message = "This browser is too old for the lots without permits: they are neither drawn nor searched.";
      document.getElementById("said").textContent = message;
      return;
    }
    const [ids, places, names, numbers, others, lands] = new TextDecoder().decode(index).split("\x1d").map((column) => column.split("\x1e"));
    packed = geonotice.lots.decode(outlines);
    rows = ids.map((id, n) => ({
      id, situs: places[n], owners: names[n] ? names[n].split("\x1f") : [], number: numbers[n] === "" ? null : Number(numbers[n]),
      also: others[n] ? others[n].split("\x1f") : [], land: Number(lands[n]), at: at(n), lot: n,
    }));
    const layer = layers.others.lots;
    const open = data.lands.map((land) => land.state === "decide");
    const canvas = new geonotice.lots.Canvas(packed, layer.options.style(), (lot) => rows[lot].number === null && open[rows[lot].land], { pane: "context" });
    if (map.hasLayer(layer)) canvas.addTo(map);
    layer.on("add", () => canvas.addTo(map));
    layer.on("remove", () => canvas.remove());
    map.getContainer().dataset.lots = String(packed.lots);
  }
  /** Tell of the lot at a place; where there is none, of the ground. */
  function tell(latlng) {
    const under = packed && map.hasLayer(layers.others.lots) ? geonotice.lots.at(packed, latlng) : [];
    if (under.length) openLot(under[0], latlng, under);
    else if (ground) L.popup({ maxWidth: 320 }).setLatLng(latlng).setContent(ground()).openOn(map);
    ground = null;
  }
  map.on("click", (event) => tell(event.latlng));
  map.getContainer().addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target === map.getContainer()) tell(map.getCenter());
  });
  const ready = unpack();

  function goTo(row) {
    if (row.number !== null) { show(row.number); return; }
    const place = row.at();
    map.setView(place, Math.max(map.getZoom(), 16.5), { animate: false });
    openLot(row.lot, place);
  }
  function prepare() {
    const lots = rows || data.parcels.map((parcel, number) => ({ ...parcel, owners: parcel.owners || [], number, also: [] }));
    const found = lots.map((row) => geonotice.entry(row.id, row.situs, row.owners, {
      also: row.also,
      detail: () => [row.situs, ...row.owners, row.number === null ? "" : stateWords(data.parcels[row.number])],
      go: () => goTo(row),
    }));
    const permits = data.permits.map((permit) => geonotice.entry(permit.number, "", [permit.title, permit.applicant || "", permit.kind], {
      detail: () => ["Permit", permit.title || permit.kind, permit.applicant, permit.days, permit.status === "issued" ? "" : permit.status, permit.parcels.map((number) => data.parcels[number].id).join(", ")],
      go: () => (permit.parcels.length ? show(permit.parcels[0]) : listed(permit.number)),
    }));
    const parades = data.parades.map((parade, number) => geonotice.entry(parade.number, "", [parade.title, parade.detail, "parade"], {
      detail: () => ["Parade", parade.title, parade.days],
      go: () => showParade(number),
    }));
    entries = [...permits, ...parades, ...found];
  }
  /** Show a permit that is on no parcel of today in the list of all permits. */
  function listed(number) {
    document.querySelector("details.all").open = true;
    const line = [...document.querySelectorAll("#permits tr")].find((one) => one.firstChild.firstChild.textContent === number);
    line.scrollIntoView({ block: "center" });
  }
  const box = document.getElementById("search");
  let settled = false;
  ready.then(() => { settled = true; if (box.value) box.dispatchEvent(new Event("input")); });
  geonotice.search((query) => {
    if (!settled) return { hits: [], message: "Reading the list of lots…" };
    if (!entries) prepare();
    const found = geonotice.match(entries, query);
    return { more: found.more, message, hits: found.rows.map((row) => ({ title: row.id, detail: row.detail().filter(Boolean).join(" · "), go: row.go })) };
  });
};
