import type { Vocabulary } from "../../core/catalog/types.js";
import { labelOf } from "../../core/citable/values-at.js";
import { recogniseIdentifier } from "../../core/identifiers/identifiers.js";
import { isObject, type Json } from "../../core/json.js";
import type { StoredTerm, Synonym } from "../../core/term.js";
import { structureOf } from "../../core/terms/structure.js";
import { parseStoredTerm } from "../../core/terms/term-row.js";
import type { TermBody } from "../../core/terms/term-version.js";
import { structureUrl } from "../../http/answers/links.js";
import { termPath } from "./paths.js";

/** A vocabulary, as its pages call it. */
export interface VocabularyHead {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly hierarchy: boolean;
}

/** A term as lists and its page show it. */
export interface TermView {
  readonly vocabulary: string;
  readonly id: string;
  readonly title: string;
  /** Titles in other languages. */
  readonly titles: readonly { readonly lang: string; readonly title: string }[];
  readonly synonyms: readonly Synonym[];
  readonly props: readonly { readonly name: string; readonly label: string; readonly text: string }[];
  /** Title of the parent, which distinguishes terms with the same title. */
  readonly parentTitle?: string;
  readonly isDeprecated: boolean;
  /** A depositor added it, and no curator has confirmed it. */
  readonly isUnconfirmed: boolean;
  readonly replacedBy?: string;
  /** The term at its authority. */
  readonly url?: string;
  /** Where the picture of its structure is. */
  readonly structure?: string;
}

export function termView(vocabulary: Vocabulary, stored: Pick<StoredTerm, "id" | "json">, lang = "en"): TermView {
  const {
    id,
    title,
    props = {},
    synonyms = [],
    status,
    parent,
    replaced_by,
    confirmed,
  } = parseStoredTerm<TermBody>(stored);
  const known = shownTitle(title, lang) ?? id;
  const parentTitle = parent === undefined ? undefined : (shownTitle(parent.title, lang) ?? parent.id);
  const url = recogniseIdentifier(id)?.url;
  const structure = structurePath(vocabulary, id, stored.json);
  return {
    ...{ vocabulary: vocabulary.name, id, title: known, synonyms },
    ...{ isDeprecated: status === "deprecated", isUnconfirmed: confirmed === false },
    titles: Object.entries(title).flatMap(([tag, text]) => (text === known ? [] : [{ lang: tag, title: text }])),
    props: vocabulary.props.flatMap(({ name, title: label }) => {
      const text = textOf(props[name]);
      return text === "" ? [] : [{ name, label, text }];
    }),
    ...(parentTitle === undefined ? {} : { parentTitle }),
    ...(replaced_by === undefined ? {} : { replacedBy: replaced_by }),
    ...(url === undefined ? {} : { url }),
    ...(structure === undefined ? {} : { structure }),
  };
}

const shownTitle = (titles: TermBody["title"], lang: string): string | undefined =>
  titles[lang] ?? titles.en ?? Object.values(titles)[0];

/** Where the picture of a term's structure is; undefined where it has none. */
export function structurePath(vocabulary: Vocabulary, id: string, json: string): string | undefined {
  const structure = structureOf(vocabulary, { id, json });
  return structure && structureUrl(`api/${termPath(vocabulary.name, id)}`, structure.revision);
}

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return labelOf(value) ?? (isObject(value) ? Object.values(value).map(textOf).join(" ") : String(value));
}
