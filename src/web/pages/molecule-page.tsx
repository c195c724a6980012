import { Fragment } from "preact";
import { numberColumn } from "../notation/columns.js";
import { concatTexts, plainText, type RichText } from "../notation/rich-text.js";
import { Bars } from "../parts/bars.js";
import type { PageView } from "../parts/frame.js";
import { RichLine, WithUnit } from "../parts/number.js";
import { Structure } from "../parts/structure.js";
import { ScrollBox } from "../parts/table.js";
import { ExternalLink, Link } from "../parts/text.js";
import { CopySequence, Measured } from "../parts/value.js";
import type { MoleculeView } from "../views/molecule-view.js";
import { moleculePath, recordPath } from "../views/page-addresses.js";
import { number, WORDS } from "../words/page-en.js";

const words = WORDS.molecule;

/** Names that the page shows at once; more are folded. */
const NAMES_SHOWN = 8;
/** Rows of a table that the page shows at once; more are folded. */
const PARTNERS_SHOWN = 12;

/** Makes the page of a molecule: what it is, with whom it was measured, and the best results. */
export function moleculePage(view: MoleculeView): PageView {
  const { id, name, register, records, read, search, picture, term } = view;
  return {
    title: `${name} · ${id}`,
    description: words.summary(name, records),
    section: "search",
    canonical: moleculePath(id),
    data: `api/${moleculePath(id)}`,
    content: (
      <article class="molecule-page">
        <p class="kicker">
          {words.title} ·{" "}
          {register === undefined ? <code>{id}</code> : <ExternalLink href={register}>{id}</ExternalLink>}{" "}
          <copy-text data-text={id.replace(/^inchikey:/, "")} data-what={WORDS.record.id} />
        </p>
        <h1>{name}</h1>
        <p>
          <Link to={search}>{WORDS.search.records(records)}</Link>
          {term !== undefined && (
            <>
              {" · "}
              <Link to={term}>{words.term}</Link>
            </>
          )}
        </p>
        {read !== undefined && <p class="soft">{words.read(read)}</p>}
        {picture !== undefined && <Structure {...picture} />}
        <Facts view={view} />
        <Partners view={view} />
        <Results view={view} />
        <Charts view={view} />
      </article>
    ),
  };
}

function Facts({ view: { id, name, names, facts, sequences } }: { readonly view: MoleculeView }) {
  return (
    <section id="facts">
      <h2 class="skip">{words.facts}</h2>
      <dl class="members">
        {names.length > 0 && (
          <div>
            <dt>{words.names}</dt>
            <dd>
              {names.slice(0, NAMES_SHOWN).join("; ")}
              {names.length > NAMES_SHOWN && ` … (${number(names.length)})`}
            </dd>
          </div>
        )}
        {facts.map(({ name, values }) => (
          <div key={name}>
            <dt>{words[name]}</dt>
            <dd>
              {values.map(({ text, records, to }, i) => (
                <span key={i}>
                  {i > 0 && ", "}
                  {to === undefined ? (
                    <RichLine text={text} />
                  ) : (
                    <Link to={to}>
                      <RichLine text={text} />
                    </Link>
                  )}
                  {name !== "identifiers" && <span class="soft"> ({number(records)})</span>}
                </span>
              ))}
            </dd>
          </div>
        ))}
        {sequences.map(({ text, records }) => (
          <div key={text}>
            <dt>{words.sequence}</dt>
            <dd>
              <details class="fold">
                <summary>{words.residues(text.length, records)}</summary>
                <code class="sequence">{text.replaceAll(/(.{10})/g, "$1 ").trim()}</code>{" "}
                <CopySequence text={text} name={`${id} ${name}`} />
              </details>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Partners({ view: { partners, best } }: { readonly view: MoleculeView }) {
  if (partners.length === 0) return null;
  const column = numberColumn(partners.flatMap((each) => each.best ?? []));
  const table = (rows: MoleculeView["partners"]) => (
    <ScrollBox label={words.partners}>
      <table class="blocks">
        <thead>
          <tr>
            <th scope="col">{words.partner}</th>
            <th scope="col" class="number">
              {words.records}
            </th>
            <th scope="col" class="number">
              <WithUnit text={concatTexts([`${words.best} `], best)} unit={column.unit} />
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, page, records, search, best: quantity }, i) => (
            <tr key={`${i} ${name}`}>
              <th scope="row">{page === undefined ? name : <Link to={page}>{name}</Link>}</th>
              <td class="number" data-head={words.records}>
                {search === undefined ? number(records) : <Link to={search}>{number(records)}</Link>}
              </td>
              <td class="number" data-head={headText([words.best, " ", ...best], column.unit)}>
                {quantity && <Measured quantity={quantity} column={column} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
  return (
    <section id="partners">
      <h2>{words.partners}</h2>
      {table(partners.slice(0, PARTNERS_SHOWN))}
      {partners.length > PARTNERS_SHOWN && (
        <details>
          <summary>{words.morePartners(partners.length - PARTNERS_SHOWN)}</summary>
          {table(partners.slice(PARTNERS_SHOWN))}
        </details>
      )}
    </section>
  );
}

function Results({ view: { results, columns, records, search } }: { readonly view: MoleculeView }) {
  if (results.length === 0) return null;
  return (
    <section id="results">
      <h2>{words.results}</h2>
      <ScrollBox label={words.results}>
        <table class="blocks">
          <thead>
            <tr>
              <th scope="col">{words.with}</th>
              {columns.map(({ name, symbol, numbers }) => (
                <th scope="col" class="number" key={name}>
                  <WithUnit text={symbol} unit={numbers.unit} />
                </th>
              ))}
              <th scope="col">{words.models}</th>
              <th scope="col">{words.record}</th>
            </tr>
          </thead>
          <tbody>
            {results.map(({ record, title, model, partners, figures }, i) => (
              <tr key={`${i} ${record}`}>
                <th scope="row">
                  {partners.length > 1 ? (
                    <p>
                      <PartnerNames partners={partners} />
                    </p>
                  ) : (
                    <PartnerNames partners={partners} />
                  )}
                </th>
                {columns.map(({ name, symbol, numbers }) => {
                  const quantity = figures.get(name);
                  return (
                    <td class="number" key={name} data-head={headText(symbol, numbers.unit)}>
                      {quantity && <Measured quantity={quantity} column={numbers} />}
                    </td>
                  );
                })}
                <td data-head={words.models}>{model}</td>
                <td data-head={words.record}>
                  <Link to={recordPath(record)}>{title}</Link>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      <p>
        <Link to={search}>{words.allRecords(records)}</Link>
      </p>
    </section>
  );
}

/** Returns the head of a column as text. */
const headText = (head: RichText, unit: RichText | undefined): string =>
  unit === undefined ? plainText(head) : `${plainText(head)} (${plainText(unit)})`;

/** The other molecules of a result. The links of several ones stand in a text. */
function PartnerNames({ partners }: Pick<MoleculeView["results"][number], "partners">) {
  if (partners.length === 0) return <span class="soft">{words.alone}</span>;
  return (
    <>
      {partners.map(({ name, page }, at) => (
        <Fragment key={`${at} ${name}`}>
          {at > 0 && ", "}
          {page === undefined ? name : <Link to={page}>{name}</Link>}
        </Fragment>
      ))}
    </>
  );
}

/** Size of a chart in its own units: 1 is about a pixel. */
const CHART = { width: 480, height: 110 };

function Charts({ view: { charts } }: { readonly view: MoleculeView }) {
  if (charts.length === 0) return null;
  return (
    <section id="charts">
      {charts.map(({ label, symbol, bars, unit, ticks }) =>
        bars === undefined ? null : (
          <div key={label}>
            <h2>
              {words.distribution} <RichLine text={symbol ?? [label]} />
            </h2>
            <Bars label={label} bars={bars} unit={unit} ticks={ticks} {...CHART} />
          </div>
        ),
      )}
    </section>
  );
}
