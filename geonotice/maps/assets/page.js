/* What every map's page does: words as text, never as HTML; labels that do not collide; search; a scale in feet; printing. */
"use strict";
const geonotice = (() => {
  const FOOT = 0.3048006096; // metres in a US survey foot

  /** Make an element; strings become text nodes, so that no word from a roll is ever read as HTML. */
  function make(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name === "onclick") made.addEventListener("click", value);
      else made.setAttribute(name, value);
    }
    for (const child of children.flat()) {
      if (child !== null && child !== undefined && child !== "") made.append(child);
    }
    return made;
  }

  /** A row of a pop-up's list of facts; several values stand one below the other. */
  function fact(list, term, values) {
    const wanted = [values].flat().filter((value) => value !== null && value !== undefined && value !== "");
    if (!wanted.length) return;
    list.append(make("dt", {}, term), make("dd", {}, wanted.map((value) => make("div", {}, value))));
  }

  const feet = (value) => value.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 }) + " ft";

  /*
   * The search ranks as geonotice/search.py does, on the same table of spellings; a test holds the two to the same answers.
   * What is compared: words in one spelling, without accents, case and marks; `tight` is a number's letters and digits.
   */
  const SPELLINGS = new Map(Object.entries(geonoticeSpellings.words));
  const TYPES = new Set(geonoticeSpellings.types);
  const words = (text) => text.toUpperCase().normalize("NFKD").replace(/\p{M}/gu, "").replace(/['`.\u2019]/g, "").replaceAll("&", " AND ")
    .replace(/[^\p{L}\p{N}]+/gu, " ").trim().split(" ").filter(Boolean).flatMap((word) => (SPELLINGS.get(word) || word).split(" "));
  const tight = (text) => text.toUpperCase().replace(/[^A-Z0-9]/g, "");
  const parts = (text) => (text.toUpperCase().match(/\p{Nd}+|[A-Z]+/gu) || []).map((part) => part.replace(/^0+/, "")).filter(Boolean).join(" ");
  const standsIn = (word, text) => (/^\p{Nd}/u.test(word) || word.length <= 2 ? text.includes(` ${word}`) : text.includes(word));

  const HITS = 30;
  /** A row of the search: id, address, owners, and what they are compared by. */
  function entry(id, situs, owners, more) {
    const [swis, ...rest] = id.split("/");
    const numbers = [id, ...(rest.length && /^\p{Nd}+$/u.test(swis) ? [rest.join("/")] : []), ...((more && more.also) || [])];
    const stands = words(situs);
    return {
      id, situs, owners, ...more, close: numbers.map(tight), split: numbers.map(parts), stands, first: words(situs.split(",")[0]).join(" "),
      everything: ` ${[...stands, ...owners.flatMap(words)].join(" ")}`,
    };
  }
  /** How well a row answers, 0 the best; -1 where it does not. */
  function rank(row, asked) {
    if (asked.close && row.close.includes(asked.close)) return 0;
    if (asked.split.includes(" ") && row.split.includes(asked.split)) return 0;
    if ((row.numbers || []).some((number) => String(number) === asked.text)) return 0;
    const { list, text } = asked.words;
    if (text && (row.stands.join(" ") === text || row.first === text)) return 1;
    if (text && list.every((word, n) => row.stands[n] === word)) return 2;
    if (text && list.every((word) => row.stands.includes(word))) return 3;
    if (/[0-9]/.test(asked.close) && row.close.some((close) => close.startsWith(asked.close) || (asked.close.length > 4 && close.includes(asked.close)))) return 4;
    if (asked.split.split(" ").length > 2 && row.split.some((number) => number.endsWith(` ${asked.split}`))) return 4;
    if (text && list.every((word) => standsIn(word, row.everything))) return 5;
    if (asked.rest.length && asked.rest.length < list.length && asked.rest.every((word) => row.stands.includes(word))) return 6;
    return -1;
  }
  /** Rows that answer a query, the best first: a number, an exact address, whole words of one, numbers that begin so, parts of words. */
  function match(rows, query) {
    const list = words(query);
    const asked = { text: query.trim(), close: tight(query), split: parts(query), words: { list, text: list.join(" ") }, rest: list.filter((word) => !TYPES.has(word)) };
    const ranks = [[], [], [], [], [], [], []];
    for (const row of rows) {
      const place = rank(row, asked);
      if (place >= 0) ranks[place].push(row);
    }
    const best = ranks.findIndex((some) => some.length);
    const last = ranks.pop();
    const found = ranks.flat().length ? ranks.flat() : last;
    return { rows: found.slice(0, HITS), more: Math.max(0, found.length - HITS), best };
  }

  /** Wire a search box. `find(query)` gives {hits: [{title, detail, go}], more}; null says that the query is too short. */
  function search(find) {
    const box = document.getElementById("search");
    if (!box) return;
    const hits = document.getElementById("hits");
    const said = document.getElementById("said");
    box.addEventListener("input", () => {
      hits.replaceChildren();
      const found = box.value.trim() ? find(box.value) : null;
      if (!found) { said.textContent = ""; return; }
      for (const hit of found.hits) {
        hits.append(make("li", {}, make("button", { type: "button", onclick: hit.go }, hit.title, make("small", {}, hit.detail))));
      }
      const n = found.hits.length;
      said.textContent = found.message || (!n ? "Nothing found." : found.more ? `The first ${n} of ${n + found.more}.` : n === 1 ? "1 found." : `${n} found.`);
    });
    box.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && hits.firstChild) hits.querySelector("button").click();
      if (event.key === "Escape") { box.value = ""; box.dispatchEvent(new Event("input")); }
    });
  }

  /** A long tax map number in two or three lines, broken behind its hyphens; null where it has none. */
  function broken(text, wanted) {
    const pieces = text.split(/(?<=-)/);
    if (pieces.length < wanted) return null;
    if (wanted === 3) return [pieces.slice(0, -2).join(""), ...pieces.slice(-2)];
    const cuts = pieces.slice(1).map((_, n) => [pieces.slice(0, n + 1).join(""), pieces.slice(n + 1).join("")]);
    return cuts.reduce((best, cut) => (Math.abs(cut[0].length - cut[1].length) < Math.abs(best[0].length - best[1].length) ? cut : best));
  }

  /**
   * The ways to write a label, the best first: in one line, in two or three where its feature is an area (with a box for each shape), in
   * short. What stands first is never left out for the text below it: on a notice map it is the number on the mailing list.
   */
  function variants(label) {
    const area = label.room && label.room.length > 1;
    const texts = [[label.text], area && broken(label.text, 2), area && broken(label.text, 3)].filter(Boolean);
    if (label.first) return [...texts.slice(0, 2).map((lines) => [label.first, ...lines]), [label.first], [label.short || label.first]];
    return label.short ? [...texts, [label.short]] : texts;
  }

  /** A label as it is drawn. */
  const written = (kind, lines) => make("span", { class: kind }, lines.map((line, n) => (n ? [make("br"), line] : line)).flat());

  /**
   * Return a function that measures labels, [kind, lines] each, as this browser draws them. Which fonts there are, and how wide they run,
   * differs from machine to machine, so each label is laid out once, unseen, in the map itself, and its box is read.
   */
  function measurer(map) {
    const sizes = new Map();
    const key = (kind, lines) => [window.devicePixelRatio, kind, ...lines].join("\n");
    const measure = (wanted) => {
      const missing = new Map(wanted.map((one) => [key(...one), one]).filter(([name]) => !sizes.has(name)));
      if (!missing.size) return;
      const desk = make("div", { class: "mark" });
      desk.style.visibility = "hidden";
      const spans = [...missing].map(([name, one]) => [name, written(...one)]);
      desk.append(...spans.map(([, span]) => span));
      map.getContainer().append(desk);
      for (const [name, span] of spans) {
        const { width, height } = span.getBoundingClientRect();
        sizes.set(name, [width, height]);
      }
      desk.remove();
    };
    return { measure, sizeOf: (kind, lines) => sizes.get(key(kind, lines)) };
  }

  const ASIDE = [0, -14, 14, -28, 28, -42, 42];

  /**
   * Labels, the important first: each is set where its feature has room for it and no other label stands, nor any of the boxes that
   * `obstacles` gives, such as badges.
   */
  function labels(map, all, obstacles = () => []) {
    const group = L.layerGroup().addTo(map);
    const { measure, sizeOf } = measurer(map);
    const order = { premises: 0, evidence: 1, town: 2, notified: 3, permitted: 3, parade: 1, street: 4, district: 5, water: 6, parcel: 7 };
    const sorted = all.slice().sort((a, b) => (order[a.kind] ?? 9) - (order[b.kind] ?? 9));
    const place = () => {
      group.clearLayers();
      const taken = [];
      const blocked = obstacles();
      const view = map.getBounds().pad(0.05);
      const zoom = map.getZoom();
      const perPixel = (label) => 40075016.7 * Math.cos(label.at[0] * Math.PI / 180) / (256 * 2 ** zoom); // metres

      /** The box that a label takes up, in one of the ways to write it; null where it has no room, or stands on another. */
      const boxOf = (label, lines, anywhere, down = 0, at = label.at) => {
        const point = map.latLngToLayerPoint(at);
        point.y += down;
        if (label.kind === "permitted") point.y += 17; // below the badge
        if (label.kind === "evidence") point.y -= 15; // above the sign
        const [width, high] = sizeOf(label.kind, lines);
        const wide = width + 3; // the white round the letters
        if (label.room && !anywhere) {
          const metres = perPixel(label);
          if (!label.room.some(([across, down]) => wide <= across / metres + 3 && high <= down / metres + 3)) return null;
        }
        const angle = (label.angle || 0) * Math.PI / 180;
        const halfX = (Math.abs(Math.cos(angle)) * wide + Math.abs(Math.sin(angle)) * high) / 2;
        const halfY = (Math.abs(Math.sin(angle)) * wide + Math.abs(Math.cos(angle)) * high) / 2;
        const box = [point.x - halfX, point.y - halfY, point.x + halfX, point.y + halfY];
        const hit = (other) => other.label !== label && box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1];
        if (taken.some(hit) || (label.kind !== "permitted" && blocked.some(hit))) return null;
        return Object.assign(box, { label, lines, point });
      };

      const shown = sorted.filter((label) => (!label.layer || map.hasLayer(label.layer)) && view.contains(label.at) && (label.kind !== "permitted" || zoom >= 14.5));
      measure(shown.flatMap((label) => [...variants(label), [label.text], ...(label.short ? [[label.short]] : [])].map((lines) => [label.kind, lines])));
      // Labels that stand in short keep the place for that against longer ones, so that every row of a list has its label; in a row of
      // narrow lots they stand higher and lower in turn.
      for (const label of shown.filter((one) => one.short)) {
        const box = [label.at, ...(label.spots || [])].map((at) => boxOf(label, [label.short], true, 0, at)).find(Boolean);
        if (box) taken.push(box);
      }
      // The name of the premises moves aside for them.
      for (const label of shown.filter((one) => one.kind === "premises" && !one.short)) {
        const box = ASIDE.map((down) => boxOf(label, [label.text], true, down)).find(Boolean);
        if (box) taken.push(box);
      }
      for (const label of shown) {
        const kept = taken.findIndex((box) => box.label === label);
        const moved = kept >= 0 && !label.short;
        const box = (!moved && variants(label).map((lines) => boxOf(label, lines, false)).find(Boolean)) || taken[kept];
        if (!box) continue;
        if (kept >= 0) taken.splice(kept, 1);
        taken.push(box);
        const span = written(label.kind, box.lines);
        if (label.angle) span.style.transform = `translate(-50%, -50%) rotate(${label.angle}deg)`;
        L.marker(map.layerPointToLatLng(box.point), { icon: L.divIcon({ className: "mark", iconSize: [0, 0], html: span }), interactive: false, keyboard: false, pane: "labels" }).addTo(group);
      }
    };
    map.on("zoomend moveend overlayadd overlayremove resize", place);
    place();
  }

  /** Make GeoJSON of packed shapes again (packing.py) and put it into its layer. */
  function unpack(layer, packed) {
    const [left, bottom] = packed.origin;
    const row = (steps) => {
      const corners = [];
      let x = left;
      let y = bottom;
      for (let n = 0; n < steps.length; n += 2) {
        x += steps[n];
        y += steps[n + 1];
        corners.push([x / 1e6, y / 1e6]);
      }
      return corners;
    };
    const features = packed.shapes.map(([kind, parts], id) => ({
      type: "Feature", id, properties: {},
      geometry: kind === 1 ? { type: "MultiPolygon", coordinates: parts.map((rings) => rings.map(row)) }
        : kind === 2 ? { type: "MultiPoint", coordinates: parts.map((part) => row(part)[0]) }
          : { type: "MultiLineString", coordinates: parts.map(row) },
    }));
    layer.addData({ type: "FeatureCollection", features });
  }

  /** A label along the longest part of a drawn line. */
  function along(shape, text) {
    const metres = 111195;
    let best = null;
    for (const line of shape.getLatLngs()) {
      const flat = Math.cos(line[0].lat * Math.PI / 180);
      const points = line.map((at) => [at.lng * flat * metres, at.lat * metres]);
      let length = 0;
      const ends = points.map((point, n) => (n ? (length += Math.hypot(point[0] - points[n - 1][0], point[1] - points[n - 1][1])) : 0));
      if (!best || length > best.length) best = { length, ends, line, points };
    }
    const half = best.length / 2;
    const n = Math.max(1, best.ends.findIndex((end) => end >= half));
    const [from, to] = [best.points[n - 1], best.points[n]];
    const share = (half - best.ends[n - 1]) / ((best.ends[n] - best.ends[n - 1]) || 1);
    const [start, end] = [best.line[n - 1], best.line[n]];
    let angle = -Math.atan2(to[1] - from[1], to[0] - from[0]) * 180 / Math.PI;
    if (angle > 90) angle -= 180; else if (angle < -90) angle += 180;
    return { at: [start.lat + share * (end.lat - start.lat), start.lng + share * (end.lng - start.lng)], text, kind: "street", angle, room: [[best.length, Infinity]] };
  }

  const Scale = L.Control.extend({
    options: { position: "bottomleft" },
    onAdd(map) {
      this._bar = make("i");
      this._text = make("span");
      map.on("move zoomend resize", this._draw, this);
      map.whenReady(this._draw, this);
      return make("div", { class: "scale", "aria-label": "scale" }, this._text, this._bar);
    },
    onRemove(map) { map.off("move zoomend resize", this._draw, this); },
    _draw() {
      const map = this._map;
      const y = map.getSize().y / 2;
      const metres = map.distance(map.containerPointToLatLng([0, y]), map.containerPointToLatLng([160, y]));
      const most = metres / FOOT;
      if (!(most > 0)) return;
      const power = 10 ** Math.floor(Math.log10(most));
      const round = [5, 2, 1].find((step) => step * power <= most) * power;
      this._bar.style.width = `${160 * round / most}px`;
      this._text.textContent = `${round.toLocaleString("en-US")} ft`;
    },
  });

  const North = L.Control.extend({
    options: { position: "bottomright" },
    onAdd() {
      const box = make("div", { class: "north", role: "img", "aria-label": "North is up" });
      box.innerHTML = '<svg width="26" height="38" viewBox="0 0 26 38"><path d="M13 2 L20 24 L13 19 L6 24 Z" fill="#1d2430"/><text x="13" y="36" font-size="12" font-weight="700" text-anchor="middle" fill="#1d2430">N</text></svg>';
      return box;
    },
  });

  /** Put the layer control into the panel, where it is the legend as well. */
  function legend(control) {
    document.getElementById("layers").append(control.getContainer());
    L.DomEvent.off(control.getContainer());
  }

  /** Before paper: the sheet's own size, the same view; the list goes to a sheet of its own. */
  function printing(map, home) {
    let view = null;
    let folded = []; // what is unfolded for paper only
    const list = document.getElementById("list");
    const place = list && list.nextElementSibling;
    const fit = () => { map.invalidateSize({ animate: false, pan: false }); map.fitBounds(view, { animate: false }); };
    window.addEventListener("beforeprint", () => {
      if (view) return;
      view = map.getBounds().contains(home) ? home : map.getBounds();
      map.closePopup();
      document.body.classList.add("paper");
      if (list) document.body.append(list);
      folded = list ? [...list.querySelectorAll("details:not([open])")] : [];
      folded.forEach((part) => { part.open = true; });
      fit();
    });
    window.addEventListener("afterprint", () => {
      if (!view) return;
      document.body.classList.remove("paper");
      if (list) place.before(list);
      folded.forEach((part) => { part.open = false; });
      fit();
      view = null;
    });
  }

  /**
   * Pop-ups for keyboard and screen reader: named after their heading; one that was opened from a button takes the focus, and gives it back.
   * Escape closes it.
   */
  function popups(map) {
    const container = map.getContainer();
    container.setAttribute("role", "region");
    container.setAttribute("aria-label", "Map. Arrow keys move it, plus and minus zoom, Enter tells of what is in the middle.");
    let back = null;
    map.on("popupopen", ({ popup }) => {
      const frame = popup.getElement();
      const box = frame.querySelector(".leaflet-popup-content");
      const heading = frame.querySelector("h3");
      frame.setAttribute("role", "dialog");
      frame.setAttribute("aria-label", (heading && heading.textContent) || "Details");
      box.tabIndex = 0; // it scrolls
      const from = document.activeElement;
      if (!from || from === document.body || from.closest(".leaflet-popup")) return;
      back = from;
      box.focus({ preventScroll: true });
    });
    map.on("popupclose", ({ popup }) => {
      const frame = popup.getElement();
      if (back && frame && frame.contains(document.activeElement)) back.focus({ preventScroll: true });
      back = null;
    });
    container.addEventListener("keydown", (event) => { if (event.key === "Escape") map.closePopup(); });
  }

  /** Furniture that every map has. */
  function furnish(map, control, home) {
    new Scale().addTo(map);
    new North().addTo(map);
    legend(control);
    printing(map, home);
    const whole = () => {
      map.closePopup(); // it would hang over the edge of the new view, its button with it
      map.fitBounds(home, { animate: false, padding: [24, 24] });
    };
    whole();
    popups(map);
    const button = document.getElementById("whole");
    if (button) button.addEventListener("click", whole);
    const print = document.getElementById("print");
    if (print) print.addEventListener("click", () => window.print());
  }

  return { make, fact, feet, entry, match, search, unpack, along, labels, furnish, FOOT };
})();
