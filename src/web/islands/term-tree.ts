import { showState } from "./live-search.js";
import { Tree } from "./tree-view.js";

/** The tree of a vocabulary. Right shows what is below a term, Enter opens its page. */
export class TermTree extends Tree {
  /** Does the term that the page is at get the focus, once the page of another one has come? */
  #isOpening = false;
  protected readonly first = "li:has(> [aria-current])";

  protected override enhance(): void {
    super.enhance();
    if (this.#isOpening) this.find<HTMLElement>(this.first)?.focus();
    this.#isOpening = false;
  }

  protected titleOf(item: HTMLElement): string {
    return item.querySelector(":scope > a")?.textContent ?? "";
  }

  /** What is below it is shown where it is the term that the page is at. */
  protected isClosed(item: HTMLElement): boolean {
    return item.querySelector(":scope > [aria-current]") === null;
  }

  /** What is below the terms of the way to the present one is that way. */
  protected override isFoldable(): boolean {
    return false;
  }

  protected open(item: HTMLElement): void {
    const link = item.querySelector<HTMLAnchorElement>(":scope > a");
    if (link === null) return;
    this.#isOpening = true;
    void showState(new URL(link.href));
  }

  protected act(item: HTMLElement): void {
    item.querySelector<HTMLAnchorElement>(":scope > a.id")?.click();
  }
}
