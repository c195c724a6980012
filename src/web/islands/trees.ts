import { fetchFacet } from "./facet-loading.js";
import { Island, isPlainClick } from "./island.js";
import { fetchPage, showState } from "./page-change.js";

/**
 * Nested list with the keys of a tree (WAI-ARIA: tree view). It is one stop for Tab. Arrows move the focus, open and
 * close items; Home, End and letters jump.
 */
abstract class Tree extends Island {
  constructor() {
    super();
    this.addEventListener("keydown", (event) => this.#press(event));
    this.addEventListener("focusin", ({ target }) => {
      if (target instanceof HTMLElement && target.role === "treeitem") this.#moveTo(target);
    });
    this.addEventListener("click", (event) => {
      const item = event.target instanceof Element ? event.target.closest(this.link)?.closest("li") : undefined;
      if (item === null || item === undefined || !isPlainClick(event)) return;
      event.preventDefault();
      this.toggle(item);
    });
  }

  /** Selector of the link in an item to the page with its children. */
  protected abstract readonly link: string;

  /** Returns the title of an item, for jumps by letter. */
  protected abstract titleOf(item: HTMLElement): string;

  /** Returns whether an item without visible children has children that the page lacks. */
  protected abstract isClosed(item: HTMLElement): boolean;

  /** Fetches and shows the children of an item. */
  protected abstract open(item: HTMLElement): void;

  /** Performs the action of an item. @param key Enter or a blank */
  protected abstract act(item: HTMLElement, key: string): void;

  /** Selector of the item that Tab reaches first. */
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

  /** Makes an item the stop for Tab. */
  #moveTo(item: HTMLElement): void {
    for (const other of this.querySelectorAll<HTMLElement>("[role=treeitem][tabindex='0']")) other.tabIndex = -1;
    item.tabIndex = 0;
  }

  #press(event: KeyboardEvent): void {
    const item = this.#focused();
    if (item === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const isPressed = this.#activate(item, event.key) || this.#jump(item, event.key);
    if (isPressed) event.preventDefault();
  }

  /** Handles the keys that open, close or activate an item. Returns whether it handled the key. */
  #activate(item: HTMLElement, key: string): boolean {
    const below = belowOf(item);
    switch (key) {
      case "ArrowRight":
        if (below === null || below.hidden) this.toggle(item);
        else below.querySelector<HTMLElement>("li")?.focus();
        return true;
      case "ArrowLeft":
        if (below !== null && !below.hidden) this.toggle(item);
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

  /** Shows or hides the children of an item. */
  protected toggle(item: HTMLElement): void {
    const below = belowOf(item);
    if ((below === null || below.hidden) && this.isClosed(item)) this.open(item);
    if (below === null) return;
    below.hidden = !below.hidden;
    item.ariaExpanded = String(!below.hidden);
  }

  /** Moves the focus by an arrow, Home, End or a letter. Returns whether it handled the key. */
  #jump(item: HTMLElement, key: string): boolean {
    const shown = [...this.querySelectorAll<HTMLElement>("[role=treeitem]")].filter(
      (each) => each.closest("ul[hidden]") === null,
    );
    const at = shown.indexOf(item);
    const after = [...shown.slice(at + 1), ...shown.slice(0, at)];
    const steps: Readonly<Record<string, HTMLElement | undefined>> = {
      ArrowDown: shown[at + 1],
      ArrowUp: shown[at - 1],
      Home: shown[0],
      End: shown.at(-1),
    };
    const letter = key.length === 1 ? key.toLowerCase() : undefined;
    const match =
      letter === undefined ? undefined : after.find((each) => this.titleOf(each).toLowerCase().startsWith(letter));
    (steps[key] ?? match)?.focus();
    return key in steps || letter !== undefined;
  }
}

const belowOf = (item: HTMLElement): HTMLElement | null => item.querySelector<HTMLElement>(":scope > ul");

/**
 * Tree of a vocabulary. The triangle of a term and the right arrow show its children, which are fetched once; all other
 * terms stay as they are. Enter opens the page of a term.
 */
export class TermTree extends Tree {
  protected readonly first = "li:has(> [aria-current])";
  protected readonly link = "a.unfold";
  #running = new AbortController();

  protected override enhance(): void {
    this.#running.abort();
    this.#running = new AbortController();
    super.enhance();
    this.find(this.first)?.scrollIntoView({ block: "nearest" });
  }

  protected titleOf(item: HTMLElement): string {
    return item.querySelector(":scope > .node")?.textContent ?? "";
  }

  protected isClosed(item: HTMLElement): boolean {
    return this.#linkOf(item) !== null && belowOf(item) === null;
  }

  #linkOf(item: HTMLElement): HTMLAnchorElement | null {
    return item.querySelector<HTMLAnchorElement>(":scope > a.unfold");
  }

  protected open(item: HTMLElement): void {
    const link = this.#linkOf(item);
    if (link !== null) void this.#fetchChildren(item, link);
  }

  protected override toggle(item: HTMLElement): void {
    super.toggle(item);
    this.#turn(item);
  }

  protected act(item: HTMLElement): void {
    item.querySelector<HTMLAnchorElement>(":scope > .node")?.click();
  }

  /** Adds the children of a term, which becomes the current one. Its address is that of the page. */
  async #fetchChildren(item: HTMLElement, link: HTMLAnchorElement): Promise<void> {
    const { signal } = this.#running;
    const url = new URL(link.href);
    try {
      const page = await fetchPage(url, signal);
      const list = page.getElementById(item.id)?.querySelector<HTMLElement>(":scope > ul");
      if (signal.aborted || belowOf(item) !== null) return;
      if (list !== null && list !== undefined) item.append(list);
    } catch {
      if (!signal.aborted) await showState(url);
      return;
    }
    this.find("[aria-current]")?.removeAttribute("aria-current");
    link.ariaCurrent = "page";
    history.replaceState(null, "", url);
    super.enhance();
    this.#turn(item);
  }

  /** Turns the triangle of a term. */
  #turn(item: HTMLElement): void {
    const link = this.#linkOf(item);
    if (link !== null) link.textContent = item.ariaExpanded === "true" ? "▾" : "▸";
  }
}

/**
 * Tree of a facet. The right arrow shows the children of a value, a blank or Enter ticks its box. The page of a long
 * facet has only some children of a value. Opening the value fetches the others.
 */
export class FacetTree extends Tree {
  protected readonly first = "li:has(> [role=checkbox][aria-checked=true])";
  protected readonly link = "a.opens";
  /** Keys of opened values. They are opened again after a change of the page. */
  readonly #opened = new Set<string>();
  /** Aborts requests of the previous search when the page changes. */
  #running = new AbortController();

  constructor() {
    super();
    this.addEventListener("keydown", ({ key, target }) => {
      if (key === "Delete" && target instanceof Element)
        target.querySelector<HTMLElement>(":scope > .exclude")?.click();
    });
  }

  protected override enhance(): void {
    this.#running.abort();
    this.#running = new AbortController();
    const again = this.#items().filter((item) => this.#opened.has(nodeKey(item)));
    this.#opened.clear();
    this.#describe();
    for (const item of again) this.open(item);
  }

  #items(): readonly HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>("li")];
  }

  #describe(): void {
    super.enhance();
    for (const item of this.#items()) {
      item.ariaChecked = boxOf(item)?.ariaChecked ?? "false";
      // The item has `aria-expanded`, so screen readers do not need the link.
      linkOf(item)?.setAttribute("aria-hidden", "true");
    }
  }

  protected titleOf(item: HTMLElement): string {
    return item.querySelector(":scope > [role=checkbox] > span")?.textContent ?? "";
  }

  protected isClosed(item: HTMLElement): boolean {
    return linkOf(item) !== null && !this.#opened.has(nodeKey(item));
  }

  protected open(item: HTMLElement): void {
    const link = linkOf(item);
    if (link !== null) void this.#fetchChildren(item, link);
  }

  protected override toggle(item: HTMLElement): void {
    super.toggle(item);
    if (item.ariaExpanded === "false") this.#opened.delete(nodeKey(item));
  }

  protected act(item: HTMLElement): void {
    boxOf(item)?.click();
  }

  async #fetchChildren(item: HTMLElement, link: HTMLAnchorElement): Promise<void> {
    const facet = await fetchFacet(this, new URL(link.href), this.#running.signal);
    if (facet === undefined) return;
    const list = item.querySelector<HTMLElement>(":scope > ul") ?? emptyList();
    const itemsByKey = new Map(this.#items().map((each) => [nodeKey(each), each]));
    for (const child of facet.querySelectorAll<HTMLElement>(".values > li")) {
      // Values found by a text are a flat list. Such an item moves to its place, so that each value has one box.
      const existing = itemsByKey.get(nodeKey(child));
      if (existing === undefined || !item.contains(existing)) list.append(existing ?? child);
    }
    if (list.childElementCount === 0) link.remove();
    else item.append(list);
    this.#opened.add(nodeKey(item));
    this.#describe();
  }
}

const boxOf = (item: HTMLElement): HTMLButtonElement | null => item.querySelector(":scope > [role=checkbox]");

const nodeKey = (item: HTMLElement): string => boxOf(item)?.value ?? "";

const linkOf = (item: HTMLElement): HTMLAnchorElement | null => item.querySelector(":scope > a.opens");

const emptyList = (): HTMLElement => Object.assign(document.createElement("ul"), { className: "values" });
