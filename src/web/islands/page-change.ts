import { Idiomorph } from "idiomorph";
import { SCRIPT_WORDS } from "../words/script-en.js";
import { ADDED, changePage, createAdded, Island, isPlainClick } from "./island.js";

/** Treatment of the browser's history: add an entry, replace the current entry, or leave it as it is. */
type HistoryEntry = "push" | "replace" | "keep";

/** Policy for the only place at which fetched text becomes a document. This service escapes all user input. */
const policy =
  typeof trustedTypes === "undefined"
    ? undefined
    : trustedTypes.createPolicy("bindery", { createHTML: (html) => html });

/** Fetches a page of the service. @throws PageError if the service returns an error */
export const fetchPage = async (url: URL, signal: AbortSignal): Promise<Document> =>
  (await fetchDocument(url, signal)).page;

/** Also returns the address of the page, to which a redirect may lead. */
async function fetchDocument(url: URL, signal: AbortSignal): Promise<{ readonly page: Document; readonly at: URL }> {
  const answer = await fetch(url, { signal, headers: { accept: "text/html" } });
  if (!answer.ok) throw new PageError(answer.status, answer.headers.get("x-request-id") ?? "");
  const html = await answer.text();
  const page = new DOMParser().parseFromString(policy?.createHTML(html) ?? html, "text/html");
  return { page, at: answer.redirected ? new URL(answer.url) : url };
}

class PageError extends Error {
  constructor(
    readonly status: number,
    readonly requestId: string,
  ) {
    super(SCRIPT_WORDS.failed(status, requestId));
  }
}

/** Changes an element to its counterpart in a fetched page. Unchanged elements keep their focus and state. */
export function morph(element: Element, counterpart: Element): void {
  Idiomorph.morph(element, counterpart, {
    morphStyle: "outerHTML",
    ignoreActiveValue: document.activeElement instanceof HTMLInputElement && document.activeElement.type !== "checkbox",
    callbacks: {
      beforeNodeRemoved: (node) => !(node instanceof Element && node.hasAttribute(ADDED)),
      // Elements that the reader has opened or closed stay so.
      beforeAttributeUpdated: (name, { localName }) =>
        !(name === "open" && (localName === "details" || localName === "dialog")),
    },
  });
}

/** Shows other states of the page without a reload. States are addresses with the same path. */
class PageChange {
  #running: AbortController | undefined;
  #shown = stateOf(new URL(location.href));
  #findLostBox: FindBox | undefined;

  constructor() {
    addEventListener("popstate", () => {
      const here = new URL(location.href);
      if (stateOf(here) !== this.#shown) void this.to(here, "keep");
      else this.cancel();
    });
  }

  /** Returns whether an address is a state of this page. */
  canShow(url: URL): boolean {
    return url.origin === location.origin && url.pathname === location.pathname;
  }

  /** Shows a state. Resolves when it or an error message is shown, or when a later change has replaced this one. */
  async to(url: URL, entry: HistoryEntry): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    const main = document.querySelector("main")!;
    main.setAttribute("aria-busy", "true");
    for (const old of main.querySelectorAll(".failed")) old.remove();
    try {
      const { page, at } = await fetchDocument(url, running.signal);
      if (entry === "push") history.pushState(null, "", at);
      if (entry === "replace") history.replaceState(null, "", at);
      this.#shown = stateOf(at);
      this.#findLostBox = show(page);
    } catch (error) {
      if (running.signal.aborted) return;
      this.#showError(main, error, () => void this.to(url, entry));
    }
    if (this.#running === running) main.removeAttribute("aria-busy");
  }

  /** Cancels a running change. Its page will not be shown. */
  cancel(): void {
    this.#running?.abort();
    document.querySelector("main")?.removeAttribute("aria-busy");
  }

  /** Restores the focus of a box that arrived after the page, unless the reader has moved the focus meanwhile. */
  focusAgain(): void {
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.role === "status") this.#findLostBox?.()?.focus();
  }

  #showError(main: Element, error: unknown, again: () => void): void {
    const text = error instanceof PageError ? error.message : SCRIPT_WORDS.offline;
    const button = createAdded("button", { type: "button" }, SCRIPT_WORDS.tryAgain);
    button.addEventListener("click", again);
    main.prepend(createAdded("p", { class: "warning failed", role: "alert" }, text, " ", button));
  }
}

const stateOf = ({ pathname, search }: URL): string => pathname + search;

/** Shows a fetched page. @returns a function that finds the box which had the focus, if the page lacks it so far */
function show(page: Document): FindBox | undefined {
  const hadFocus = document.activeElement !== document.body;
  const focused = focusedBox();
  document.title = page.title;
  changePage(() => {
    for (const selector of [".head", "main", ".foot"]) {
      const [here, there] = [document.querySelector(selector), page.querySelector(selector)];
      if (here !== null && there !== null) morph(here, there);
    }
  });
  const box = focused?.();
  box?.focus();
  // The change may have removed the element with the focus, such as the link that removes a filter.
  if (hadFocus && document.activeElement === document.body)
    document.querySelector<HTMLElement>("[role=status]")?.focus();
  return box ? undefined : focused;
}

const BOX = ":is(input[type=checkbox], button[role=checkbox])";

type FindBox = () => HTMLElement | null | undefined;

/**
 * Returns a function that finds the box with the focus, or its tree item, after a change of the page. Lists change
 * their order, so an element may become the box of another value.
 */
function focusedBox(): FindBox | undefined {
  const active = document.activeElement;
  const isBox = active?.matches(BOX) === true;
  const box = isBox ? active : active?.querySelector(`:scope > ${BOX}`);
  if (!(box instanceof HTMLInputElement || box instanceof HTMLButtonElement)) return undefined;
  const value = `${BOX}[value="${CSS.escape(box.value)}"]`;
  // A box of a filter has a name only while it is not ticked.
  const facet = box.closest(".facet");
  const selector = facet === null ? `${value}[name="${CSS.escape(box.name)}"]` : `#${CSS.escape(facet.id)} ${value}`;
  return () => {
    const newBox = document.querySelector<HTMLElement>(selector);
    return isBox ? newBox : (newBox?.closest<HTMLElement>("[role=treeitem]") ?? newBox);
  };
}

/** Change of the page. A later change cancels an earlier one. */
const change = new PageChange();

/** Shows another state of the page. Changes while typing replace the history entry. */
export const showState = (url: URL, entry: "push" | "replace" = "push"): Promise<void> => change.to(url, entry);

/** Cancels a running change, because the reader has changed a field since the request. */
export const cancelChange = (): void => change.cancel();

/** Restores the focus of the box that changed the page, once the box has arrived. */
export const focusAgain = (): void => change.focusAgain();

/**
 * Search page whose links and forms change it in place if they lead to the same path with other parameters. Forms of
 * the class `live` are submitted at each change.
 */
export class LiveSearch extends Island {
  constructor() {
    super();
    this.addEventListener("click", (event) => this.#follow(event));
    // The query field is in the head of the page.
    for (const place of [this, document.querySelector(".head")!]) {
      place.addEventListener("submit", (event) => this.#submit(event as SubmitEvent));
    }
    this.addEventListener("change", ({ target }) => {
      if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
      if (target.form?.classList.contains("live")) target.form.requestSubmit();
    });
  }

  protected enhance(): void {
    // The listeners on this element also receive the events of new content.
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
    const url = formAddress(form, submitter);
    if (event.defaultPrevented || !change.canShow(url)) return;
    event.preventDefault();
    void showState(url);
  }
}

/** Returns the address that submitting a form would request, without empty fields. */
export function formAddress(form: HTMLFormElement, submitter: HTMLElement | null = null): URL {
  const action = submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? "";
  const url = new URL(action, document.baseURI);
  const fields = new FormData(form, submitter);
  // Empty fields of the builder are needed to count its rows.
  const isNeeded = ([name, value]: [string, FormDataEntryValue]): boolean => value !== "" || name.startsWith("b.");
  const pairs = [...fields].filter(isNeeded).map(([name, value]) => [name, String(value)]);
  url.search = new URLSearchParams(pairs).toString();
  return url;
}
