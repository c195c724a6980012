/** A part of a text, from `start` up to `end` in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Units of text in a fragment, and how many of them stand before its first mark where the text is longer. */
const FRAGMENT_LENGTH = 160;
const LEAD_LENGTH = 40;

/**
 * Fragments of a text around what is marked, in order: HTML in which nothing but `<em>` and `</em>` is markup. A text
 * that is short enough is one fragment; else they are cut at words where there are some, with `…` where text is left
 * out. What follows the last fragment may hold more marks.
 *
 * @param max number of fragments at most
 */
export function cutFragments(text: string, marks: readonly Span[], max: number): readonly string[] {
  const spans = mergeSpans(marks);
  if (text.length <= FRAGMENT_LENGTH) return [writeFragment(text, { start: 0, end: text.length }, spans)];
  const fragments: string[] = [];
  let after = 0;
  for (const span of spans) {
    if (fragments.length === max) break;
    if (span.start < after) continue;
    const window = windowAt(text, span, after);
    fragments.push(writeFragment(text, window, spans));
    after = window.end;
  }
  return fragments;
}

/** Spans in order, those that touch each other made one. */
function mergeSpans(spans: readonly Span[]): readonly Span[] {
  const merged: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = merged.at(-1);
    if (last === undefined || span.start > last.end) merged.push(span);
    else merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
  }
  return merged;
}

function windowAt(text: string, span: Span, after: number): Span {
  const earliest = Math.max(after, span.start - LEAD_LENGTH);
  const blank = text.slice(earliest, span.start).search(/\s\S/u);
  const start = earliest === 0 ? 0 : wholeCharacter(text, blank < 0 ? earliest : earliest + blank + 1);
  const latest = Math.min(text.length, start + FRAGMENT_LENGTH);
  if (latest === text.length) return { start, end: latest };
  const last = /\s\S*$/u.exec(text.slice(span.end, latest))?.index;
  return { start, end: wholeCharacter(text, last === undefined ? latest : span.end + last) };
}

/** The beginning of the character that the place lies in: neither half of a pair nor a mark on a letter. */
function wholeCharacter(text: string, place: number): number {
  let start = place;
  while (start > 0 && start < text.length && /^(?:\p{M}|[\udc00-\udfff])/u.test(text.slice(start, start + 2))) start--;
  return start === 0 ? place : start;
}

function writeFragment(text: string, window: Span, spans: readonly Span[]): string {
  let html = "";
  let at = window.start;
  for (const span of spans) {
    const start = Math.max(span.start, window.start);
    const end = Math.min(span.end, window.end);
    if (start >= end) continue;
    html += `${escapeHtml(text.slice(at, start))}<em>${escapeHtml(text.slice(start, end))}</em>`;
    at = end;
  }
  html += escapeHtml(text.slice(at, window.end));
  return `${window.start > 0 ? "… " : ""}${html.trim()}${window.end < text.length ? " …" : ""}`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escapeHtml = (text: string): string => text.replace(/[&<>"']/gu, (sign) => ESCAPES[sign]!);
