import { ADDED, changePage, Island, isPlainClick } from "./island.js";
import { fetchPage, focusAgain, formAddress, morph, showState } from "./page-change.js";

/** Time without input before values are fetched, in milliseconds. */
const PAUSE_MS = 150;

/** Finds values of a long facet while the reader types. Ticking a value changes the page and ends the search. */
export class FacetFind extends Island {
  #running = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.addEventListener("input", ({ target }) => {
      if (isField(target)) this.#showSoon(target, PAUSE_MS);
    });
    this.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !isField(event.target)) return;
      event.preventDefault();
      this.#showSoon(event.target, 0);
    });
  }

  /** Cancels a running search, because the page has changed. */
  protected enhance(): void {
    this.#stop();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#running.abort();
  }

  #showSoon(field: HTMLInputElement, pause: number): void {
    this.#stop();
    this.#timer = setTimeout(() => void this.#show(field), pause);
  }

  async #show({ form }: HTMLInputElement): Promise<void> {
    if (form === null) return;
    this.#running = new AbortController();
    const facet = await fetchFacet(this, formAddress(form), this.#running.signal);
    const counterpart = facet?.querySelector(this.localName);
    if (counterpart === undefined || counterpart === null) return;
    changePage(() => morph(this, counterpart));
  }
}

const isField = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.type === "search";

/**
 * Fetches the facet around an element as another page shows it. If that fails, the whole page changes to that address,
 * which shows the error and offers to retry.
 * @returns undefined if the page lacks the facet or the request was aborted
 */
export async function fetchFacet(within: Element, url: URL, signal: AbortSignal): Promise<Element | undefined> {
  const { id = "" } = within.closest(".facet") ?? {};
  try {
    const page = await fetchPage(url, signal);
    return signal.aborted ? undefined : (page.getElementById(id) ?? undefined);
  } catch {
    if (!signal.aborted) await showState(url);
    return undefined;
  }
}

/** Facet whose values are fetched when the reader opens it, and again after each change of the page. */
export class FacetLater extends Island {
  #running = new AbortController();
  /** Address of the page whose values are shown. */
  #shown: string | undefined;
  readonly #whenToggled = (): void => this.enhance();

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
    this.closest("details")?.addEventListener("toggle", this.#whenToggled);
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
    // Removes the values of the previous search.
    this.find(".counted")?.remove();
    counted.setAttribute(ADDED, "");
    this.append(this.own(counted));
    focusAgain();
  }
}
