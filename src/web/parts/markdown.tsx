import { WORDS } from "../words/page-en.js";
import type { Place } from "./place.js";
import { ScrollBox } from "./table.js";
import { CodeLines, ExternalLink } from "./text.js";

/** A Markdown text, read into blocks: CommonMark without images, with the tables of GitHub. */
export interface MarkdownDocument {
  /** Text of the first heading of level 1, without markup; "" if there is none. */
  readonly title: string;
  readonly blocks: readonly Block[];
}

type Block =
  | { readonly kind: "heading"; readonly level: number; readonly text: string; readonly id: string }
  | { readonly kind: "paragraph"; readonly text: string }
  /** `number` counts the blocks of code of the document, from 1. */
  | { readonly kind: "code"; readonly text: string; readonly number: number }
  | { readonly kind: "list"; readonly isOrdered: boolean; readonly items: readonly (readonly Block[])[] }
  | { readonly kind: "table"; readonly heads: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: "quote"; readonly blocks: readonly Block[] }
  | { readonly kind: "rule" };

type Inline =
  | string
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "link"; readonly href: string; readonly of: readonly Inline[] }
  | { readonly kind: "em" | "strong" | "sub" | "sup"; readonly of: readonly Inline[] }
  | { readonly kind: "break" };

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^(#{1,6}) (.*)$/;
const RULE = /^ {0,3}(?:(?:\* ?){3,}|(?:- ?){3,}|(?:_ ?){3,})$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^ {0,3}(?:[-*+]|(\d{1,9})[.)]) {1,4}(?=\S)/;
const TABLE_RULE = /^\|?[ :|-]*-[ :|-]*$/;

/** Reads a Markdown text. */
export function parseMarkdown(text: string): MarkdownDocument {
  const lines = text
    .replaceAll("\r\n", "\n")
    .replaceAll(/^<!--[\s\S]*?-->$/gm, "")
    .split("\n");
  const blocks = withIds(parseBlocks(lines));
  const first = blocks.find((block) => block.kind === "heading" && block.level === 1);
  const title = first?.kind === "heading" ? plainText(first.text) : "";
  // The page has its title as the only heading of level 1.
  const below = blocks.map((block) => (block.kind === "heading" && block.level === 1 ? { ...block, level: 2 } : block));
  return { title, blocks: below.filter((_, i) => blocks[i] !== first) };
}

/** Returns the headings of level 2 of a document. */
export const sectionsOf = ({ blocks }: MarkdownDocument): readonly { readonly id: string; readonly title: string }[] =>
  blocks.flatMap((block) =>
    block.kind === "heading" && block.level === 2 ? [{ id: block.id, title: plainText(block.text) }] : [],
  );

/** Returns the addresses of all links of a document, in their order. */
export const hrefsOf = ({ blocks }: Pick<MarkdownDocument, "blocks">): readonly string[] =>
  blocks.flatMap((block) => {
    if (block.kind === "list") return block.items.flatMap((item) => hrefsOf({ blocks: item }));
    if (block.kind === "quote") return hrefsOf(block);
    if (block.kind === "table") return [block.heads, ...block.rows].flat().flatMap(hrefsIn);
    return block.kind === "heading" || block.kind === "paragraph" ? hrefsIn(block.text) : [];
  });

const hrefsIn = (text: string): readonly string[] => parseInline(text).flatMap(hrefsOfPart);

function hrefsOfPart(part: Inline): readonly string[] {
  if (typeof part === "string" || part.kind === "code" || part.kind === "break") return [];
  const inner = part.of.flatMap(hrefsOfPart);
  return part.kind === "link" ? [part.href, ...inner] : inner;
}

/** Maximum number of quotations and lists inside each other. Deeper ones are shown as text. */
const DEPTH_MAX = 20;

function parseBlocks(lines: readonly string[], depth = 0): Block[] {
  if (depth > DEPTH_MAX) return [{ kind: "paragraph", text: lines.join("\n") }];
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!;
    if (line.trim() === "") {
      at += 1;
      continue;
    }
    const [block, end] = readBlock(lines, at, depth);
    blocks.push(block);
    at = end;
  }
  return blocks;
}

/** Reads the block that begins at a line. @returns the block and the number of the line after it */
function readBlock(lines: readonly string[], start: number, depth: number): readonly [Block, number] {
  const line = lines[start]!;
  const [, fence] = FENCE.exec(line) ?? [];
  if (fence !== undefined) {
    const end = endOf(lines, start + 1, (each) => !each.trim().startsWith(fence));
    return [{ kind: "code", text: lines.slice(start + 1, end).join("\n"), number: 0 }, end + 1];
  }
  const [, marks = "", heading = ""] = HEADING.exec(line) ?? [];
  if (marks !== "") return [{ kind: "heading", level: marks.length, text: heading.trim(), id: "" }, start + 1];
  if (RULE.test(line)) return [{ kind: "rule" }, start + 1];
  if (QUOTE.test(line)) {
    const end = endOf(lines, start, (each) => QUOTE.test(each));
    const quoted = lines.slice(start, end).map((each) => each.replace(QUOTE, ""));
    return [{ kind: "quote", blocks: parseBlocks(quoted, depth + 1) }, end];
  }
  if (ITEM.test(line)) return readList(lines, start, depth);
  if (isTableAt(lines, start)) {
    const end = endOf(lines, start + 2, (each) => each.includes("|"));
    const [heads = [], , ...rows] = lines.slice(start, end).map(cellsOf);
    return [{ kind: "table", heads, rows }, end];
  }
  const end = endOf(lines, start + 1, (each, at) => each.trim() !== "" && !interrupts(lines, at));
  return [{ kind: "paragraph", text: lines.slice(start, end).join("\n") }, end];
}

/** Returns the number of the first line that does not belong to a block. */
function endOf(lines: readonly string[], from: number, belongs: (line: string, at: number) => boolean): number {
  let at = from;
  while (at < lines.length && belongs(lines[at]!, at)) at += 1;
  return at;
}

const isTableAt = (lines: readonly string[], at: number): boolean =>
  lines[at]!.includes("|") && TABLE_RULE.test(lines[at + 1] ?? "") && (lines[at + 1] ?? "").includes("|");

/** Returns whether a line ends the paragraph before it. Only a list that begins with 1 does so. */
function interrupts(lines: readonly string[], at: number): boolean {
  const line = lines[at]!;
  const [item, number = "1"] = ITEM.exec(line) ?? [];
  if (item !== undefined && number === "1") return true;
  return [FENCE, HEADING, RULE, QUOTE].some((pattern) => pattern.test(line)) || isTableAt(lines, at);
}

function readList(lines: readonly string[], start: number, depth: number): readonly [Block, number] {
  const isOrdered = ITEM.exec(lines[start]!)?.[1] !== undefined;
  const items: Block[][] = [];
  let at = start;
  while (at < lines.length) {
    const [marker, number] = ITEM.exec(lines[at]!) ?? [];
    if (marker === undefined || (number !== undefined) !== isOrdered) break;
    const indent = " ".repeat(marker.length);
    const content = [lines[at]!.slice(marker.length)];
    at += 1;
    while (at < lines.length) {
      const [line, previous] = [lines[at]!, lines[at - 1]!];
      const isBlank = line.trim() === "";
      const goesOn = previous.trim() !== "" && !interrupts(lines, at) && !ITEM.test(line);
      if (!isBlank && !line.startsWith(indent) && !goesOn) break;
      content.push(line.startsWith(indent) ? line.slice(indent.length) : line.trimStart());
      at += 1;
    }
    items.push(parseBlocks(content, depth + 1));
  }
  return [{ kind: "list", isOrdered, items }, at];
}

/** Splits a row of a table. A bar within a cell is written `\|`. */
function cellsOf(line: string): readonly string[] {
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** Ids of the frame of pages and of what scripts add to it. */
const IDS_OF_PAGES = ["content", "q", "q-list", "main", "filters", "found", "topics", "page-theme", "keys-title"];

/**
 * Gives each heading the id that Git hosts give it: lower case, hyphens for blanks, no other signs. An id that the page
 * has already gets a number. Blocks of code are numbered.
 */
function withIds(blocks: readonly Block[]): Block[] {
  const ids = new Set(IDS_OF_PAGES);
  let codes = 0;
  const add = (block: Block): Block => {
    if (block.kind === "quote") return { ...block, blocks: block.blocks.map(add) };
    if (block.kind === "list") return { ...block, items: block.items.map((item) => item.map(add)) };
    if (block.kind === "code") return { ...block, number: ++codes };
    if (block.kind !== "heading") return block;
    const slug = plainText(block.text)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-");
    const name = slug === "" ? "section" : slug;
    let id = name;
    for (let count = 1; ids.has(id); count++) id = `${name}-${count}`;
    ids.add(id);
    return { ...block, id };
  };
  return blocks.map(add);
}

const plainText = (text: string): string => parseInline(text).map(textOf).join("");

function textOf(part: Inline): string {
  if (typeof part === "string") return part;
  if (part.kind === "break") return " ";
  return part.kind === "code" ? part.text : part.of.map(textOf).join("");
}

/** Forms of markup within a line, each at the beginning of the rest of a text. Other HTML is text. */
const ESCAPE = /^\\([!-/:-@[-`{-~])/;
const CODE = /^(`+)(?!`)([\s\S]*?[^`])\1(?!`)/;
const LINK =
  /^!?\[((?:[^[\]\\`]|\\.|`[^`]*`|\[[^[\]]*\])*)\]\(<?([^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)>?(?: "[^"]*")?\)/s;
const ADDRESS = /^<([a-z][a-z+.-]{1,20}:[^\s<>]+)>/;
const STRONG = /^\*\*(?=\S)([\s\S]*?[^\s*])\*\*(?!\*)/;
const EMPHASIS = /^\*(?=[^\s*])([\s\S]*?[^\s*])\*(?!\*)/;
const EMPHASIS_OF_WORDS = /^_(?=[^\s_])([\s\S]*?[^\s_])_(?![\p{L}\p{N}_])/u;
const SMALL = /^<(sub|sup|em)>([^<]*)<\/\1>/;
const BREAK = /^(?: {2,}|\\)\n/;
const ENTITY = /^&(amp|lt|gt|quot|nbsp);/;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: "\u00a0" };
/** Characters with which markup can begin. */
const BEGINNING = /[\\`![<*_& ]/;

/** Reads the markup within a paragraph, a heading or a cell. */
function parseInline(text: string): readonly Inline[] {
  const parts: Inline[] = [];
  let plain = "";
  for (let at = 0; at < text.length; ) {
    const isWithinWord = text[at] === "_" && /[\p{L}\p{N}]/u.test(text[at - 1] ?? "");
    const [part, length] = isWithinWord || !BEGINNING.test(text[at]!) ? [text[at]!, 1] : readMarkup(text.slice(at));
    if (typeof part === "string") plain += part;
    else {
      if (plain !== "") parts.push(plain);
      plain = "";
      parts.push(part);
    }
    at += length;
  }
  return plain === "" ? parts : [...parts, plain];
}

/** Reads markup at the beginning of a text. @returns it and its length; the first character, if there is none */
function readMarkup(text: string): readonly [Inline, number] {
  const of = (match: RegExpExecArray, part: Inline): readonly [Inline, number] => [part, match[0].length];
  let match = ESCAPE.exec(text);
  if (match !== null) return of(match, match[1]!);
  match = CODE.exec(text);
  if (match !== null)
    return of(match, { kind: "code", text: match[2]!.replaceAll("\n", " ").replace(/^ (.+) $/, "$1") });
  if (text.startsWith("`")) {
    const [run] = /^`+/.exec(text)!;
    return [run, run.length];
  }
  match = LINK.exec(text);
  if (match !== null) return of(match, { kind: "link", href: match[2]!, of: parseInline(match[1]!) });
  match = ADDRESS.exec(text);
  if (match !== null) return of(match, { kind: "link", href: match[1]!, of: [match[1]!.replace(/^mailto:/, "")] });
  match = STRONG.exec(text);
  if (match !== null) return of(match, { kind: "strong", of: parseInline(match[1]!) });
  match = EMPHASIS.exec(text) ?? EMPHASIS_OF_WORDS.exec(text);
  if (match !== null) return of(match, { kind: "em", of: parseInline(match[1]!) });
  match = SMALL.exec(text);
  if (match !== null) return of(match, { kind: match[1] as "sub" | "sup" | "em", of: [match[2]!] });
  match = BREAK.exec(text);
  if (match !== null) return of(match, { kind: "break" });
  match = ENTITY.exec(text);
  return match === null ? [text[0]!, 1] : of(match, ENTITIES[match[1]!]!);
}

/** Addresses of the links in a text. */
interface Links {
  /**
   * Returns where a link leads: an address relative to the root or one with a scheme, or undefined to show its text
   * alone.
   */
  readonly linkTo: (href: string) => string | undefined;
  /** Returns where code in a column of a table leads, relative to the root, or undefined. */
  readonly codeLink?: ((code: string, column: string) => string | undefined) | undefined;
}

/** Schemes of links to other sites. */
const OUTWARD = /^(?:https?|mailto):/i;

/**
 * Markdown text without its title, which is the heading of the page. Everything except the addresses of links is shown
 * as text, so it cannot contain scripts.
 */
export function Markdown({ document, ...links }: Links & { readonly document: MarkdownDocument }) {
  return <Blocks blocks={document.blocks} links={links} />;
}

interface BlocksProps {
  readonly blocks: readonly Block[];
  readonly links: Links;
}

function Blocks({ blocks, links }: BlocksProps) {
  return (
    <>
      {blocks.map((block, i) => (
        <BlockElement key={i} block={block} links={links} />
      ))}
    </>
  );
}

function BlockElement({ block, links }: { readonly block: Block; readonly links: Links }) {
  switch (block.kind) {
    case "heading": {
      const Heading = `h${block.level}` as "h2";
      return (
        <Heading id={block.id}>
          <Text text={block.text} links={links} />
        </Heading>
      );
    }
    case "paragraph":
      return (
        <p>
          <Text text={block.text} links={links} />
        </p>
      );
    case "code":
      return <CodeLines text={block.text} what={WORDS.help.code(block.number, block.text.split("\n", 1)[0]!)} />;
    case "quote":
      return (
        <blockquote>
          <Blocks blocks={block.blocks} links={links} />
        </blockquote>
      );
    case "rule":
      return <hr />;
    case "list": {
      const List = block.isOrdered ? "ol" : "ul";
      return (
        <List>
          {block.items.map((item, i) => (
            <li key={i}>
              <ItemContent item={item} links={links} />
            </li>
          ))}
        </List>
      );
    }
    case "table":
      return <DataTable heads={block.heads} rows={block.rows} links={links} />;
  }
}

/** Content of an item of a list. A paragraph that is alone, or has only lists after it, is plain text. */
function ItemContent({ item, links }: { readonly item: readonly Block[]; readonly links: Links }) {
  const [first, ...rest] = item;
  if (first?.kind !== "paragraph" || rest.some(({ kind }) => kind !== "list")) {
    return <Blocks blocks={item} links={links} />;
  }
  return (
    <>
      <Text text={first.text} links={links} />
      <Blocks blocks={rest} links={links} />
    </>
  );
}

interface DataTableProps {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly links: Links;
}

function DataTable({ heads, rows, links }: DataTableProps) {
  return (
    <ScrollBox label={heads.filter((head) => head !== "").join(", ")}>
      <table>
        <thead>
          <tr>
            {heads.map((head, i) =>
              head === "" ? (
                <td key={i} />
              ) : (
                <th key={i} scope="col">
                  <Text text={head} links={links} />
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>
              {heads.map((head, column) => (
                <td key={column}>
                  <Text text={row[column] ?? ""} links={links} column={head} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

interface TextProps {
  readonly text: string;
  readonly links: Links;
  /** Head of the column of a table that contains the text. */
  readonly column?: string;
}

function Text({ text, links, column }: TextProps) {
  return <Parts parts={parseInline(text)} links={links} column={column} />;
}

interface PartsProps {
  readonly parts: readonly Inline[];
  readonly links: Links;
  readonly column?: string | undefined;
}

function Parts({ parts, links, column }: PartsProps) {
  return (
    <>
      {parts.map((part, i) =>
        typeof part === "string" ? part : <Part key={i} part={part} links={links} column={column} />,
      )}
    </>
  );
}

interface PartProps {
  readonly part: Exclude<Inline, string>;
  readonly links: Links;
  readonly column: string | undefined;
}

function Part({ part, links, column }: PartProps, { root }: Place) {
  if (part.kind === "break") return <br />;
  if (part.kind === "code") {
    const to = column === undefined ? undefined : links.codeLink?.(part.text, column);
    const code = <code>{part.text}</code>;
    return to === undefined ? (
      code
    ) : (
      <a href={root + to} rel="nofollow">
        {code}
      </a>
    );
  }
  const content = <Parts parts={part.of} links={links} />;
  if (part.kind !== "link") return <part.kind>{content}</part.kind>;
  const isComplete = part.href.startsWith("#") || OUTWARD.test(part.href);
  const to = isComplete ? part.href : links.linkTo(part.href);
  if (to === undefined) return content;
  if (/^https?:/i.test(to)) return <ExternalLink href={to}>{content}</ExternalLink>;
  return <a href={to.startsWith("#") || OUTWARD.test(to) ? to : root + to}>{content}</a>;
}
