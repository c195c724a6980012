import { Fragment } from "preact";
import { isRemark, isShownByParts } from "../notation/query-parts.js";
import type { ReadingPart } from "../views/query-reading.js";
import type { SearchView } from "../views/search-view.js";
import { WORDS } from "../words/page-en.js";
import { SCRIPT_WORDS } from "../words/script-en.js";
import { Link, Prose } from "./text.js";

const words = WORDS.search;

/** Returns the classes of a warning. While a query is typed, the query field shows its own (`of-query`). */
const classOf = (code: string): string =>
  `${isRemark(code) ? "soft" : "warning"}${code.startsWith("QUERY_") ? " of-query" : ""}`;

/** Shows how the query was read, its warnings and suggested corrections. */
export function Reading({ view }: { readonly view: SearchView }) {
  const { reading, isFallback, suggestions } = view;
  const warnings = view.warnings.filter(({ code }) => reading.length === 0 || !isShownByParts(code));
  if (!isFallback && reading.length + warnings.length + suggestions.length === 0) return null;
  return (
    <div class="reading">
      {reading.length > 0 && (
        <p class="read-parts of-query">
          {SCRIPT_WORDS.query.readAs} <ReadParts parts={reading} />
        </p>
      )}
      {isFallback && view.warnings.length === 0 && <p class="warning">{words.asWords}</p>}
      {warnings.map(({ code, message, cures }) => (
        <p class={classOf(code)} key={code + message}>
          <Prose text={message} />
          {cures.map(({ label, page }) => (
            <span key={label}>
              {" "}
              <Link to={page} nofollow>
                {label}
              </Link>
            </span>
          ))}
        </p>
      ))}
      {suggestions.length > 0 && (
        <p>
          {words.didYouMean}{" "}
          {suggestions.map(({ name, page }, i) => (
            <span key={name}>
              {i > 0 && ", "}
              <Link to={page}>{name}</Link>
            </span>
          ))}
          ?
        </p>
      )}
    </div>
  );
}

function ReadParts({ parts }: { readonly parts: readonly ReadingPart[] }) {
  return (
    <>
      {parts.map((part, i) => (
        <Fragment key={i}>
          {i > 0 && " "}
          <ReadPart part={part} />
        </Fragment>
      ))}
    </>
  );
}

function ReadPart({ part: { kind, text, without, parts } }: { readonly part: ReadingPart }) {
  const { operators, oneOf, remove } = SCRIPT_WORDS.query;
  if (kind === "operator") return <>{operators[text as keyof typeof operators]}</>;
  if (kind === "group")
    return (
      <>
        {text === "" ? "" : oneOf(text)}(<ReadParts parts={parts} />)
      </>
    );
  return (
    <span class={kind === "dropped" ? "part dropped" : "part"}>
      <span>{text}</span>
      {without !== undefined && (
        <Link to={without} label={remove(text)} class="remove" nofollow>
          ×
        </Link>
      )}
    </span>
  );
}
