import { SCRIPT_WORDS } from "../words/script-en.js";
import { added } from "./island.js";

/** Kept by the browser for this site: are there keys of one letter? (WCAG 2.1.4: they can be switched off.) */
const SETTING = "bindery-keys";
const areOn = (): boolean => localStorage.getItem(SETTING) !== "off";

/** Keys that work wherever nothing is being typed. Each does what a link, button or box of the page does as well. */
export function listenForKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (event.key === "?") showKeys();
    else if (areOn()) ACTIONS[event.key]?.();
    else return;
    if (event.key === "?" || event.key in ACTIONS) event.preventDefault();
  });
}

const ACTIONS: Readonly<Record<string, () => void>> = {
  "/": () => {
    const field = document.querySelector<HTMLInputElement>("#q, #head-q");
    field?.focus();
    field?.select();
  },
  j: () => moveBy(1),
  k: () => moveBy(-1),
  n: () => moveAmongDifferences(1),
  p: () => moveAmongDifferences(-1),
  f: () => {
    const folded = [...document.querySelectorAll<HTMLDetailsElement>("details.equal")];
    const areOpen = folded.some(({ open }) => !open);
    for (const each of folded) each.open = areOpen;
  },
  x: () => document.activeElement?.closest(HIT)?.querySelector<HTMLInputElement>("[name=sel]")?.click(),
};

const HIT = ".hits > li, .wide tbody tr";
const LINK = ":is(h2, h3, th) a";

/** The link of the next hit, or of the one before, gets the focus: Enter opens it. */
function moveBy(step: 1 | -1): void {
  const hits = [...document.querySelectorAll(HIT)];
  const at = hits.findIndex((hit) => hit.contains(document.activeElement));
  const next = hits[at === -1 ? (step === 1 ? 0 : hits.length - 1) : at + step];
  next?.querySelector<HTMLElement>(LINK)?.focus();
}

/** The head of the next row of a comparison in which records differ gets the focus, or that of the one before. */
function moveAmongDifferences(step: 1 | -1): void {
  const heads = [...document.querySelectorAll<HTMLElement>(".compare tbody tr:not(.group) th")];
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

/** The list of keys, and the box that switches those of one letter off. */
function showKeys(): void {
  const words = SCRIPT_WORDS.keys;
  const list = document.createElement("dl");
  for (const [key, does] of words.list) {
    const [term, meaning] = [document.createElement("dt"), document.createElement("dd")];
    term.append(...key.split(" ").map((each) => Object.assign(document.createElement("kbd"), { textContent: each })));
    meaning.textContent = does;
    list.append(term, meaning);
  }
  const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: areOn() });
  box.addEventListener("change", () => localStorage.setItem(SETTING, box.checked ? "on" : "off"));
  const label = document.createElement("label");
  label.append(box, ` ${words.single}`);
  const close = Object.assign(document.createElement("button"), { textContent: words.close, autofocus: true });
  const form = Object.assign(document.createElement("form"), { method: "dialog" });
  form.append(close);
  const heading = Object.assign(document.createElement("h2"), { textContent: words.title, id: "keys-title" });
  const dialog = added("dialog", { class: "keys", "aria-labelledby": "keys-title" }, heading, list, label, form);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
