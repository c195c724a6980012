import type { Completion, QueryPart, QueryText, QueryWarning } from "../../client/query-text.js";
import { isPlainQuery, isRemark, isShownByParts, partText } from "../notation/query-parts.js";
import { withPowers } from "../notation/rich-text.js";
import { SCRIPT_WORDS } from "../words/script-en.js";
import { createAdded, Island } from "./island.js";

/** Time without input before the query is sent to the service, in milliseconds. */
const PAUSE_MS = 80;

const words = SCRIPT_WORDS.query;

/** Actions of the chips of a query. Positions in the text count code points. */
interface ChipActions {
  /** Selects the characters of a part. */
  readonly select: (part: QueryPart) => void;
  readonly remove: (part: QueryPart) => void;
  /** Replaces the query. */
  readonly take: (q: string) => void;
}

/** Shows how a query was read, part by part. */
function chipsOf(parts: readonly QueryPart[], actions: ChipActions): HTMLElement {
  const line = createAdded("p", { class: "read-parts" }, words.readAs);
  line.append(...parts.flatMap((part) => [" ", chipOf(part, actions)]));
  return line;
}

function chipOf(part: QueryPart, actions: ChipActions): Node {
  if (part.kind === "operator") return new Text(words.operators[part.operator ?? "+"]);
  if (part.kind === "group") return groupOf(part, actions);
  const text = partText(part);
  const read = createAdded("button", { type: "button", title: part.text }, text);
  read.addEventListener("click", () => actions.select(part));
  const remove = createAdded("button", { type: "button", "aria-label": words.remove(text) }, "×");
  remove.addEventListener("click", () => actions.remove(part));
  const chip = createAdded("span", { class: part.kind === "dropped" ? "part dropped" : "part" }, read);
  if (part.total !== undefined) chip.append(words.count(part.total));
  chip.append(remove);
  return chip;
}

function groupOf(part: QueryPart, actions: ChipActions): HTMLElement {
  const group = createAdded("span", { class: "part-group" });
  if (part.element !== undefined) group.append(words.oneOf(part.label ?? part.field ?? ""));
  group.append("(", ...(part.parts ?? []).flatMap((inner) => [" ", chipOf(inner, actions)]), " )");
  return group;
}

/** Shows the warnings of a query, with buttons for corrected queries. */
function warningsOf(warnings: readonly QueryWarning[], { take }: ChipActions): readonly HTMLElement[] {
  return warnings.map(({ code, message, value, cures = [] }) => {
    // The page does not search until the number has a unit. It offers the units below, too.
    const isUnitMissing = code === "QUERY_UNIT_MISSING" && cures.length > 0;
    const text = isUnitMissing ? words.unitNeeded(String(value)) : message.replaceAll("`", "");
    const line = createAdded("p", { class: isRemark(code) ? "soft" : "warning" }, text);
    for (const { label, q, unit } of cures) {
      const cure = createAdded("button", { type: "button", class: "quiet", title: q }, unit ? withPowers(unit) : label);
      cure.addEventListener("click", () => take(q));
      line.append(" ", cure);
    }
    return line;
  });
}

/** Returns the query of the page, which the page itself explains. */
const pageQuery = (): string => new URL(location.href).searchParams.get("q") ?? "";

/**
 * Query field that completes names, values and units (WAI-ARIA: combobox with a list) and shows how the query is read.
 * `data-query` is the address of the service that reads queries.
 */
export class QueryField extends Island {
  readonly #list = this.own(
    createAdded("ul", { role: "listbox", class: "completions", "aria-label": words.completions }),
  );
  readonly #read = this.own(createAdded("div", { class: "live-reading" }));
  #completions: readonly Completion[] = [];
  #active = -1;
  #running: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The query whose reading is shown. */
  #shown = "";

  constructor() {
    super();
    this.addEventListener("input", () => {
      // The list is that of an earlier text until the answer arrives, so nothing must be taken from it.
      this.#running?.abort();
      this.#activate(-1);
      this.#askSoon();
    });
    this.addEventListener("keydown", (event) => this.#press(event));
    this.addEventListener("submit", () => this.#close());
    this.addEventListener("focusout", ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && this.contains(relatedTarget))) this.#close();
    });
    // Handles pointerdown, because the list closes when the field loses the focus.
    this.#list.addEventListener("pointerdown", (event) => {
      const option = event.target instanceof Element ? event.target.closest("[role=option]") : null;
      if (option === null) return;
      event.preventDefault();
      if (this.#isCurrent()) this.#take(this.#completions[[...this.#list.children].indexOf(option)]!);
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
    // The page shows how its own query was read.
    if (field.value === pageQuery()) this.#clearReading();
    // A change of the page removes attributes that the page from the server does not have.
    else if (field.value === this.#shown) this.toggleAttribute("data-read", true);
    else void this.#ask(undefined);
  }

  get #field(): HTMLInputElement {
    return this.querySelector<HTMLInputElement>("input[name=q]")!;
  }

  get #address(): URL {
    return new URL(this.dataset.query!, document.baseURI);
  }

  #askSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(this.#field.selectionStart ?? undefined), PAUSE_MS);
  }

  /** Asks the service how it reads the query. @param caret position in UTF-16 units; undefined: no completions */
  async #ask(caret: number | undefined): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    const { value: q } = this.#field;
    const url = this.#address;
    url.searchParams.set("q", q);
    if (caret !== undefined) url.searchParams.set("at", String([...q.slice(0, caret)].length));
    try {
      const answer = await fetch(url, { signal: running.signal });
      const text = (await answer.json()) as QueryText;
      if (running.signal.aborted || !answer.ok) return;
      this.#shown = q;
      if (q === pageQuery()) this.#clearReading();
      else this.#showReading(text);
      this.#showList(caret === undefined ? [] : (text.completions ?? []));
    } catch {
      // A later question must not be ended with the one before it.
      if (running.signal.aborted) return;
      // The search still works, only without completions.
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
    const isPlain = isPlainQuery(parts);
    const messages = warnings.filter(({ code }) => isPlain || !isShownByParts(code));
    this.#read.replaceChildren(...(isPlain ? [] : [chipsOf(parts, actions)]), ...warningsOf(messages, actions));
    this.toggleAttribute("data-read", true);
  }

  /** Leaves it to the page to show how its query was read. */
  #clearReading(): void {
    this.#shown = this.#field.value;
    this.#read.replaceChildren();
    this.toggleAttribute("data-read", false);
  }

  #showList(completions: readonly Completion[]): void {
    this.#completions = completions;
    this.#list.replaceChildren(...completions.map((completion, i) => this.#optionOf(completion, i)));
    this.#list.hidden = completions.length === 0;
    this.#field.ariaExpanded = String(!this.#list.hidden);
    this.#activate(-1);
  }

  #optionOf(completion: Completion, i: number): HTMLElement {
    const { kind, insert, label, detail, field_label: field, doc_count: count } = completion;
    const option = createAdded("li", { role: "option", id: `${this.#list.id}-${i}` }, createAdded("b", {}, label));
    // An example of a field contains its name.
    const notes = [field, detail ?? (kind === "field" ? insert : undefined)].filter((note) => note && note !== label);
    if (notes.length > 0) option.append(createAdded("small", { class: "soft" }, notes.join(" · ")));
    const { records, terms } = SCRIPT_WORDS.query;
    const counted = this.#address.searchParams.has("vocabulary") ? terms : records;
    if (count !== undefined) option.append(createAdded("span", { class: "count" }, counted(count)));
    return option;
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#running?.abort();
    this.#showList([]);
  }

  /** Marks a completion as active. @param at index of the completion, or -1 for none */
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
    if (this.#list.hidden || event.target !== this.#field || event.isComposing || !this.#isCurrent()) return;
    const count = this.#completions.length;
    const chosen = this.#completions[this.#active];
    if (event.key === "ArrowDown") this.#activate((this.#active + 1) % count);
    else if (event.key === "ArrowUp") this.#activate(this.#active <= 0 ? count - 1 : this.#active - 1);
    else if (event.key === "Escape") this.#close();
    else if ((event.key === "Enter" || event.key === "Tab") && chosen !== undefined) this.#take(chosen);
    else return;
    event.preventDefault();
  }

  /** Returns whether the list is that of the present text. */
  #isCurrent(): boolean {
    return this.#field.value === this.#shown;
  }

  #take(completion: Completion): void {
    const field = this.#field;
    const [from, to] = [this.#offset(completion.from), this.#offset(completion.to)];
    field.setRangeText(completion.insert, from, to, "end");
    this.#showList([]);
    void this.#ask(field.selectionStart ?? undefined);
  }

  /** Searches with another query. */
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

  /** Converts a position in code points to UTF-16 units. */
  #offset(points: number): number {
    return [...this.#field.value].slice(0, points).join("").length;
  }
}
