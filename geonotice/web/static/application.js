/* The form of an application: questions of other kinds of events put away, rows added, lots picked on the map, the site drawn on it. Without this
   file the form is filled in and filed all the same; the site is then handed in as a drawing of another program. */
"use strict";
(() => {
  const form = document.getElementById("application-form");
  if (!form) return;
  const changed = () => form.dispatchEvent(new Event("change", { bubbles: true }));

  // Questions that are asked of some kinds of events alone.
  const kind = document.getElementById("event.kind");
  function only() {
    for (const part of document.querySelectorAll("[data-only-for]")) part.hidden = Boolean(kind && kind.value) && !part.dataset.onlyFor.split(" ").includes(kind.value);
  }
  if (kind) kind.addEventListener("change", only);
  only();

  // One more day, tent or sign.
  form.addEventListener("click", (event) => {
    const more = event.target.closest("[data-more]");
    if (!more) return;
    const rows = document.getElementById(more.dataset.more), last = rows.lastElementChild, row = last.cloneNode(true), n = rows.children.length;
    for (const field of row.querySelectorAll("input, select")) { field.value = ""; field.id = field.id.replace(/-\d+$/, `-${n}`); }
    for (const label of row.querySelectorAll("label")) label.htmlFor = label.htmlFor.replace(/-\d+$/, `-${n}`);
    rows.append(row);
    row.querySelector("input, select").focus();
  });

  // Lots: picked from the answers under the field or on the map. The page is made again, for its map and its setback lines are of those lots.
  async function again() {
    form.dataset.draftTitle = title();
    await form.saveDraft();
    form.dispatchEvent(new Event("submit")); // saved: leaving loses nothing
    sessionStorage.setItem("desk-scroll", String(window.scrollY));
    window.location.assign(`/applications/form?draft=${encodeURIComponent(form.dataset.draftId)}`);
  }
  const title = () => (document.getElementById("event.title") || {}).value || "An application";
  form.addEventListener("input", () => { form.dataset.draftTitle = title(); });
  const scrolled = sessionStorage.getItem("desk-scroll");
  if (scrolled) { sessionStorage.removeItem("desk-scroll"); window.scrollTo(0, Number(scrolled)); }
  function pick(number) {
    const lots = document.getElementById("lots");
    if ([...lots.querySelectorAll("input")].some((field) => field.value === number)) return;
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name: "premises.parcels", value: number });
    lots.append(field);
    again();
  }
  document.addEventListener("click", (event) => {
    const button = event.target.closest("#find-hits button[name=pick], [data-pick], [data-without]");
    if (!button) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (button.dataset.without === undefined) { pick(button.dataset.pick || button.value); return; }
    for (const field of form.querySelectorAll('[name="premises.parcels"]')) if (field.value === button.dataset.without) field.remove();
    again();
  }, true);

  // The drawing.
  const place = document.getElementById("drawing"), here = window.townMapHere;
  if (!place || !here || !window.townDrawing) return;
  place.hidden = false;
  const paints = JSON.parse(document.getElementById("paints").textContent);
  const layout = document.getElementById("premises.layout"), route = document.getElementById("parade.route");
  const table = document.getElementById("drawn"), said = document.getElementById("drawing-said");
  const buttons = [...place.querySelectorAll("[data-draw]")];
  const WORDS = {
    Rectangle: "Click a corner on the map, then the corner across.", Polygon: "Click each corner; double-click the last.", Line: "Click each turn of the way; double-click its end.",
    change: "Drag a corner to reshape, drag a thing to move it. Press Done when you are through.", "": "",
  };
  let ready = false;
  const drawing = window.townDrawing(here.inside, {
    paints,
    middle: () => here.inside.map.getCenter(),
    mode(mode) {
      for (const one of buttons) one.setAttribute("aria-pressed", String(one.dataset.draw === mode));
      said.textContent = WORDS[mode];
    },
    changed(things) {
      const of = (line) => things.filter((one) => one.line === line).map(({ what, points }) => ({ what, points }));
      if (layout) layout.value = of(false).length ? JSON.stringify(of(false)) : "";
      if (route) route.value = of(true).length ? JSON.stringify(of(true)) : "";
      list(things);
      if (ready) changed();
    },
  });
  function size(one) {
    const p = one.points;
    let length = 0, twice = 0;
    for (let n = 0; n < p.length; n += 1) {
      const q = p[(n + 1) % p.length];
      if (n + 1 < p.length) length += Math.hypot(q[0] - p[n][0], q[1] - p[n][1]);
      twice += p[n][0] * q[1] - q[0] * p[n][1];
    }
    const round = (n) => Math.round(n).toLocaleString("en-US");
    if (one.line) return `${round(length)} ft long`;
    const sides = p.length === 4 ? `${round(Math.hypot(p[1][0] - p[0][0], p[1][1] - p[0][1]))} by ${round(Math.hypot(p[2][0] - p[1][0], p[2][1] - p[1][1]))} ft, ` : "";
    return `${sides}${round(Math.abs(twice) / 2)} sq ft`;
  }
  const button = (text, label, act) => { const made = document.createElement("button"); made.type = "button"; made.textContent = text; made.setAttribute("aria-label", label); made.addEventListener("click", act); return made; };
  function list(things) {
    const focused = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.nth : undefined;
    table.textContent = "";
    things.forEach((one, n) => {
      const row = document.createElement("li"), name = document.createElement("input"), words = document.createElement("span"), move = document.createElement("button");
      name.value = one.what; name.maxLength = 100; name.setAttribute("list", "drawn-words"); name.setAttribute("aria-label", `What thing ${n + 1} is`); name.disabled = one.line;
      name.addEventListener("change", (event) => { event.stopPropagation(); drawing.rename(n, name.value || "structure"); });
      words.textContent = size(one);
      move.type = "button"; move.dataset.nth = String(n); move.textContent = "Move"; move.setAttribute("aria-label", `Move ${one.what} by the arrow keys, 5 ft a step, with Shift 1 ft`);
      move.addEventListener("click", () => drawing.show(n));
      move.addEventListener("keydown", (event) => {
        const step = event.shiftKey ? 1 : 5, way = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] }[event.key];
        if (way) { event.preventDefault(); drawing.move(n, ...way); }
      });
      row.append(name, words, move, button("Remove", `Remove ${one.what}`, () => drawing.remove(n)));
      table.append(row);
    });
    if (focused !== undefined) { const found = table.querySelector(`[data-nth="${focused}"]`); if (found) found.focus(); }
  }
  const what = document.getElementById("draw-what");
  for (const one of buttons) one.addEventListener("click", () => {
    const mode = one.dataset.draw;
    if (mode === "done" || one.getAttribute("aria-pressed") === "true") drawing.stop();
    else if (mode === "change") drawing.change();
    else drawing.draw(mode, mode === "Line" ? "route" : what.value.trim() || "structure");
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") drawing.stop(); });
  const add = document.getElementById("draw-add");
  if (add) add.addEventListener("click", () => {
    const [width, depth] = ["draw-width", "draw-depth"].map((id) => Number(document.getElementById(id).value));
    if (!(width > 0 && depth > 0 && width < 10000 && depth < 10000)) { said.textContent = "Type the width and the depth in feet."; return; }
    drawing.rectangle(what.value.trim() || "structure", width, depth);
    said.textContent = "It stands in the middle of the map. Move it with the button Move and the arrow keys, or drag it.";
  });
  const read = (field, line) => { try { return field && field.value ? JSON.parse(field.value).map((one) => ({ ...one, line })) : []; } catch { return []; } };
  drawing.load([...read(layout, false), ...read(route, true)]);
  ready = true;
})();
