import { SCRIPT_WORDS } from "../words/script-en.js";
import { createAdded, Island } from "./island.js";
import { showState } from "./page-change.js";

/** Stores the ids of the ticked records in the address, across pages and filters. Adds a box for the whole page. */
export class HitSelection extends Island {
  readonly #all = createAdded("input", { type: "checkbox" });
  readonly #count = createAdded("span");
  readonly #select = (event: Event): void => {
    if (event.target instanceof HTMLInputElement && event.target.name === "sel") this.#store();
  };

  constructor() {
    super();
    this.#all.addEventListener("change", () => {
      for (const box of this.#boxes()) box.checked = this.#all.checked;
      this.#store();
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("change", this.#select);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("change", this.#select);
  }

  protected enhance(): void {
    const boxes = this.#boxes();
    if (!this.contains(this.#all)) {
      this.#form().prepend(this.own(createAdded("label", {}, this.#all, this.#count)));
    }
    this.#count.textContent = SCRIPT_WORDS.selectAll(boxes.length);
    const ticked = boxes.filter(({ checked }) => checked).length;
    this.#all.checked = ticked > 0 && ticked === boxes.length;
    this.#all.indeterminate = ticked > 0 && ticked < boxes.length;
  }

  #form(): HTMLFormElement {
    return this.querySelector("form")!;
  }

  /** Returns the boxes of the records on this page. Hidden fields contain the ids of other pages. */
  #boxes(): readonly HTMLInputElement[] {
    return [...this.#form().elements].filter(
      (field): field is HTMLInputElement =>
        field instanceof HTMLInputElement && field.type === "checkbox" && field.name === "sel",
    );
  }

  #store(): void {
    const url = new URL(location.href);
    const ids = new FormData(this.#form()).getAll("sel").join(",");
    if (ids === "") url.searchParams.delete("sel");
    else url.searchParams.set("sel", ids);
    void showState(url, "replace");
  }
}
