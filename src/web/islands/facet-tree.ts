import { fetchFacet } from "./facet-part.js";
import { isPlainClick } from "./island.js";
import { Tree } from "./tree-view.js";

/**
 * The tree of a facet. Right shows what is below a value, a blank or Enter ticks its box. Of a long facet the page has
 * only some values below another one; opening it brings the others.
 */
export class FacetTree extends Tree {
  protected readonly first = "li:has(> [role=checkbox][aria-checked=true])";
  /** Values that were opened here: of the next page they are opened again. */
  readonly #opened = new Set<string>();
  /** Ends when the page changes: what is being fetched is of the search before. */
  #running = new AbortController();

  constructor() {
    super();
    this.addEventListener("click", (event) => {
      const item = event.target instanceof Element ? event.target.closest("a.opens")?.closest("li") : undefined;
      if (item === null || item === undefined || !isPlainClick(event)) return;
      event.preventDefault();
      this.toggle(item);
    });
  }

  protected override enhance(): void {
    this.#running.abort();
    this.#running = new AbortController();
    const again = this.#items().filter((item) => this.#opened.has(keyOf(item)));
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
      // The item itself says whether it is open.
      linkOf(item)?.setAttribute("aria-hidden", "true");
    }
  }

  protected titleOf(item: HTMLElement): string {
    return item.querySelector(":scope > [role=checkbox] > span")?.textContent ?? "";
  }

  protected isClosed(item: HTMLElement): boolean {
    return linkOf(item) !== null && !this.#opened.has(keyOf(item));
  }

  protected open(item: HTMLElement): void {
    const link = linkOf(item);
    if (link !== null) void this.#bring(item, link);
  }

  protected override toggle(item: HTMLElement): void {
    super.toggle(item);
    if (item.ariaExpanded === "false") this.#opened.delete(keyOf(item));
  }

  protected act(item: HTMLElement): void {
    boxOf(item)?.click();
  }

  async #bring(item: HTMLElement, link: HTMLAnchorElement): Promise<void> {
    const facet = await fetchFacet(this, new URL(link.href), this.#running.signal);
    if (facet === undefined) return;
    const list = item.querySelector<HTMLElement>(":scope > ul") ?? emptyList();
    const known = new Map(this.#items().map((each) => [keyOf(each), each]));
    for (const brought of facet.querySelectorAll<HTMLElement>(".values > li")) {
      // Values that were found by a text stand side by side: each value has one box, in its place.
      const own = known.get(keyOf(brought));
      if (own === undefined || !item.contains(own)) list.append(own ?? brought);
    }
    if (list.childElementCount === 0) link.remove();
    else item.append(list);
    this.#opened.add(keyOf(item));
    this.#describe();
  }
}

const boxOf = (item: HTMLElement): HTMLButtonElement | null => item.querySelector(":scope > [role=checkbox]");

const keyOf = (item: HTMLElement): string => boxOf(item)?.value ?? "";

const linkOf = (item: HTMLElement): HTMLAnchorElement | null => item.querySelector(":scope > a.opens");

const emptyList = (): HTMLElement => Object.assign(document.createElement("ul"), { className: "values" });
