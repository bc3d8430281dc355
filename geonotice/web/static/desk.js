/* What the desk's pages do beyond plain forms. Without this file the forms and links work; the map and the answers under a field do not. */
"use strict";
(() => {
  const data = (id) => { const found = document.getElementById(id); return found ? JSON.parse(found.textContent) : null; };
  const paints = data("paints");

  for (const swatch of document.querySelectorAll(".swatch[data-paint]")) {
    const paint = paints && paints[swatch.dataset.paint];
    if (!paint) continue;
    swatch.style.borderColor = paint.color;
    swatch.style.borderStyle = paint.dash ? "dashed" : "solid";
    if (paint.fill) swatch.style.background = paint.fill;
  }

  const element = document.getElementById("map");
  let map = null;
  if (element && paints && window.L) {
    const said = document.getElementById("map-said");
    const shapes = data("shapes");
    map = window.townMap(element, {
      box: element.dataset.box.split(",").map(Number),
      paints,
      permits: element.dataset.permits,
      shapes: shapes && shapes.shapes.length ? shapes : null,
      said: (text) => { if (said.textContent !== text) said.textContent = text; },
      picked: (id) => { card(id); chosen(id); },
      marks: Boolean(document.getElementById("card")),
    });
    window.townMapHere = map;
    for (const box of document.querySelectorAll("input[data-layer]")) box.addEventListener("change", () => map.show(box.dataset.layer, box.checked));
  }

  function card(id) {
    const place = document.getElementById("card");
    if (!place) return;
    place.hidden = false;
    const address = new URL(element.dataset.card, window.location.href);
    address.searchParams.set("parcel", id);
    window.htmx.ajax("GET", address.pathname + address.search, { target: "#card", swap: "innerHTML" });
  }
  function chosen(id) {
    for (const row of document.querySelectorAll("tr[data-parcel]")) row.classList.toggle("chosen", row.dataset.parcel === id);
  }
  const form = document.getElementById("notice");
  const byHand = document.getElementById("change_parcel");
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id !== "card") return;
    if (byHand) for (const button of event.target.querySelectorAll("[data-by-hand]")) button.hidden = false;
    // A lot that is among the premises already is not offered again.
    for (const button of event.target.querySelectorAll("[data-pick]")) {
      const there = [...document.querySelectorAll("[name=without], [data-without]")].some((one) => (one.value || one.dataset.without) === button.dataset.pick);
      if (there) { button.disabled = true; button.textContent = "It is among the premises"; }
    }
  });

  function submitWith(name, value) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value });
    form.append(field);
    form.requestSubmit();
  }
  document.addEventListener("click", (event) => {
    const pick = event.target.closest("[data-pick]");
    if (pick) {
      if (form) submitWith("pick", pick.dataset.pick);
      return;
    }
    const hand = event.target.closest("[data-by-hand]");
    if (hand && byHand) {
      byHand.value = hand.dataset.byHand;
      const listed = [...document.querySelectorAll("tr[data-parcel]")].some((row) => row.dataset.parcel === hand.dataset.byHand);
      document.getElementById("change").value = hand.dataset.change || (listed ? "drop" : "add");
      document.getElementById("by-hand").scrollIntoView({ block: "center" });
      document.getElementById("change_why").focus();
      return;
    }
    const row = event.target.closest("tr[data-parcel]");
    if (row && map && !event.target.closest("a, button")) { map.find(row.dataset.parcel); map.choose(row.dataset.parcel); chosen(row.dataset.parcel); }
    for (const hits of document.querySelectorAll(".over")) if (!event.target.closest(".find")) hits.textContent = "";
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") for (const hits of document.querySelectorAll(".hits.over, #find-hits")) hits.textContent = "";
    // Down and up go through the answers under a field.
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const field = event.target.closest("input[hx-get], .hits");
    if (!field) return;
    const hits = field.matches(".hits") ? field : document.querySelector(field.getAttribute("hx-target"));
    const items = hits ? [...hits.querySelectorAll("a, button")] : [];
    if (!items.length) return;
    event.preventDefault();
    const next = items.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
    if (items[next]) items[next].focus();
    else if (next < 0) document.querySelector(`[hx-target="#${hits.id}"]`).focus();
  });
  // Where a list stands one cell under the other, each says what it is: the headings are out of sight there.
  for (const table of document.querySelectorAll("table.list")) {
    const heads = [...table.querySelectorAll("thead th")].map((head) => head.textContent.trim());
    for (const row of table.tBodies[0].rows) [...row.cells].forEach((cell, n) => { if (n && heads[n] && cell.colSpan === 1) cell.dataset.head = heads[n]; });
  }
  const faults = document.getElementById("faults");
  if (faults) faults.focus();
})();
/* Forms that are saved at every field. <form data-draft="kind" data-draft-id="…"> with a place [data-draft-said]; the title is that of its
   element [data-draft-title], or its attribute. Whoever leaves before all of it is saved is warned. */
(() => {
  const token = document.querySelector('meta[name="desk-token"]');
  for (const form of document.querySelectorAll("form[data-draft]")) {
    const said = document.querySelector("[data-draft-said]");
    let later = 0, unsaved = false, leaving = false;
    const tell = (text) => { if (said && said.textContent !== text) said.textContent = text; };
    // One after another: two that are under way at once could arrive in the other order, and the earlier would stand.
    let saving = Promise.resolve();
    const save = () => { clearTimeout(later); saving = saving.then(send); return saving; };
    form.saveDraft = save;
    async function send() {
      const sent = new URLSearchParams();
      for (const [name, value] of new FormData(form)) if (typeof value === "string" && name !== "token") sent.append(name, value);
      sent.set("draft_kind", form.dataset.draft);
      sent.set("draft_id", form.dataset.draftId);
      sent.set("draft_seen", form.dataset.draftSeen || "");
      sent.set("draft_title", form.dataset.draftTitle || document.title);
      unsaved = false;
      try {
        const answer = await fetch("/drafts", { method: "POST", headers: { "x-desk-token": token.content }, body: sent });
        const found = await answer.json();
        unsaved = unsaved || !found.saved;
        if (found.saved) {
          form.dataset.draftSeen = found.seen;
          if (form.elements.draft_seen) form.elements.draft_seen.value = found.seen;
        }
        if (said) said.classList.toggle("bad", !found.saved && !found.nameless);
        tell(found.said);
      } catch {
        unsaved = true;
        tell("Not saved. Is the desk still open?");
      }
    }
    form.addEventListener("input", () => { unsaved = true; clearTimeout(later); later = setTimeout(save, 700); });
    form.addEventListener("change", save);
    form.addEventListener("submit", () => { leaving = true; });
    window.addEventListener("beforeunload", (event) => { if (unsaved && !leaving) event.preventDefault(); });
    if (form.dataset.draftBegun !== undefined) save();
  }
})();
