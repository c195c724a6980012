import { SCRIPT_WORDS } from "../words/script-en.js";
import { createAdded, Island } from "./island.js";

const words = SCRIPT_WORDS.table;

/**
 * Button that copies the table of its section, or of the hits, for a spreadsheet, cell by cell. It exists only with
 * scripts.
 */
export class CopyTable extends Island {
  readonly #status = createAdded("span", { role: "status", class: "soft small" });

  protected enhance(): void {
    // The status belongs to the rows that were copied, which a change of the page may have replaced.
    this.#status.textContent = "";
    if (this.firstElementChild !== null) return;
    const button = createAdded("button", { type: "button", class: "quiet" }, words.copy);
    button.addEventListener("click", () => {
      const inSection = this.closest("section")?.querySelector("table");
      const table = inSection ?? document.querySelector<HTMLTableElement>("table.wide")!;
      const lines = tableLines(table);
      this.#status.textContent = copy(table, lines) ? words.copied(lines.length - 1) : SCRIPT_WORDS.notCopied;
    });
    this.append(button, " ", this.#status);
  }
}

/** A cell of the copy: a number with a decimal point and without its unit, or a text. */
interface CopiedCell {
  readonly text: string;
  readonly isNumber: boolean;
  /** Absolute address of the record. */
  readonly link?: string | undefined;
}

type Line = readonly CopiedCell[];

/** Reads the head and the rows of a table. Rows that only say how many more there are have fewer cells. */
function tableLines(table: HTMLTableElement): readonly Line[] {
  const rows = [...table.rows].map((row) => [...row.cells]).filter(({ length }, _, all) => length === all[0]!.length);
  const hasOrigins = rows[0]!.map((_, at) => rows.some((cells) => originOf(cells[at]!) !== ""));
  return rows.map((cells, i) =>
    cells.flatMap((cell, at) => [
      readCell(cell),
      ...(hasOrigins[at] ? [asText(i === 0 ? words.origin : originOf(cell))] : []),
    ]),
  );
}

/** Returns the symbols of the quantities from which the number of a cell is derived. */
function originOf(cell: Element): string {
  const note = cell.querySelector(".origin");
  return note === null ? "" : [...note.childNodes].map(textIn).join("").replaceAll(/[()]/g, "").trim();
}

function readCell(cell: HTMLTableCellElement): CopiedCell {
  const text = (cell.dataset.copy ?? textIn(cell)).replaceAll(/\s+/g, " ").trim();
  const [, digits, power] = NUMBER.exec(text) ?? [];
  if (cell.matches("td.number") && digits !== undefined) {
    const exponent = power === undefined ? "" : `e${power.replaceAll(/./g, (sign) => PLAIN[RAISED.indexOf(sign)]!)}`;
    return { text: digits.replace("\u2212", "-") + exponent, isNumber: true };
  }
  return { ...asText(text), link: cell.querySelector<HTMLAnchorElement>("tbody th a")?.href };
}

/** Returns the cell of a text. A text that a spreadsheet would run as a formula gets an apostrophe, as in CSV. */
const asText = (text: string): CopiedCell => ({
  text: /^[=+\-@＝＋－＠]/.test(text) ? `'${text}` : text,
  isNumber: false,
});

const RAISED = "⁻⁰¹²³⁴⁵⁶⁷⁸⁹";
const PLAIN = "-0123456789";

/** A number as pages write it: `−0.5`, `8.38 × 10⁵`, or as it was deposited: `1e-7`. */
const NUMBER = /^([\u2212-]?[\d.]+(?:e[+-]\d+)?)(?: × 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?$/;

/** Returns the text of a node with raised digits, without boxes, buttons and the origin of a number. */
function textIn(node: Node): string {
  if (node instanceof Text) return node.data;
  if (!(node instanceof Element) || node.matches(".tick-box, .origin, copy-text")) return "";
  const text = [...node.childNodes].map(textIn).join("");
  if (node.localName !== "sup") return text;
  return text.replace("\u2212", "-").replaceAll(/[-\d]/g, (sign) => RAISED[PLAIN.indexOf(sign)]!);
}

/**
 * Copies lines as tab-separated text and as HTML. An event can set both, also where pages have no clipboard API because
 * they are not encrypted. Returns whether it worked.
 */
function copy(table: HTMLTableElement, lines: readonly Line[]): boolean {
  let isCopied = false;
  const setData = (event: ClipboardEvent): void => {
    event.clipboardData?.setData("text/plain", lines.map((line) => line.map(({ text }) => text).join("\t")).join("\n"));
    event.clipboardData?.setData("text/html", writeHtml(lines));
    event.preventDefault();
    isCopied = event.clipboardData !== null;
  };
  const selection = getSelection();
  // Some browsers send the event only if something is selected.
  selection?.selectAllChildren(table);
  document.addEventListener("copy", setData, { capture: true });
  document.execCommand("copy");
  document.removeEventListener("copy", setData, { capture: true });
  selection?.removeAllRanges();
  return isCopied;
}

/** Writes a table for spreadsheets. `x:num` has the number where the region of the computer has a decimal comma. */
function writeHtml(lines: readonly Line[]): string {
  const rows = lines.map((line) => `<tr>${line.map(writeCell).join("")}</tr>`).join("");
  return `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><table>${rows}</table></html>`;
}

function writeCell({ text, isNumber, link }: CopiedCell): string {
  if (isNumber) return `<td x:num="${text}">${text}</td>`;
  const written = escapeHtml(text);
  return `<td>${link === undefined ? written : `<a href="${escapeHtml(link)}">${written}</a>`}</td>`;
}

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
