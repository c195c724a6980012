/** Script of search pages: all islands, and menus that close by themselves. */
import { FacetFind, FacetLater } from "./facet-loading.js";
import { HitSelection } from "./hit-selection.js";
import "./page.js";
import { LiveSearch } from "./page-change.js";
import { QueryBuilder } from "./query-builder.js";
import { RangeBrush } from "./range-brush.js";
import { FacetTree, TermTree } from "./trees.js";

customElements.define("live-search", LiveSearch);
customElements.define("query-builder", QueryBuilder);
customElements.define("range-brush", RangeBrush);
customElements.define("term-tree", TermTree);
customElements.define("facet-tree", FacetTree);
customElements.define("facet-later", FacetLater);
customElements.define("facet-find", FacetFind);
customElements.define("hit-selection", HitSelection);
closeMenusEasily();

/** Selector of open menus. Menus work without scripts. With scripts, only one menu is open at a time. */
const OPEN_MENU = "details.menu[open]";

/** Closes menus on Escape, on a click elsewhere, and when another menu opens. */
function closeMenusEasily(): void {
  document.addEventListener("pointerdown", ({ target }) => closeMenus(menuAround(target)));
  document.addEventListener("focusin", ({ target }) => closeMenus(menuAround(target)));
  document.addEventListener(
    "toggle",
    ({ target }) => {
      if (target instanceof Element && target.matches(OPEN_MENU)) closeMenus(target);
    },
    // The event "toggle" does not bubble.
    { capture: true },
  );
  document.addEventListener("keydown", (event) => {
    const menu = document.querySelector<HTMLDetailsElement>(OPEN_MENU);
    if (event.key !== "Escape" || event.defaultPrevented || menu === null || isCovered()) return;
    event.preventDefault();
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
}

const menuAround = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest(OPEN_MENU) : null;

/** Returns whether a dialog covers the menus. Escape then closes the dialog. */
const isCovered = (): boolean => document.querySelector("dialog:modal") !== null;

/** Closes all menus except one. */
function closeMenus(kept: Element | null): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>(OPEN_MENU)) {
    if (menu !== kept) menu.open = false;
  }
}
