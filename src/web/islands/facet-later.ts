import { fetchFacet } from "./facet-part.js";
import { ADDED, Island, isPlainClick } from "./island.js";
import { focusAgain } from "./live-search.js";

/** A facet whose values come when it is opened, and again for each page that shows it open. */
export class FacetLater extends Island {
  #running = new AbortController();
  /** The page whose values are shown. */
  #shown: string | undefined;
  readonly #toggled = (): void => this.enhance();

  constructor() {
    super();
    this.addEventListener("click", (event) => {
      if (!isPlainClick(event) || !(event.target instanceof HTMLAnchorElement)) return;
      event.preventDefault();
      this.enhance();
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.closest("details")?.addEventListener("toggle", this.#toggled);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#running.abort();
  }

  protected enhance(): void {
    const { href } = this.find<HTMLAnchorElement>("p > a") ?? {};
    const isShown = href === this.#shown && this.find(".counted") !== undefined;
    if (href === undefined || isShown || this.closest("details")?.open !== true) return;
    this.#running.abort();
    this.#running = new AbortController();
    void this.#show(href, this.#running.signal);
  }

  async #show(href: string, signal: AbortSignal): Promise<void> {
    const facet = await fetchFacet(this, new URL(href), signal);
    const counted = facet?.querySelector(".counted");
    if (counted === undefined || counted === null) return;
    this.#shown = href;
    // What stood there until now is of the search before.
    this.find(".counted")?.remove();
    counted.setAttribute(ADDED, "");
    this.append(this.own(counted));
    focusAgain();
  }
}
