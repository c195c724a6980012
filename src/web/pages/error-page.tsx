import type { TombstoneBody } from "../../core/record.js";
import type { PageView } from "../parts/frame.js";
import { Link, Prose } from "../parts/text.js";
import { address } from "../views/page-addresses.js";
import { day, WORDS } from "../words/page-en.js";

interface ErrorView {
  readonly status: number;
  readonly message: string;
  readonly issues: readonly string[];
  readonly requestId: string;
  /** Id that was not found. */
  readonly id?: string | undefined;
  /** Pages of similar ids. */
  readonly near?: readonly { readonly id: string; readonly to: string }[] | undefined;
  readonly tombstone?: TombstoneBody | undefined;
}

const words = WORDS.errors;

/** Makes the page of an error, with links to continue. */
export function errorPage(view: ErrorView): PageView {
  const { status, message, issues, requestId, id, near = [], tombstone } = view;
  const title = words.titles[status] ?? words.other;
  return {
    title,
    noindex: true,
    content: (
      <div class="error-page">
        <p class="kicker">{status}</p>
        <h1>{title}</h1>
        {tombstone === undefined ? (
          <p class="lead">
            <Prose text={message} />
          </p>
        ) : (
          <Tombstone body={tombstone} />
        )}
        {issues.length > 0 && (
          <ul>
            {issues.map((issue) => (
              <li key={issue}>
                <Prose text={issue} />
              </li>
            ))}
          </ul>
        )}
        {status >= 500 && <p>{words.tryAgain}</p>}
        <ul class="inline">
          {near.map((each) => (
            <li key={each.id}>
              <Link to={each.to}>{each.id}</Link>
            </li>
          ))}
          {id !== undefined && (
            <li>
              <Link to={address("search", [["q", id]])}>{words.searchId(id)}</Link>
            </li>
          )}
          {tombstone !== undefined && (
            <li>
              <Link
                to={address("search", [
                  ["q", tombstone.title],
                  ["allversions", "true"],
                ])}
              >
                {words.otherVersions}
              </Link>
            </li>
          )}
          <li>
            <Link to="">{words.start}</Link>
          </li>
          <li>
            <Link to="help">{WORDS.nav.help}</Link>
          </li>
          <li>
            <Link to="help/errors">{WORDS.help.pages.errors.title}</Link>
          </li>
        </ul>
        <p class="soft small">
          {words.requestId}: <code>{requestId}</code>
        </p>
      </div>
    ),
  };
}

/** Information about a retracted record. */
function Tombstone({ body }: { readonly body: TombstoneBody }) {
  const { tombstone } = words;
  const rows = [
    [tombstone.title, body.title],
    [tombstone.who, body.removed_by ?? tombstone.owner],
    [tombstone.when, day(body.removed)],
    [tombstone.why, body.removal_reason],
  ] as const;
  return (
    <dl class="members">
      {rows
        .filter(([, text]) => text !== "")
        .map(([label, text]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
    </dl>
  );
}
