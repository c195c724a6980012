import type { Prop, Vocabulary } from "../../core/catalog/types.js";
import { recogniseIdentifier } from "../../core/identifiers.js";
import { isObject, type Json } from "../../core/json.js";
import type { StoredTerm, Synonym } from "../../core/term.js";
import { parseStoredTerm, structureOf } from "../../core/terms/term-row.js";
import type { TermBody } from "../../core/terms/term-version.js";
import { structureUrl } from "../../http/answers/links.js";
import { propText, termName } from "../notation/names.js";
import type { Quantity } from "../notation/quantity.js";
import { concatTexts, joinWithSeparator, type RichText } from "../notation/rich-text.js";
import { termPath } from "./page-addresses.js";

/** A vocabulary as its pages show it. */
export interface VocabularyHead {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly hierarchy: boolean;
}

/** A term as lists and its own page show it. */
export interface TermView {
  readonly vocabulary: string;
  readonly id: string;
  readonly title: string;
  /** The title, with italics if the vocabulary has them. */
  readonly name: RichText;
  /** Titles in other languages. */
  readonly titles: readonly { readonly lang: string; readonly title: string }[];
  readonly synonyms: readonly Synonym[];
  readonly props: readonly {
    readonly name: string;
    readonly label: string;
    readonly text: RichText;
    readonly quantity?: Quantity | undefined;
    /** Whether lists of terms show it: a formula, a mass, a rank, a place. */
    readonly isTelling: boolean;
    /** Whether readers copy it: a structure as text. */
    readonly isCopied: boolean;
  }[];
  /** Title of the parent, which distinguishes terms with the same title. */
  readonly parentTitle: string | undefined;
  readonly isDeprecated: boolean;
  /** Whether a depositor added the term and no curator has confirmed it. */
  readonly isUnconfirmed: boolean;
  readonly replacedBy: string | undefined;
  /** Address of the term at its authority. */
  readonly url: string | undefined;
  /** Address of the picture of its structure, relative to the root. */
  readonly structure: string | undefined;
  /** Number of records that cite it; undefined if it is not known. */
  readonly citedBy: number | undefined;
  readonly created: string | undefined;
  readonly updated: string | undefined;
  readonly revision: number | undefined;
}

/** Makes the view of a term in a language. @param stored a term, or its place above another term */
export function termView(
  vocabulary: Vocabulary,
  stored: Pick<StoredTerm, "id" | "json"> & Partial<Pick<StoredTerm, "citedBy">>,
  lang = "en",
): TermView {
  const {
    id,
    title,
    props = {},
    synonyms = [],
    status,
    parent,
    replaced_by,
    confirmed,
    created,
    updated,
    revision_id: revision,
  } = parseStoredTerm<TermBody>(stored);
  const mainTitle = shownTitle(title, lang) ?? id;
  const parentTitle = parent === undefined ? undefined : (shownTitle(parent.title, lang) ?? parent.id);
  const url = recogniseIdentifier(id)?.url;
  const structure = structurePath(vocabulary, id, stored.json);
  return {
    vocabulary: vocabulary.name,
    id,
    title: mainTitle,
    name: termName(vocabulary, mainTitle),
    synonyms,
    isDeprecated: status === "deprecated",
    isUnconfirmed: confirmed === false,
    titles: Object.entries(title).flatMap(([tag, text]) => (text === mainTitle ? [] : [{ lang: tag, title: text }])),
    props: vocabulary.props.flatMap((prop) => {
      const { name, title: label } = prop;
      const text = textOfProp(vocabulary, name, props[name]);
      const { quantity } = propText(vocabulary, name, props[name] ?? "");
      if (text.length === 0) return [];
      const isCopied = name === vocabulary.structure || (prop.isWhole === true && prop.type === "text");
      return [{ name, label, text, quantity, isTelling: isTelling(vocabulary, prop), isCopied }];
    }),
    parentTitle,
    replacedBy: replaced_by,
    url,
    structure,
    citedBy: stored.citedBy,
    created,
    updated,
    revision,
  };
}

/** Returns the view of a homonym. Its name has the text that distinguishes it: *Linaria* (Metazoa). */
export function homonymView(vocabulary: Vocabulary, stored: StoredTerm, label: string): TermView {
  const view = termView(vocabulary, stored);
  const isLonger = label.startsWith(view.title);
  return { ...view, name: isLonger ? concatTexts(view.name, [label.slice(view.title.length)]) : [label] };
}

/** Returns whether lists show a prop: lists of ids, whole texts (an InChI, a count) and structures say little there. */
const isTelling = ({ structure }: Vocabulary, { name, type, isWhole }: Prop): boolean =>
  type !== "list" && isWhole !== true && name !== structure;

const shownTitle = (titles: TermBody["title"], lang: string): string | undefined =>
  titles[lang] ?? titles.en ?? Object.values(titles)[0];

/** Returns the address of the picture of a term's structure, or undefined if the term has no structure. */
export function structurePath(vocabulary: Vocabulary, id: string, json: string): string | undefined {
  const structure = structureOf(vocabulary, { id, json });
  return structure && structureUrl(`api/${termPath(vocabulary.name, id)}`, structure.revision);
}

function textOfProp(vocabulary: Vocabulary, name: string, value: Json | undefined): RichText {
  if (value === undefined || value === null) return [];
  const list = (values: readonly Json[], separator: string): RichText =>
    joinWithSeparator(
      values.map((each) => textOfProp(vocabulary, name, each)),
      separator,
    );
  if (Array.isArray(value)) return list(value, ", ");
  const { text } = propText(vocabulary, name, value);
  if (text.length > 0) return text;
  return isObject(value) ? list(Object.values(value) as Json[], " ") : [String(value)];
}
