import type { Span } from "./positions.js";

/** Length of a fragment, and of the text before its first mark if text is left out there, in UTF-16 units. */
const FRAGMENT_LENGTH = 160;
const LEAD_LENGTH = 40;

/**
 * Returns fragments of a text around its marks, in order, as HTML in which only `<em>` and `</em>` are markup. A short
 * text is one fragment. Otherwise fragments are cut between words if possible, with `…` for omitted text. The text
 * after the last fragment may have more marks.
 *
 * @param max maximum number of fragments
 */
export function cutFragments(text: string, marks: readonly Span[], max: number): readonly string[] {
  const spans = mergeSpans(marks);
  if (text.length <= FRAGMENT_LENGTH) return [writeFragment(text, { from: 0, to: text.length }, spans)];
  const fragments: string[] = [];
  let previousEnd = 0;
  for (const span of spans) {
    if (fragments.length === max) break;
    if (span.from < previousEnd) continue;
    const window = windowAt(text, span, previousEnd);
    fragments.push(writeFragment(text, window, spans));
    previousEnd = window.to;
  }
  return fragments;
}

/** Sorts spans, and merges those that touch each other. */
function mergeSpans(spans: readonly Span[]): readonly Span[] {
  const merged: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from || a.to - b.to)) {
    const last = merged.at(-1);
    if (last === undefined || span.from > last.to) merged.push(span);
    else merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
  }
  return merged;
}

function windowAt(text: string, span: Span, startMin: number): Span {
  const earliest = Math.max(startMin, span.from - LEAD_LENGTH);
  const blank = text.slice(earliest, span.from).search(/\s\S/u);
  const start = earliest === 0 ? 0 : wholeCharacter(text, blank < 0 ? earliest : earliest + blank + 1);
  const latest = Math.min(text.length, start + FRAGMENT_LENGTH);
  if (latest === text.length) return { from: start, to: latest };
  const last = /\s\S*$/u.exec(text.slice(span.to, latest))?.index;
  return { from: start, to: wholeCharacter(text, last === undefined ? latest : span.to + last) };
}

/** Returns the start of the character at a position, not the second half of a surrogate pair or a combining mark. */
function wholeCharacter(text: string, place: number): number {
  let start = place;
  while (start > 0 && start < text.length && /^(?:\p{M}|[\udc00-\udfff])/u.test(text.slice(start, start + 2))) start--;
  return start === 0 ? place : start;
}

function writeFragment(text: string, window: Span, spans: readonly Span[]): string {
  let html = "";
  let at = window.from;
  for (const span of spans) {
    const start = Math.max(span.from, window.from);
    const end = Math.min(span.to, window.to);
    if (start >= end) continue;
    html += `${escapeHtml(text.slice(at, start))}<em>${escapeHtml(text.slice(start, end))}</em>`;
    at = end;
  }
  html += escapeHtml(text.slice(at, window.to));
  return `${window.from > 0 ? "… " : ""}${html.trim()}${window.to < text.length ? " …" : ""}`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escapeHtml = (text: string): string => text.replace(/[&<>"']/gu, (sign) => ESCAPES[sign]!);
