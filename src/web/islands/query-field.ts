import type { Completion, QueryPart, QueryText } from "../../client/query-text.js";
import { SCRIPT_WORDS } from "../words/script-en.js";
import { added, Island } from "./island.js";
import { chipsOf, warningsOf } from "./query-chips.js";

/** How long nothing is typed before the service is asked, in milliseconds. */
const PAUSE_MS = 80;

/**
 * A query field that completes names, values and units (WAI-ARIA: combobox with a list), and shows below how the query
 * is read. `data-query` is the address that reads queries.
 */
export class QueryField extends Island {
  readonly #list = this.own(
    added("ul", { role: "listbox", class: "completions", "aria-label": SCRIPT_WORDS.query.completions }),
  );
  readonly #read = this.own(added("div", { class: "live-reading" }));
  #completions: readonly Completion[] = [];
  #active = -1;
  #asked: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The query whose reading is shown. */
  #shown = "";

  constructor() {
    super();
    this.addEventListener("input", () => this.#askSoon());
    this.addEventListener("keydown", (event) => this.#press(event));
    this.addEventListener("submit", () => this.#close());
    this.addEventListener("focusout", ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && this.contains(relatedTarget))) this.#close();
    });
    // Before the field loses the focus, which closes the list.
    this.#list.addEventListener("pointerdown", (event) => {
      const option = event.target instanceof Element ? event.target.closest("[role=option]") : null;
      if (option === null) return;
      event.preventDefault();
      this.#take(this.#completions[[...this.#list.children].indexOf(option)]!);
    });
  }

  protected enhance(): void {
    const field = this.#field;
    this.#list.id = `${field.id}-list`;
    const attributes = { role: "combobox", "aria-autocomplete": "list", "aria-controls": this.#list.id };
    for (const [name, value] of Object.entries(attributes)) field.setAttribute(name, value);
    field.ariaExpanded = String(!this.#list.hidden);
    if (!this.contains(this.#list)) {
      this.#list.hidden = true;
      this.querySelector("form")!.append(this.#list);
    }
    if (!this.contains(this.#read)) this.append(this.#read);
    // A change of the page removes attributes that the page from the server does not have.
    this.toggleAttribute("data-read", this.#read.firstChild !== null);
    if (field.value !== this.#shown) void this.#ask(undefined);
  }

  get #field(): HTMLInputElement {
    return this.querySelector<HTMLInputElement>("input[name=q]")!;
  }

  #askSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(this.#field.selectionStart ?? undefined), PAUSE_MS);
  }

  /** @param caret where somebody types, in UTF-16 units; undefined: nobody does */
  async #ask(caret: number | undefined): Promise<void> {
    this.#asked?.abort();
    const asked = new AbortController();
    this.#asked = asked;
    const { value: q } = this.#field;
    const url = new URL(this.dataset.query!, document.baseURI);
    url.searchParams.set("q", q);
    if (caret !== undefined) url.searchParams.set("at", String([...q.slice(0, caret)].length));
    try {
      const answer = await fetch(url, { signal: asked.signal });
      const text = (await answer.json()) as QueryText;
      if (asked.signal.aborted || !answer.ok) return;
      this.#shown = q;
      this.#showReading(text);
      this.#showList(caret === undefined ? [] : (text.completions ?? []));
    } catch {
      // What is typed is searched all the same; only the help is missing.
      this.#close();
    }
  }

  #showReading({ parts, warnings }: QueryText): void {
    const actions = {
      select: (part: QueryPart) => {
        this.#field.focus();
        this.#field.setSelectionRange(this.#offset(part.from), this.#offset(part.to));
      },
      remove: (part: QueryPart) => this.#send(this.#replaced(part, "")),
      take: (q: string) => this.#send(q),
    };
    const isPlain = parts.length === 0 || (parts.length === 1 && parts[0]!.kind === "word");
    this.#read.replaceChildren(
      ...(isPlain && warnings.length === 0 ? [] : [chipsOf(parts, actions)]),
      ...warningsOf(warnings, actions),
    );
    this.toggleAttribute("data-read", this.#read.firstChild !== null);
  }

  #showList(completions: readonly Completion[]): void {
    this.#completions = completions;
    this.#list.replaceChildren(...completions.map((completion, i) => this.#optionOf(completion, i)));
    this.#list.hidden = completions.length === 0;
    this.#field.ariaExpanded = String(!this.#list.hidden);
    this.#activate(-1);
  }

  #optionOf({ insert, label, detail, doc_count: count }: Completion, i: number): HTMLElement {
    const option = added("li", { role: "option", id: `${this.#list.id}-${i}` });
    option.append(added("code", {}, insert.trim()));
    const said = [label === insert.trim() ? "" : label, detail ?? ""].filter((text) => text !== "");
    option.append(added("span", { class: "soft" }, said.join(" · ")));
    if (count !== undefined) option.append(added("span", { class: "count" }, String(count)));
    return option;
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#asked?.abort();
    this.#showList([]);
  }

  /** @param at -1: none is chosen */
  #activate(at: number): void {
    this.#active = at;
    for (const [i, option] of [...this.#list.children].entries()) option.ariaSelected = String(i === at);
    const chosen = this.#list.children[at];
    if (chosen === undefined) this.#field.removeAttribute("aria-activedescendant");
    else {
      this.#field.setAttribute("aria-activedescendant", chosen.id);
      chosen.scrollIntoView({ block: "nearest" });
    }
  }

  #press(event: KeyboardEvent): void {
    if (this.#list.hidden || event.target !== this.#field || event.isComposing) return;
    const count = this.#completions.length;
    const chosen = this.#completions[this.#active];
    if (event.key === "ArrowDown") this.#activate((this.#active + 1) % count);
    else if (event.key === "ArrowUp") this.#activate(this.#active <= 0 ? count - 1 : this.#active - 1);
    else if (event.key === "Escape") this.#close();
    else if ((event.key === "Enter" || event.key === "Tab") && chosen !== undefined) this.#take(chosen);
    else return;
    event.preventDefault();
  }

  #take(completion: Completion): void {
    const field = this.#field;
    const [from, to] = [this.#offset(completion.from), this.#offset(completion.to)];
    field.setRangeText(completion.insert, from, to, "end");
    void this.#ask(field.selectionStart ?? undefined);
  }

  /** Searches for another text. */
  #send(q: string): void {
    this.#field.value = q;
    this.querySelector("form")!.requestSubmit();
  }

  #replaced({ from, to }: QueryPart, text: string): string {
    const { value } = this.#field;
    return `${value.slice(0, this.#offset(from))}${text}${value.slice(this.#offset(to))}`
      .replaceAll(/\s+/g, " ")
      .trim();
  }

  /** Of a place that is told in code points, in UTF-16 units. */
  #offset(points: number): number {
    return [...this.#field.value].slice(0, points).join("").length;
  }
}
