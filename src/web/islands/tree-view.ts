import { Island } from "./island.js";

/**
 * A list of lists with the keys of a tree (WAI-ARIA: tree view). It takes one place in the order of Tab; arrows move in
 * it, open and close; Home, End and letters jump.
 */
export abstract class Tree extends Island {
  constructor() {
    super();
    this.addEventListener("keydown", (event) => this.#press(event));
    this.addEventListener("focusin", ({ target }) => {
      if (target instanceof HTMLElement && target.role === "treeitem") this.#moveTo(target);
    });
  }

  /** What an item begins with, for letters to jump to. */
  protected abstract titleOf(item: HTMLElement): string;

  /** Is there more below an item than the page has? Asked of items of which nothing below is shown. */
  protected abstract isClosed(item: HTMLElement): boolean;

  /** Brings it. */
  protected abstract open(item: HTMLElement): void;

  /** Does what an item is for. @param key Enter or a blank */
  protected abstract act(item: HTMLElement, key: string): void;

  /** The item to begin with. */
  protected abstract readonly first: string;

  protected enhance(): void {
    const list = this.find<HTMLElement>("ul");
    if (list === undefined) return;
    list.role = "tree";
    list.ariaLabel = this.dataset.label ?? "";
    for (const group of list.querySelectorAll<HTMLElement>("ul")) group.role = "group";
    for (const item of list.querySelectorAll<HTMLElement>("li")) {
      item.role = "treeitem";
      item.tabIndex = -1;
      const below = belowOf(item);
      item.ariaExpanded = below === null ? (this.isClosed(item) ? "false" : null) : String(!below.hidden);
      for (const inner of item.querySelectorAll<HTMLElement>("a, button")) inner.tabIndex = -1;
    }
    const first = list.querySelector<HTMLElement>(this.first) ?? list.querySelector<HTMLElement>("li");
    if (first !== null) this.#moveTo(this.#focused() ?? first);
  }

  #focused(): HTMLElement | undefined {
    const item = document.activeElement?.closest<HTMLElement>("[role=treeitem]");
    return item !== null && item !== undefined && this.contains(item) ? item : undefined;
  }

  /** Tab comes to this item. */
  #moveTo(item: HTMLElement): void {
    for (const other of this.querySelectorAll<HTMLElement>("[role=treeitem][tabindex='0']")) other.tabIndex = -1;
    item.tabIndex = 0;
  }

  #press(event: KeyboardEvent): void {
    const item = this.#focused();
    if (item === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const isPressed = this.#turn(item, event.key) || this.#jump(item, event.key);
    if (isPressed) event.preventDefault();
  }

  /** Opens, closes and acts. */
  #turn(item: HTMLElement, key: string): boolean {
    const below = belowOf(item);
    switch (key) {
      case "ArrowRight":
        if (below === null || below.hidden) this.toggle(item);
        else below.querySelector<HTMLElement>("li")?.focus();
        return true;
      case "ArrowLeft":
        if (below !== null && !below.hidden && this.isFoldable(item)) this.toggle(item);
        else item.parentElement?.closest<HTMLElement>("[role=treeitem]")?.focus();
        return true;
      case "Enter":
      case " ":
        this.act(item, key);
        return true;
      default:
        return false;
    }
  }

  /** Shows what is below an item, or hides it where it is shown. */
  protected toggle(item: HTMLElement): void {
    const below = belowOf(item);
    if ((below === null || below.hidden) && this.isClosed(item)) this.open(item);
    if (below === null) return;
    below.hidden = !below.hidden;
    item.ariaExpanded = String(!below.hidden);
  }

  /** Can what is below an item be hidden? */
  protected isFoldable(_item: HTMLElement): boolean {
    return true;
  }

  #jump(item: HTMLElement, key: string): boolean {
    const shown = [...this.querySelectorAll<HTMLElement>("[role=treeitem]")].filter(
      (each) => each.closest("ul[hidden]") === null,
    );
    const at = shown.indexOf(item);
    const after = [...shown.slice(at + 1), ...shown.slice(0, at)];
    const steps: Readonly<Record<string, HTMLElement | undefined>> = {
      ...{ ArrowDown: shown[at + 1], ArrowUp: shown[at - 1], Home: shown[0], End: shown.at(-1) },
    };
    const letter = key.length === 1 ? key.toLowerCase() : undefined;
    const found =
      letter === undefined ? undefined : after.find((each) => this.titleOf(each).toLowerCase().startsWith(letter));
    (steps[key] ?? found)?.focus();
    return key in steps || letter !== undefined;
  }
}

const belowOf = (item: HTMLElement): HTMLElement | null => item.querySelector<HTMLElement>(":scope > ul");
