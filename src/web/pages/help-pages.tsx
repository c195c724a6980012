import type { ComponentChildren } from "preact";
import type { PageView } from "../parts/frame.js";
import { Link } from "../parts/link.js";
import type { Place } from "../parts/place.js";
import { Prose } from "../parts/prose.js";
import { Scroll } from "../parts/scroll.js";
import { Table } from "../parts/table.js";
import { address } from "../views/paths.js";
import { CARD_READINGS, SEARCH_CARD } from "../views/search-card.js";
import { WORDS } from "../words/page-en.js";

const words = WORDS.help;
const found = (q: string): string => address("search", [["q", q]]);

/** The search card: every example is a link to what it finds. */
export function helpPage(): PageView {
  return {
    title: words.card,
    section: "help",
    content: (
      <>
        <h1>{words.card}</h1>
        <p class="lead">
          You do not need to know a query language: type words into the search field. No text is an error. Press an
          example to see what it finds.
        </p>
        <Card />
        <h2>Numbers as in a text</h2>
        <p>The page of the search shows how they were read.</p>
        <Readings />
        <h2>Nothing found?</h2>
        <p>
          Every word must match: remove some. Add <code>~</code> to a word if you are not sure of its spelling, or{" "}
          <code>*</code> to the beginning of a word. “Did you mean” corrects most typos.
        </p>
        <h2>Too much?</h2>
        <p>
          Put words that belong together in quotes, name a field, or tick a filter. The address of a search has all of
          it: bookmark it, or send it.
        </p>
        <p>
          <Link to="help/depositing">{words.depositing}</Link> · <Link to="api/docs">{WORDS.nav.api}</Link>
        </p>
      </>
    ),
  };
}

function Card() {
  return (
    <Scroll label={words.card}>
      <Queries
        heads={["You type", "You get"]}
        rows={SEARCH_CARD.map(({ q, finds }) => ({ q, beside: <Prose text={finds} /> }))}
      />
    </Scroll>
  );
}

function Readings() {
  return (
    <Queries
      heads={["Written", "Read as"]}
      rows={CARD_READINGS.map(({ q, read }) => ({ q, beside: <code>{read}</code> }))}
    />
  );
}

interface QueriesProps {
  readonly heads: readonly string[];
  readonly rows: readonly { readonly q: string; readonly beside: ComponentChildren }[];
}

/** Queries as links to what they find. */
function Queries({ heads, rows }: QueriesProps) {
  return (
    <Table heads={heads}>
      {rows.map(({ q, beside }) => (
        <tr key={q}>
          <th scope="row">
            <Link to={found(q)}>
              <code>{q}</code>
            </Link>
          </th>
          <td>{beside}</td>
        </tr>
      ))}
    </Table>
  );
}

export interface DepositingView {
  readonly model: string | undefined;
  /** A term to cite. */
  readonly example: { readonly vocabulary: string; readonly id: string; readonly title: string } | undefined;
}

/** First requests: how a newcomer gets a token, saves a draft and reads. */
export function depositingPage(view: DepositingView): PageView {
  return {
    title: words.depositing,
    section: "help",
    content: (
      <>
        <h1>{words.depositing}</h1>
        <Depositing view={view} />
      </>
    ),
  };
}

function Depositing({ view: { model, example } }: { readonly view: DepositingView }, { site }: Place) {
  const token = `npx bindery user add ada
npx bindery token create --user ada --scope records:write --expires 90d
export TOKEN=bnd_...`;
  const draft = `curl "$BASE/api/records/${model}" \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"metadata": {"general_parameters": {"record_information": {"title": "My first draft"}}}}'`;
  return (
    <>
      <p class="lead">
        The operator of this service creates a user and a token, in the folder in which it was started. The token is
        shown only once.
      </p>
      <Code text={token} />
      <p>
        In a terminal, <code>BASE</code> is the address of the start page:
      </p>
      <Code text={`BASE=${site}`} />
      {model !== undefined && (
        <>
          <p>
            Save a draft. It may be incomplete: the response lists what is missing and has a link to publish it.
            {example !== undefined && (
              <>
                {" "}
                A term is cited by its id alone, <code>{`{"id": "${example.id}"}`}</code>; the service fills in the
                rest.
              </>
            )}
          </p>
          <Code text={draft} />
        </>
      )}
      <p>See all your records and drafts:</p>
      <Code text={`curl "$BASE/api/user/search" -H "Authorization: Bearer $TOKEN"`} />
      <h2>Reading needs no token</h2>
      <p>Press a link to see the response, or copy its line.</p>
      <ul class="requests">
        {requestsOf(example).map(([label, path]) => (
          <li key={path}>
            <Link to={path}>{label}</Link>
            <Code text={`curl "$BASE/${path}"`} />
          </li>
        ))}
      </ul>
    </>
  );
}

function requestsOf(example: DepositingView["example"]): readonly (readonly [label: string, path: string])[] {
  const plain = [
    ["The newest records of all models", "api/search?size=5"],
    ["All models, with schemas and examples", "api/models"],
    ["All vocabularies", "api/vocabularies"],
  ] as const;
  if (example === undefined) return plain;
  const items = `api/vocabularies/${example.vocabulary}`;
  const word = example.title.split(/\s/, 1)[0]!;
  return [
    ...plain,
    ["One term", `${items}/${encodeURIComponent(example.id).replaceAll("%3A", ":")}`],
    ["Terms with a phrase", `${items}?q=${encodeURIComponent(`"${word}"`)}&size=2`],
    ["Suggestions as you type", `${items}?suggest=${encodeURIComponent(word.slice(0, 4))}`],
  ];
}

function Code({ text }: { readonly text: string }) {
  return (
    <pre tabindex={0}>
      <code>{text}</code>
    </pre>
  );
}
