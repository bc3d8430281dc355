/* Habits of the permit desk: nothing typed is lost without a word, and a key saves. Without this file every form works all the same. */
"use strict";
(() => {
  let dirty = false;
  for (const form of document.querySelectorAll("form[data-guarded]")) {
    form.addEventListener("input", () => { dirty = true; });
    form.addEventListener("submit", () => { dirty = false; });
  }
  window.addEventListener("beforeunload", (event) => { if (dirty) event.preventDefault(); });
  // Ctrl+Enter (Command+Enter) presses the main button of the form in which somebody types: save, and on to what comes next.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    const form = event.target.closest("form");
    const button = form && (form.querySelector("button.main") || form.querySelector("button[type=submit], button:not([type])"));
    if (button) { event.preventDefault(); button.click(); }
  });
  const done = document.querySelector(".done h1");
  if (done) { done.tabIndex = -1; done.focus(); }
})();
