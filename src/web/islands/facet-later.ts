import { fetchFacet } from "./facet-part.js";
import { ADDED, Island, isPlainClick } from "./island.js";

/** A facet that is counted when it is opened, and again for each page that shows it open. */
export class FacetLater extends Island {
  #running = new AbortController();
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
    this.#running.abort();
    this.#running = new AbortController();
    if (this.closest("details")?.open === true) void this.#count(this.#running.signal);
  }

  async #count(signal: AbortSignal): Promise<void> {
    const link = this.find<HTMLAnchorElement>("p > a");
    const facet = link && (await fetchFacet(this, new URL(link.href), signal));
    const counted = facet?.querySelector(".counted");
    if (counted === undefined || counted === null) return;
    // What stood there until now is of the search before.
    this.find(".counted")?.remove();
    counted.setAttribute(ADDED, "");
    this.append(counted);
  }
}
