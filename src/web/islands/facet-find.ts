import { fetchFacet } from "./facet-part.js";
import { changePage, Island } from "./island.js";
import { urlOf } from "./live-search.js";
import { become } from "./page-change.js";

/** Between keys, before values are asked for. */
const PAUSE_MS = 150;

/** Finds values of a long facet while somebody types. Ticking one changes the page, and lists the largest again. */
export class FacetFind extends Island {
  #running = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.addEventListener("input", ({ target }) => {
      if (isField(target)) this.#ask(target, PAUSE_MS);
    });
    this.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !isField(event.target)) return;
      event.preventDefault();
      this.#ask(event.target, 0);
    });
  }

  /** The page has changed: what is asked for is of the one before. */
  protected enhance(): void {
    this.#stop();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#running.abort();
  }

  #ask(field: HTMLInputElement, pause: number): void {
    this.#stop();
    this.#timer = setTimeout(() => void this.#show(field), pause);
  }

  async #show({ form }: HTMLInputElement): Promise<void> {
    if (form === null) return;
    this.#running = new AbortController();
    const facet = await fetchFacet(this, urlOf(form), this.#running.signal);
    const wanted = facet?.querySelector(this.localName);
    if (wanted === undefined || wanted === null) return;
    changePage(() => become(this, wanted));
  }
}

const isField = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.type === "search";
