import { Island, isPlainClick } from "./island.js";
import { PageChange } from "./page-change.js";

/** One for the page: a later change ends an earlier one. */
const change = new PageChange();

/** Shows another state of the page. Whoever types gets no entry of the history for each key. */
export const showState = (url: URL, entry: "push" | "replace" = "push"): Promise<void> => change.to(url, entry);

/** Gives the focus back to the box that changed the page, when that has come. */
export const focusAgain = (): void => change.focusAgain();

/**
 * A search page whose links and forms change it in place, where they lead to the same search with other parameters.
 * Forms of the class `live` apply with each change.
 */
export class LiveSearch extends Island {
  constructor() {
    super();
    this.addEventListener("click", (event) => this.#follow(event));
    this.addEventListener("submit", (event) => this.#submit(event));
    this.addEventListener("change", ({ target }) => {
      if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
      if (target.form?.classList.contains("live")) target.form.requestSubmit();
    });
  }

  protected enhance(): void {
    // Nothing to add: its listeners hear what happens in it, whatever is in it.
  }

  #follow(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest<Element & { href: unknown }>("a[href]") : null;
    if (!isPlainClick(event) || link === null || event.defaultPrevented) return;
    const url = new URL(link.getAttribute("href")!, document.baseURI);
    if (url.hash !== "" || !change.canShow(url)) return;
    event.preventDefault();
    const isPaging = link.closest(".paging") !== null;
    void showState(url).then(() => isPaging && this.find(".found")?.scrollIntoView());
  }

  #submit(event: SubmitEvent): void {
    const form = event.target as HTMLFormElement;
    const { submitter } = event;
    const url = urlOf(form, submitter);
    if (event.defaultPrevented || !change.canShow(url)) return;
    event.preventDefault();
    void showState(url);
  }
}

/** What the browser would ask for. Fields that are empty say nothing. */
export function urlOf(form: HTMLFormElement, submitter: HTMLElement | null = null): URL {
  const action = submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? "";
  const url = new URL(action, document.baseURI);
  const sent = new FormData(form, submitter);
  // The rows of the builder are counted by their fields, also those that are empty.
  const isSent = ([name, value]: [string, FormDataEntryValue]): boolean => value !== "" || name.startsWith("b.");
  const pairs = [...sent].filter(isSent).map(([name, value]) => [name, String(value)]);
  url.search = new URLSearchParams(pairs).toString();
  return url;
}
