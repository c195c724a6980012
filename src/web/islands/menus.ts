/** Selector of open menus. Menus work without scripts; scripts keep one open at a time and close them easily. */
const OPEN_MENU = "details.menu[open]";

/** Closes menus with Escape, when the reader presses elsewhere, and when another menu opens. */
export function closeMenusEasily(): void {
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
