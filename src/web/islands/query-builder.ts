import { Island } from "./island.js";
import { showState, urlOf } from "./live-search.js";

/** How long nothing is typed before the rows are read, in milliseconds. */
const PAUSE_MS = 250;

/** The builder as a dialog over the search: every change shows at once what the rows say and find. */
export class QueryBuilder extends Island {
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The search that was there before: Escape goes back to it. */
  #before = new URL(location.href);

  constructor() {
    super();
    this.addEventListener("change", ({ target }) => {
      if (target instanceof HTMLSelectElement) this.#readSoon(0);
    });
    this.addEventListener("input", ({ target }) => {
      if (target instanceof HTMLInputElement) this.#readSoon(PAUSE_MS);
    });
    this.addEventListener("submit", (event) => {
      // Buttons that change rows change the present state; the search itself is left by its link.
      event.preventDefault();
      event.stopPropagation();
      clearTimeout(this.#timer);
      void showState(urlOf(event.target as HTMLFormElement, event.submitter), "replace");
    });
  }

  protected enhance(): void {
    const dialog = this.find<HTMLDialogElement>("dialog");
    if (dialog === undefined || dialog.matches(":modal")) return;
    for (const name of [...this.#before.searchParams.keys()]) {
      if (name === "build" || name.startsWith("b.")) this.#before.searchParams.delete(name);
    }
    dialog.close();
    dialog.showModal();
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      void showState(this.#before);
    });
  }

  #readSoon(pause: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const form = this.querySelector("form");
      if (form !== null) void showState(urlOf(form), "replace");
    }, pause);
  }
}
