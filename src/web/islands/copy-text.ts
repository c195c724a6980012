import { SCRIPT_WORDS } from "../words/script-en.js";
import { added, Island } from "./island.js";

/** A button that copies what the element names in `data-text`; without scripts there is none. */
export class CopyText extends Island {
  protected enhance(): void {
    if (this.firstElementChild !== null) return;
    const { what = "" } = this.dataset;
    const button = added("button", { type: "button", class: "quiet" }, SCRIPT_WORDS.copy);
    button.setAttribute("aria-label", SCRIPT_WORDS.copyOf(what));
    const said = added("span", { role: "status", class: "soft small" });
    button.addEventListener("click", async () => {
      said.textContent = (await copy(this.dataset.text ?? "")) ? SCRIPT_WORDS.copied : SCRIPT_WORDS.notCopied;
    });
    this.append(button, " ", said);
  }
}

/** A page that came without encryption has no clipboard; the old way works there. */
async function copy(text: string): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const field = added("textarea", { class: "skip" });
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  return isCopied;
}
