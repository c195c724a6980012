import type { ComponentChildren } from "preact";
import type { PageView } from "../parts/frame.js";
import type { Place } from "../parts/place.js";
import { Scroll, Table } from "../parts/table.js";
import { Link, Prose } from "../parts/text.js";
import { address } from "../views/page-addresses.js";
import { WORDS } from "../words/page-en.js";

const words = WORDS.help;
const searchFor = (q: string): string => address("search", [["q", q]]);

/** Makes the search card. Each example is a link to its search. */
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

/** Table of queries as links to their searches. */
function Queries({ heads, rows }: QueriesProps) {
  return (
    <Table heads={heads}>
      {rows.map(({ q, beside }) => (
        <tr key={q}>
          <th scope="row">
            <Link to={searchFor(q)}>
              <code>{q}</code>
            </Link>
          </th>
          <td>{beside}</td>
        </tr>
      ))}
    </Table>
  );
}

/** Names for the examples of the help about depositing. */
export interface DepositingView {
  readonly model: string | undefined;
  /** Term to cite. */
  readonly example: { readonly vocabulary: string; readonly id: string; readonly title: string } | undefined;
}

/** Makes the help about depositing: how to get a token, save a draft and read records. */
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
        {exampleRequests(example).map(([label, path]) => (
          <li key={path}>
            <Link to={path}>{label}</Link>
            <Code text={`curl "$BASE/${path}"`} />
          </li>
        ))}
      </ul>
    </>
  );
}

function exampleRequests(example: DepositingView["example"]): readonly (readonly [label: string, path: string])[] {
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

/** Line of the search card. A test compares the card with docs/search-card.md. */
interface CardLine {
  readonly q: string;
  readonly finds: string;
}

/** Queries of the search card, with their meaning. */
export const SEARCH_CARD: readonly CardLine[] = [
  { q: "lysozyme", finds: "every record that contains the word, in any field" },
  { q: "serum albumin", finds: "records that contain both words" },
  { q: '"serum albumin"', finds: "... next to each other" },
  { q: "caffeine OR biotin", finds: "one or the other (OR in capitals)" },
  { q: "lysozyme -albumin", finds: "the first word without the second (no blank after the minus)" },
  { q: "calmo*", finds: "words that begin with `calmo`" },
  { q: "lyzozyme~", finds: "similar words: typos and other spellings" },
  { q: "title:lysozyme", finds: "the word in the title only" },
  { q: "author:Müller", finds: "records by this author; `muller` works too" },
  { q: "instrument:Biacore", finds: "measured with this instrument" },
  { q: "organism:human", finds: "from this organism, by any of its names" },
  { q: "collected:2024", finds: "measured in this year; `2024-05` is a month" },
  { q: "ph:[6 TO 7]", finds: "a number from 6 to 7" },
  {
    q: "kd:<10nM",
    finds: "strong binders, in any unit; also `kon`, `koff`, `temperature:37°C`",
  },
  { q: "organism.within:taxid:2", finds: "from any bacterium: a group and everything below it" },
  {
    q: "10.5072/demo.itc.4",
    finds: "the record with this DOI; ORCIDs, UniProt and PDB ids work too",
  },
];

/** Numbers as in running text, and how the search reads them. */
export const CARD_READINGS: readonly { readonly q: string; readonly read: string }[] = [
  { q: "KD < 10 nM", read: "KD:<10nM" },
  { q: "kd = 10-100 nM", read: "kd:[10 TO 100nM]" },
  { q: "pH 7.4", read: "pH:7.4 OR (pH AND 7.4)" },
];
