/** Script of all pages: copy buttons, query fields, the choice of the theme and keyboard shortcuts. */
import { SCRIPT_WORDS } from "../words/script-en.js";
import { createAdded, Island } from "./island.js";
import { rememberLook } from "./look-memory.js";
import { QueryField } from "./query-field.js";
import { CopyTable } from "./table-copy.js";

/**
 * Button with `data-label` that copies the text in `data-text`, or in FASTA if it is a sequence with its name in
 * `data-fasta`. It exists only with scripts.
 */
class CopyText extends Island {
  protected enhance(): void {
    if (this.firstElementChild !== null) return;
    const { what = "", label = SCRIPT_WORDS.copy } = this.dataset;
    const button = createAdded("button", { type: "button", class: "quiet" }, label);
    button.setAttribute("aria-label", SCRIPT_WORDS.copyOf(what));
    const status = createAdded("span", { role: "status", class: "soft small" });
    button.addEventListener("click", async () => {
      const { text = "", fasta } = this.dataset;
      const isCopied = await copy(fasta === undefined ? text : writeFasta(fasta, text));
      status.textContent = isCopied ? SCRIPT_WORDS.copied : SCRIPT_WORDS.notCopied;
    });
    this.append(button, " ", status);
  }
}

/** Writes a sequence in FASTA: its name in the first line, then lines of 60 residues. */
const writeFasta = (name: string, sequence: string): string =>
  `>${name.replaceAll(/\s+/g, " ")}\n${sequence.replaceAll(/(.{60})(?=.)/g, "$1\n")}\n`;

/** Copies a text. Pages without encryption have no clipboard API, so they use a command. Returns whether it worked. */
async function copy(text: string): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const field = createAdded("textarea", { class: "skip" });
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  return isCopied;
}

/** Setting in the browser's storage for the theme. A script in the head of each page applies it. */
const THEME = "bindery-theme";

/** Choice between the theme of the system, the light and the dark one. It exists only with scripts. */
class ThemeChoice extends Island {
  protected enhance(): void {
    if (this.firstElementChild !== null) return;
    const { title, themes } = SCRIPT_WORDS.theme;
    const select = createAdded("select", { id: "page-theme" });
    for (const [value, text] of themes) select.append(Object.assign(document.createElement("option"), { value, text }));
    select.value = document.documentElement.dataset.theme ?? "";
    tintWindow(select.value);
    select.addEventListener("change", () => {
      applyTheme(select.value);
      keepTheme(select.value);
    });
    // Another tab chose a theme, or emptied the storage.
    addEventListener("storage", ({ key, newValue }) => {
      if (key !== THEME && key !== null) return;
      select.value = newValue === "light" || newValue === "dark" ? newValue : "";
      applyTheme(select.value);
    });
    this.append(createAdded("label", { for: "page-theme" }, title), " ", select);
  }
}

/** @param theme "" is the theme of the system */
function applyTheme(theme: string): void {
  if (theme === "") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  tintWindow(theme);
}

function keepTheme(theme: string): void {
  try {
    if (theme === "") localStorage.removeItem(THEME);
    else localStorage.setItem(THEME, theme);
  } catch {
    // The browser allows no storage: the choice holds for this page only.
  }
}

/** Gives the window of the browser the colour of a theme. */
function tintWindow(theme: string): void {
  for (const color of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")) {
    const { usual = color.media } = color.dataset;
    color.dataset.usual = usual;
    color.media = theme === "" ? usual : usual.includes(theme) ? "all" : "not all";
  }
}

/** Setting in the browser's storage for single-letter shortcuts. WCAG 2.1.4 demands that they can be switched off. */
const SETTING = "bindery-keys";
const areKeysOn = (): boolean => localStorage.getItem(SETTING) !== "off";

/** Adds the keyboard shortcuts, which work outside of text fields. A link, button or box does the same as each key. */
function listenForKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (event.key === "?") showKeys();
    else if (areKeysOn()) ACTIONS[event.key]?.();
    else return;
    if (event.key === "?" || event.key in ACTIONS) event.preventDefault();
  });
}

const ACTIONS: Readonly<Record<string, () => void>> = {
  "/": () => {
    const field = document.querySelector<HTMLInputElement>("#q");
    field?.focus();
    field?.select();
  },
  j: () => moveBy(1),
  k: () => moveBy(-1),
  n: () => moveAmongDifferences(1),
  p: () => moveAmongDifferences(-1),
  f: () => {
    const folded = [...document.querySelectorAll<HTMLDetailsElement>("details.equal, details.differing")];
    const areOpen = folded.some(({ open }) => !open);
    for (const each of folded) each.open = areOpen;
  },
  x: () => document.activeElement?.closest(HIT)?.querySelector<HTMLInputElement>("[name=sel]")?.click(),
};

const HIT = ".hits > li, .wide tbody tr";
const LINK = ":is(h2, h3, th) a";

/** Moves the focus to the link of the next or previous hit. Enter opens it. */
function moveBy(step: 1 | -1): void {
  const hits = [...document.querySelectorAll(HIT)];
  const at = hits.findIndex((hit) => hit.contains(document.activeElement));
  const next = hits[at === -1 ? (step === 1 ? 0 : hits.length - 1) : at + step];
  next?.querySelector<HTMLElement>(LINK)?.focus();
}

/** Moves the focus to the heading of the next or previous row of a comparison in which records differ. */
function moveAmongDifferences(step: 1 | -1): void {
  const rows = document.querySelectorAll<HTMLElement>(".compare tr:has(.differs) th");
  const heads = [...rows].filter((head) => head.checkVisibility());
  const at = heads.indexOf(document.activeElement as HTMLElement);
  const next = heads[at === -1 ? (step === 1 ? 0 : heads.length - 1) : at + step];
  if (next === undefined) return;
  next.tabIndex = -1;
  next.focus();
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const { localName } = target;
  const isText = target instanceof HTMLInputElement && !["checkbox", "radio", "button", "submit"].includes(target.type);
  return isText || localName === "textarea" || localName === "select" || target.closest("[role=tree]") !== null;
}

/** Shows the list of keys, with a box that switches single-letter shortcuts off. */
function showKeys(): void {
  const words = SCRIPT_WORDS.keys;
  const list = document.createElement("dl");
  for (const [key, action] of words.list) {
    const [term, meaning] = [document.createElement("dt"), document.createElement("dd")];
    term.append(...key.split(" ").map((each) => Object.assign(document.createElement("kbd"), { textContent: each })));
    meaning.textContent = action;
    list.append(term, meaning);
  }
  const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: areKeysOn() });
  box.addEventListener("change", () => localStorage.setItem(SETTING, box.checked ? "on" : "off"));
  const label = document.createElement("label");
  label.append(box, ` ${words.single}`);
  const close = Object.assign(document.createElement("button"), { textContent: words.close, autofocus: true });
  const form = Object.assign(document.createElement("form"), { method: "dialog" });
  form.append(close);
  const heading = Object.assign(document.createElement("h2"), { textContent: words.title, id: "keys-title" });
  const dialog = createAdded("dialog", { class: "keys", "aria-labelledby": "keys-title" }, heading, list, label, form);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

customElements.define("copy-text", CopyText);
customElements.define("theme-choice", ThemeChoice);
customElements.define("copy-table", CopyTable);
customElements.define("query-field", QueryField);
listenForKeys();
rememberLook();
