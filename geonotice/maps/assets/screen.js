/* The map of a screen: lots shaded by rank, and the table of candidates, sorted, filtered, and tied to the map both ways. */
"use strict";
geonotice.screen = (map, control, data, layers) => {
  const { make, fact } = geonotice;
  const MOST = 200; // rows in the page at once: what is typed narrows them
  const UNKNOWN = "\x1a";
  const KEYS = data.columns.map((column) => column.name);
  const ID = KEYS.indexOf("id");
  const PLACE = KEYS.indexOf("situs");
  const ANSWERS = { yes: "Passes", no: "Does not pass", unknown: "Unknown whether it passes (?)" };
  let rows = [];
  let packed = null;
  let ofLot = []; // the candidates that a lot belongs to
  let order = null; // column and direction; none is by rank
  let chosen = null;


  for (const [name, layer] of Object.entries(layers.others)) if (data.packed[name]) geonotice.unpack(layer, data.packed[name]);
  geonotice.furnish(map, control, data.home);
  const streets = ["streets", "railroads"].filter((name) => layers.others[name]).flatMap((name) => layers.others[name].getLayers()
    .filter((shape) => data.others[name][shape.feature.id][0] && shape.getLatLngs().length)
    .map((shape) => ({ ...geonotice.along(shape, data.others[name][shape.feature.id][0]), of: name })));
  geonotice.labels(map, [...data.labels, ...streets].map((label) => ({ ...label, layer: layers.others[label.of] })));

  const told = (column, value) => (value === UNKNOWN ? "?" : data.columns[column].number && value !== "" ? Number(value).toLocaleString("en-US", { maximumFractionDigits: 2 }) : value);

  function popup(row) {
    const list = make("dl");
    data.columns.forEach((column, n) => { if (n !== ID) fact(list, column.title, told(n, row.values[n])); });
    const others = row.lots.length ? [...new Set(row.lots.flatMap((lot) => ofLot[lot]))].filter((other) => other !== row.n) : [];
    const more = others.length ? make("p", { class: "others" }, "Also here: ", others.slice(0, 20).flatMap((n) => [make("button", { type: "button", class: "link", onclick: () => show(rows[n], false) }, rows[n].values[ID]), " "])) : null;
    return make("div", {}, make("h3", {}, row.values[ID]), make("p", { class: "status" }, data.condition ? ANSWERS[row.answer] : "To consider"), list, more);
  }

  /** Tell of a candidate on the map, and of its row in the table. */
  function show(row, near, latlng) {
    const lines = packed ? row.lots.flatMap((lot) => geonotice.lots.outline(packed, lot)) : [];
    if (near && lines.length) map.fitBounds(L.latLngBounds(lines.flat()), { maxZoom: Math.max(map.getZoom(), 16), padding: [90, 90], animate: false });
    const at = latlng || (packed && row.lots.length ? geonotice.lots.inside(packed, row.lots[0]) : map.getCenter());
    const popped = L.popup({ maxWidth: 390, minWidth: 260 }).setLatLng(at).setContent(popup(row));
    const mine = L.polyline(lines, { pane: "ring", color: "#1d2430", weight: 3.5, interactive: false });
    popped.on("remove", () => mine.remove());
    popped.openOn(map);
    mine.addTo(map);
    chosen = row;
    if (which.value !== "all" && which.value !== row.answer) which.value = row.answer;
    if (!matching().slice(0, MOST).includes(row)) filter.value = row.values[ID];
    list();
    const line = document.querySelector("#candidates tr.chosen");
    if (line) line.scrollIntoView({ block: "nearest" });
  }

  const which = document.getElementById("which");
  const filter = document.getElementById("filter");
  const listed = data.columns.map((column, n) => n).filter((n) => data.columns[n].listed);
  if (![...which.options].some((option) => option.value === "yes" && !option.text.endsWith("(0)"))) which.value = "all";

  function matching() {
    const asked = filter.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const found = rows.filter((row) => (which.value === "all" || row.answer === which.value) && asked.every((word) => row.text.includes(word)));
    if (!order) return found;
    const { column, most } = order;
    const number = data.columns[column].number;
    const compare = number ? (a, b) => Number(a) - Number(b) : (a, b) => a.localeCompare(b, "en", { numeric: true });
    return found.sort((a, b) => {
      const [one, other] = [a.values[column], b.values[column]];
      if (one === UNKNOWN || other === UNKNOWN) return (one === UNKNOWN) - (other === UNKNOWN) || a.n - b.n; // what is unknown comes last either way
      return (most ? -1 : 1) * compare(one, other) || a.n - b.n;
    });
  }
  function heads() {
    const line = document.querySelector("#candidates thead tr");
    line.replaceChildren(make("th", { scope: "col", class: "number", "aria-sort": order ? "none" : "ascending" }, make("button", { type: "button", onclick: () => { order = null; heads(); list(); } }, "Rank")));
    for (const column of listed) {
      const sorted = order && order.column === column ? (order.most ? "descending" : "ascending") : "none";
      const { title, about, number } = data.columns[column];
      const turn = () => { order = { column, most: sorted === "ascending" }; heads(); list(); line.children[listed.indexOf(column) + 1].firstChild.focus(); };
      line.append(make("th", { scope: "col", class: number ? "number" : "", title: about, "aria-sort": sorted }, make("button", { type: "button", onclick: turn }, title)));
    }
  }
  function list() {
    const found = matching();
    const body = document.querySelector("#candidates tbody");
    body.replaceChildren(...found.slice(0, MOST).map((row) => {
      const cells = listed.map((n) => {
        if (n !== ID) return make("td", { class: data.columns[n].number ? "number" : "" }, told(n, row.values[n]));
        const link = make("button", { type: "button", class: "link" }, row.values[ID]);
        return make("td", {}, link, PLACE >= 0 && row.values[PLACE] !== UNKNOWN ? make("div", {}, row.values[PLACE]) : null);
      });
      const line = make("tr", { class: row === chosen ? "chosen" : "", onclick: () => show(row, true) }, make("td", { class: "number" }, row.answer === "yes" ? String(row.n + 1) : row.answer === "unknown" ? "?" : "\u2013"), cells);
      return line;
    }));
    document.getElementById("said").textContent = found.length > MOST ? `The first ${MOST} of ${found.length.toLocaleString("en-US")}: type to narrow them.` : `${found.length.toLocaleString("en-US")} candidate${found.length === 1 ? "" : "s"}.`;
  }
  filter.addEventListener("input", list);
  which.addEventListener("change", list);

  const text = (id) => document.getElementById(id).textContent.trim();
  async function unpack() {
    if (!text("index")) { list(); return; }
    const [index, outlines] = await Promise.all([geonotice.lots.inflate(text("index")), geonotice.lots.inflate(text("outlines"))]);
    if (!index) { document.getElementById("said").textContent = "This browser is too old: neither the lots nor the table can be shown."; return; }
    const columns = new TextDecoder().decode(index).split("\x1d").map((column) => column.split("\x1e"));
    const [answers, paints, lots] = columns.slice(KEYS.length);
    rows = answers.map((answer, n) => {
      const values = KEYS.map((_, column) => columns[column][n]);
      return { n, values, answer, paint: Number(paints[n]), lots: lots[n] ? lots[n].split("\x1f").map(Number) : [], text: values.map((value, column) => told(column, value)).join(" ").toLowerCase() };
    });
    packed = geonotice.lots.decode(outlines);
    ofLot = Array.from({ length: packed.lots }, () => []);
    for (const row of rows) for (const lot of row.lots) ofLot[lot].push(row.n);
    const layer = layers.others.lots;
    const paintOf = (lot) => (ofLot[lot].length ? rows[ofLot[lot][0]].paint : data.paints.length - 1);
    const open = new Set(data.open);
    const canvas = new geonotice.lots.Canvas(packed, { ...layer.options.style(), fillOpacity: 0 }, (lot) => open.has(paintOf(lot)), { pane: "context", paints: data.paints, paintOf });
    if (map.hasLayer(layer)) canvas.addTo(map);
    layer.on("add", () => canvas.addTo(map));
    layer.on("remove", () => canvas.remove());
    heads();
    list();
    map.getContainer().dataset.lots = String(packed.lots);
  }
  const tell = (latlng) => {
    const under = packed && map.hasLayer(layers.others.lots) ? geonotice.lots.at(packed, latlng).filter((lot) => ofLot[lot].length) : [];
    if (under.length) show(rows[ofLot[under[0]][0]], false, latlng);
  };
  map.on("click", (event) => tell(event.latlng));
  map.getContainer().addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target === map.getContainer()) tell(map.getCenter());
  });
  unpack();
};
