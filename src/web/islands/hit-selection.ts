import { SCRIPT_WORDS } from "../words/script-en.js";
import { added, Island } from "./island.js";
import { showState } from "./live-search.js";

/** Keeps the records that are ticked in the address, over pages and filters; adds a box for all of the page. */
export class HitSelection extends Island {
  readonly #all = added("input", { type: "checkbox" });
  readonly #select = (event: Event): void => {
    if (event.target instanceof HTMLInputElement && event.target.name === "sel") this.#keep();
  };

  constructor() {
    super();
    this.#all.addEventListener("change", () => {
      for (const box of this.#boxes()) box.checked = this.#all.checked;
      this.#keep();
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
      this.#form().prepend(this.own(added("label", {}, this.#all, ` ${SCRIPT_WORDS.selectAll}`)));
    }
    const ticked = boxes.filter(({ checked }) => checked).length;
    this.#all.checked = ticked > 0 && ticked === boxes.length;
    this.#all.indeterminate = ticked > 0 && ticked < boxes.length;
  }

  #form(): HTMLFormElement {
    return this.querySelector("form")!;
  }

  /** Of the records of the page; those of other pages are hidden fields. */
  #boxes(): readonly HTMLInputElement[] {
    return [...this.#form().elements].filter(
      (field): field is HTMLInputElement =>
        field instanceof HTMLInputElement && field.type === "checkbox" && field.name === "sel",
    );
  }

  #keep(): void {
    const url = new URL(location.href);
    const ids = new FormData(this.#form()).getAll("sel").join(",");
    if (ids === "") url.searchParams.delete("sel");
    else url.searchParams.set("sel", ids);
    void showState(url, "replace");
  }
}
