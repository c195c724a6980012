import { Island } from "./island.js";
import { cancelChange, formAddress, showState } from "./page-change.js";

/** Time without input before the rows are read, in milliseconds. */
const PAUSE_MS = 250;

/** Shows the query builder as a dialog above the search. Each change updates the hits at once. */
export class QueryBuilder extends Island {
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.addEventListener("change", ({ target }) => {
      if (target instanceof HTMLSelectElement) this.#readSoon(0);
    });
    this.addEventListener("input", ({ target }) => {
      if (target instanceof HTMLInputElement) this.#readSoon(PAUSE_MS);
    });
    this.addEventListener("submit", (event) => {
      // Buttons that change rows replace the current history entry. A link leads to the search without the builder.
      event.preventDefault();
      event.stopPropagation();
      clearTimeout(this.#timer);
      void showState(formAddress(event.target as HTMLFormElement, event.submitter), "replace");
    });
    // Browsers also report a click if a text selection begins in the dialog and ends outside.
    let isPressedOutside = false;
    this.addEventListener("pointerdown", (event) => {
      isPressedOutside = isOutside(event);
    });
    this.addEventListener("click", (event) => {
      if (isPressedOutside && isOutside(event)) (event.target as HTMLDialogElement).close();
    });
    // Escape and a click outside close the dialog. The page then follows its link to the search without the builder.
    const leave = ({ target }: Event): void => {
      if (target instanceof HTMLDialogElement && !target.open) this.find<HTMLElement>("a.close")?.click();
    };
    this.addEventListener("close", leave, { capture: true });
  }

  protected enhance(): void {
    const dialog = this.find<HTMLDialogElement>("dialog");
    if (dialog === undefined || dialog.matches(":modal")) return;
    dialog.close();
    dialog.showModal();
  }

  /** A page of an earlier request would reset the fields that the reader has changed since. */
  #readSoon(pause: number): void {
    cancelChange();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const form = this.querySelector("form");
      // The reader may have closed the builder in the meantime.
      if (form !== null && this.isConnected) void showState(formAddress(form), "replace");
    }, pause);
  }
}

/** Returns whether a pointer event is outside of an open dialog, on the page that the dialog covers. */
function isOutside({ target, clientX, clientY }: MouseEvent): boolean {
  if (!(target instanceof HTMLDialogElement)) return false;
  const { left, right, top, bottom } = target.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
