import { Idiomorph } from "idiomorph";
import { SCRIPT_WORDS } from "../words/script-en.js";
import { ADDED, added, changePage } from "./island.js";

/** `push`: another entry of the history; `replace`: instead of the present one; `keep`: it is the present one. */
type HistoryEntry = "push" | "replace" | "keep";

/** The one place where fetched text becomes a document. It comes from this service, which escapes what people wrote. */
const policy =
  typeof trustedTypes === "undefined"
    ? undefined
    : trustedTypes.createPolicy("bindery", { createHTML: (html) => html });

/** A page of the service. @throws PageError where there is none */
export async function fetchPage(url: URL, signal: AbortSignal): Promise<Document> {
  const answer = await fetch(url, { signal, headers: { accept: "text/html" } });
  if (!answer.ok) throw new PageError(answer.status, answer.headers.get("x-request-id") ?? "");
  const html = await answer.text();
  return new DOMParser().parseFromString(policy?.createHTML(html) ?? html, "text/html");
}

class PageError extends Error {
  constructor(
    readonly status: number,
    readonly requestId: string,
  ) {
    super(SCRIPT_WORDS.failed(status, requestId));
  }
}

/** Makes an element like its counterpart of a fetched page: what did not change stays, with its focus and its state. */
export function become(element: Element, wanted: Element): void {
  Idiomorph.morph(element, wanted, {
    morphStyle: "outerHTML",
    ignoreActiveValue: document.activeElement instanceof HTMLInputElement && document.activeElement.type !== "checkbox",
    callbacks: {
      beforeNodeRemoved: (node) => !(node instanceof Element && node.hasAttribute(ADDED)),
      // What a reader has opened or closed stays so.
      beforeAttributeUpdated: (name, { localName }) =>
        !(name === "open" && (localName === "details" || localName === "dialog")),
    },
  });
}

/** Shows the page in other states, which are other addresses with the same path, without loading it anew. */
export class PageChange {
  #running: AbortController | undefined;
  #shown = stateOf(new URL(location.href));
  #lost: FindBox | undefined;

  constructor() {
    addEventListener("popstate", () => {
      const here = new URL(location.href);
      if (stateOf(here) !== this.#shown) void this.to(here, "keep");
      else this.#stay();
    });
  }

  /** Is this another state of the page? */
  canShow(url: URL): boolean {
    return url.origin === location.origin && url.pathname === location.pathname;
  }

  /** Resolves when it is shown, when a later one was asked for meanwhile, or when it is said why it cannot be. */
  async to(url: URL, entry: HistoryEntry): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    const main = document.querySelector("main")!;
    main.setAttribute("aria-busy", "true");
    for (const old of main.querySelectorAll(".failed")) old.remove();
    try {
      const page = await fetchPage(url, running.signal);
      if (entry === "push") history.pushState(null, "", url);
      if (entry === "replace") history.replaceState(null, "", url);
      this.#shown = stateOf(url);
      this.#lost = show(page);
    } catch (error) {
      if (running.signal.aborted) return;
      this.#say(main, error, () => void this.to(url, entry));
    }
    if (this.#running === running) main.removeAttribute("aria-busy");
  }

  /** Cancels a change to another state, because the reader came back before its page arrived. */
  #stay(): void {
    this.#running?.abort();
    document.querySelector("main")?.removeAttribute("aria-busy");
  }

  /** Gives a box the focus back, unless the reader has gone on: the values of some facets come after the page. */
  focusAgain(): void {
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.role === "status") this.#lost?.()?.focus();
  }

  #say(main: Element, error: unknown, again: () => void): void {
    const text = error instanceof PageError ? error.message : SCRIPT_WORDS.offline;
    const button = added("button", { type: "button" }, SCRIPT_WORDS.tryAgain);
    button.addEventListener("click", again);
    main.prepend(added("p", { class: "warning failed", role: "alert" }, text, " ", button));
  }
}

const stateOf = ({ pathname, search }: URL): string => pathname + search;

/** @returns what finds the box that had the focus, if the page does not have it yet */
function show(page: Document): FindBox | undefined {
  const hadFocus = document.activeElement !== document.body;
  const focused = focusedBox();
  document.title = page.title;
  changePage(() => {
    for (const selector of ["main", ".foot"]) {
      const [here, there] = [document.querySelector(selector), page.querySelector(selector)];
      if (here !== null && there !== null) become(here, there);
    }
  });
  const box = focused?.();
  box?.focus();
  // What had the focus may be gone with what it did: a filter that was taken away.
  if (hadFocus && document.activeElement === document.body)
    document.querySelector<HTMLElement>("[role=status]")?.focus();
  return box ? undefined : focused;
}

const BOX = ":is(input[type=checkbox], button[role=checkbox])";

type FindBox = () => HTMLElement | null | undefined;

/**
 * If a box has the focus, or the item of a tree that it stands in: where that is after the page was changed. Lists
 * change their order, and an element may have become the box of another value.
 */
function focusedBox(): FindBox | undefined {
  const active = document.activeElement;
  const isBox = active?.matches(BOX) === true;
  const box = isBox ? active : active?.querySelector(`:scope > ${BOX}`);
  if (!(box instanceof HTMLInputElement || box instanceof HTMLButtonElement)) return undefined;
  const value = `${BOX}[value="${CSS.escape(box.value)}"]`;
  // A box of a filter has a name only while it is not ticked.
  const facet = box.closest(".facet");
  const same = facet === null ? `${value}[name="${CSS.escape(box.name)}"]` : `#${CSS.escape(facet.id)} ${value}`;
  return () => {
    const there = document.querySelector<HTMLElement>(same);
    return isBox ? there : there?.closest("li");
  };
}
