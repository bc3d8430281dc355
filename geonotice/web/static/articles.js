/* Article numbers, scanned one after the other: a scanner ends with Enter. The cursor goes to the next letter at once, so that what is scanned
   while the desk still answers stands at its own letter. A doubtful number stays marked to be scanned over, and the same one once more is taken
   as it is: the cursor goes back to it, unless the next number has been begun.
   This file is loaded before the page has a body: no field is there that it does not listen to, so Enter never sends the form unasked. */
"use strict";
(() => {
  const digits = (text) => text.replace(/\s/g, "");
  const unsaved = (field) => field.value.trim() !== "" && digits(field.value) !== field.dataset.saved;
  const fields = () => [...document.querySelectorAll("[data-article]")];
  const underWay = new Map();
  // One after another, in the order of the scans.
  let saving = Promise.resolve();
  let leaving = false;

  function save(field, meant) {
    const text = field.value.trim();
    if (!unsaved(field) || underWay.get(field) === text) return;
    // Going elsewhere is no word for a doubtful number: it is taken where it is scanned or entered once more.
    if (!meant && field.dataset.doubted === text) return;
    underWay.set(field, text);
    saving = saving.then(() => send(field, text));
  }
  async function send(field, text) {
    const said = document.getElementById(`said-${field.dataset.article}`);
    const sent = new URLSearchParams({ name: field.form.elements.name.value, number: field.dataset.article, article: text, sure: field.dataset.doubted || "" });
    const token = document.querySelector('meta[name="desk-token"]').content;
    let found;
    try {
      const answer = await fetch("/packet/mail/article", { method: "POST", headers: { "x-desk-token": token }, body: sent, keepalive: true });
      found = await answer.json();
    } catch {
      found = { saved: false, said: "Not saved. Is the desk still open?" };
    }
    if (underWay.get(field) === text) underWay.delete(field);
    said.textContent = found.said;
    said.classList.toggle("bad", !found.saved);
    field.dataset.doubted = found.doubt ? text : "";
    if (found.saved) field.dataset.saved = digits(found.shown);
    if (field.value.trim() !== text) return; // typed over meanwhile
    if (found.saved) field.value = found.shown;
    const at = document.activeElement;
    if (at === field || (!found.saved && at.matches("[data-article]") && !unsaved(at))) { field.focus(); field.select(); }
  }

  document.addEventListener("keydown", (event) => {
    const field = event.target.closest("[data-article]");
    if (!field || event.key !== "Enter") return;
    event.preventDefault();
    if (!field.value.trim()) return;
    save(field, true);
    const all = fields();
    const left = (one) => !one.dataset.saved && !underWay.has(one);
    const next = all.slice(all.indexOf(field) + 1).find(left) || all.find((one) => left(one) && unsaved(one)) || field;
    next.focus();
    next.select();
  });
  // A doubtful number is scanned over by whoever comes back to it, by mouse too: a press would put the cursor within it, a second one does.
  let entered = null;
  document.addEventListener("focusin", (event) => {
    entered = event.target.matches("[data-article]") && event.target.dataset.doubted ? event.target : null;
    if (entered) entered.select();
  });
  document.addEventListener("click", () => { if (entered) entered.select(); entered = null; });
  document.addEventListener("change", (event) => { if (event.target.matches("[data-article]")) save(event.target, false); });
  document.addEventListener("submit", (event) => { if (event.target.id === "articles") leaving = true; });
  window.addEventListener("beforeunload", (event) => { if (!leaving && fields().some(unsaved)) event.preventDefault(); });
})();
