import { type ComponentChildren, Fragment } from "preact";
import { peopleOf, unknownIdentifiers } from "../../core/citable/record-people.js";
import { recogniseIdentifier } from "../../core/identifiers.js";
import { isObject, own } from "../../core/json.js";
import type { Quantity } from "../notation/quantity.js";
import type { RichText } from "../notation/rich-text.js";
import { termPath } from "../views/page-addresses.js";
import type { LabelledValues } from "../views/series-view.js";
import { alongByShape, type StripView, stripOf } from "../views/strip-view.js";
import type { Written } from "../views/value-text.js";
import {
  type CurrentTerm,
  claimAnchor,
  type Item,
  nameOfHolder,
  numberIn,
  QUANTITY,
  type Row,
  type Table,
  tableOf,
} from "../views/value-view.js";
import { WORDS } from "../words/page-en.js";
import { Amount, amountClass, amountTitle, amountTitles, RichLine, WithUnit } from "./number.js";
import { Structures } from "./structure.js";
import { RowPaging, ScrollBox } from "./table.js";
import { ExternalLink, Link } from "./text.js";

const words = WORDS.record;

interface ValueProps {
  readonly item: Item;
  /** Whether a term is shown by its name only, because it is part of a text. */
  readonly isBrief?: boolean;
}

/** A value of a record. */
export function Value({ item, isBrief = false }: ValueProps) {
  const view = item.view;
  switch (view.kind) {
    case "scalar":
      if (view.deposited !== undefined) return <AsDeposited text={view.deposited}>{view.text}</AsDeposited>;
      return view.isKnown ? <Text text={view.text} of={item} /> : <span class="soft">{view.text}</span>;
    case "rich":
      if (view.deposited === undefined) return <RichLine text={view.text} />;
      return (
        <AsDeposited text={view.deposited}>
          <RichLine text={view.text} />
        </AsDeposited>
      );
    case "sentence":
      return <Sentence written={view.written} />;
    case "term":
      return <Term {...view} isBrief={isBrief} isDeposited={item.context.isDeposited} />;
    case "reference":
      if (view.elsewhere !== undefined) return <Link to={view.elsewhere}>{view.text}</Link>;
      return view.anchor === undefined ? <span>{view.text}</span> : <a href={`#${view.anchor}`}>{view.text}</a>;
    case "quantity":
      return <Measured quantity={view.quantity} />;
    case "person":
      return <Person item={item} />;
    case "list":
      return (
        <>
          <List item={item} />
          {item.wholeLength !== undefined && <RowPaging item={item} length={item.wholeLength} />}
        </>
      );
    default:
      return item.isInline ? <Compact item={item} /> : <Members items={item.members} of={item} />;
  }
}

/** Words in place of a deposited text, which is the tooltip. */
function AsDeposited({ text, children }: { readonly text: string; readonly children: ComponentChildren }) {
  return <span title={WORDS.numbers.deposited(text)}>{children}</span>;
}

/** A text with values in it. */
export function Sentence({ written }: { readonly written: Written }) {
  return (
    <>
      {written.map((part, i) => (
        <Fragment key={i}>{typeof part === "string" ? part : <Value item={part} isBrief />}</Fragment>
      ))}
    </>
  );
}

/** Several values on one line. */
export function Values({ values }: { readonly values: readonly Item[] }) {
  return <Sentence written={values.flatMap((each, i) => (i === 0 ? [each] : [", ", each]))} />;
}

/** A number with its error and unit, and the deposited one as tooltip. */
export function Measured({ quantity, column }: Parameters<typeof Amount>[0]) {
  return (
    <span class={amountClass("quantity", quantity)} title={amountTitle(quantity)}>
      <Amount quantity={quantity} column={column} />
    </span>
  );
}

/** A text. An identifier links to its resolver. @param of place of the text in a record */
export function Text({ text, of }: { readonly text: string; readonly of?: Item }) {
  const url = recogniseIdentifier(text)?.url;
  if (url !== undefined) return <ExternalLink href={url}>{text}</ExternalLink>;
  if (SEQUENCE.test(text)) return <Sequence text={text} name={of && nameOfHolder(of)} />;
  return <>{text}</>;
}

/** Sequence of residues that is longer than a line. */
const SEQUENCE = /^[A-Z*-]{31,}$/i;
const BLOCK = /.{1,10}/g;

/** A folded sequence that can break after each ten residues. Copied text has no blanks. */
function Sequence({ text, name }: { readonly text: string; readonly name: string | undefined }) {
  return (
    <details class="fold">
      <summary>{words.residues(text.length)}</summary>
      <code class="sequence">
        {(text.match(BLOCK) ?? []).map((block, i) => (
          <Fragment key={i}>
            {i > 0 && <wbr />}
            {block}
          </Fragment>
        ))}
      </code>{" "}
      <CopySequence text={text} name={name} />
    </details>
  );
}

/** Buttons that copy a sequence, and the same in FASTA with the name of the molecule. */
export function CopySequence({ text, name }: { readonly text: string; readonly name: string | undefined }) {
  return (
    <>
      <copy-text data-text={text} data-what={words.residues(text.length)} />
      {name !== undefined && (
        <copy-text data-text={text} data-fasta={name} data-what={words.fasta} data-label={words.fasta} />
      )}
    </>
  );
}

interface TermProps {
  readonly isBrief: boolean;
  /** Whether the id is shown even if it has no address. */
  readonly isDeposited: boolean;
  readonly vocabulary: string;
  readonly id: string;
  readonly name: RichText;
  readonly more: RichText;
  readonly quantities: readonly Quantity[];
  readonly citedAs?: string;
  readonly now?: CurrentTerm;
}

/** A cited term with links to its page and to its authority. */
function Term({ vocabulary, id, name, more, quantities, citedAs, now, isBrief, isDeposited }: TermProps) {
  const url = recogniseIdentifier(id)?.url;
  const link = (
    <Link to={termPath(vocabulary, id)}>
      <RichLine text={name} />
    </Link>
  );
  if (isBrief) return link;
  return (
    <span class="term">
      {link}
      {more.length > 0 && (
        <span class="soft" title={amountTitles(quantities)}>
          {" "}
          <RichLine text={more} />
        </span>
      )}{" "}
      {(url !== undefined || isDeposited) && (
        <span class="id">{url === undefined ? id : <ExternalLink href={url}>{id}</ExternalLink>}</span>
      )}
      {citedAs !== undefined && (
        <span class="soft">
          {" "}
          ({words.citedAs} {citedAs})
        </span>
      )}
      {now !== undefined && (
        <span class="soft">
          {" "}
          ({words.now} <Link to={termPath(vocabulary, now.id)}>{now.title}</Link>)
        </span>
      )}
    </span>
  );
}

function Person({ item }: { readonly item: Item }) {
  return <PersonLine item={item} affiliations={item.members.find(({ name }) => name === "affiliations")?.elements} />;
}

interface PersonProps {
  readonly item: Item;
  readonly affiliations: readonly Item[] | undefined;
}

/** A person with identifiers and affiliations. */
export function PersonLine({ item, affiliations = [] }: PersonProps) {
  const [person] = peopleOf([item.value]);
  const rest = item.members.filter(({ name }) => !PERSON.has(name));
  if (person === undefined) return <Members items={item.members} of={item} />;
  return (
    <span class="person">
      {person.name}
      {person.orcid !== undefined && (
        <>
          {" "}
          <ExternalLink href={`https://orcid.org/${person.orcid}`}>{`ORCID ${person.orcid}`}</ExternalLink>
        </>
      )}
      {person.identifiers.map(({ scheme, value, url }) => (
        <Fragment key={scheme + value}>
          {" "}
          {url === undefined ? value : <ExternalLink href={url}>{`${scheme} ${value}`}</ExternalLink>}
        </Fragment>
      ))}
      {unknownIdentifiers(item.value).map((text) => ` ${text}`)}
      <span class="soft">
        {affiliations.map((each) => (
          <Fragment key={each.pointer}>
            {" · "}
            <Value item={each} isBrief={!each.context.isDeposited} />
          </Fragment>
        ))}
      </span>
      {rest.length > 0 && <Members items={rest} of={item} />}
    </span>
  );
}

/** Members of a person that have their own place on the line. */
const PERSON: ReadonlySet<string> = new Set(["given_name", "family_name", "identifiers", "affiliations"]);

function List({ item }: { readonly item: Item }) {
  const along = alongByShape(item);
  const strip = along && stripOf(item, along);
  return (
    <>
      {strip !== undefined && <Strip strip={strip} />}
      <Elements item={item} />
    </>
  );
}

/** Elements of a list: as a table, on one line, or as cards. */
function Elements({ item }: { readonly item: Item }) {
  const { elements } = item;
  const isLine = elements.every(({ isInline }) => isInline);
  const isTabular = item.context.tables.has(item.path) || !isLine;
  const table = isTabular && elements.every(({ value }) => isObject(value)) ? tableOf(item) : undefined;
  if (table !== undefined && !elements.every(({ isPlain }) => isPlain))
    return <ItemTable table={table} title={item.field.title} />;
  if (isLine) {
    return (
      <ul class="inline">
        {elements.map((each) => (
          <li key={each.pointer} id={isObject(each.value) ? claimAnchor(each) : undefined}>
            <Value item={each} />
          </li>
        ))}
      </ul>
    );
  }
  return (
    <ol class="cards">
      {elements.map((each, i) => (
        <Card key={each.pointer} item={each} index={item.start + i + 1} />
      ))}
    </ol>
  );
}

/** An element of a list with its name as heading. */
function Card({ item, index }: { readonly item: Item; readonly index: number }) {
  const { value } = item;
  const elementName = isObject(value) ? own(value, "name") : undefined;
  const id = isObject(value) ? own(value, "id") : undefined;
  const isNamed = typeof elementName === "string" && elementName.trim() !== "";
  const otherMembers = item.members.filter(
    ({ name }) => !(isNamed && name === "name") && !(typeof id === "string" && name === "id"),
  );
  return (
    <li id={claimAnchor(item)}>
      <p class="card-title">
        {isNamed ? elementName : words.item(index)} {typeof id === "string" && <code class="id">{id}</code>}
      </p>
      <Structures items={otherMembers} />
      {isObject(value) ? <Members items={otherMembers} of={item} /> : <Value item={item} />}
    </li>
  );
}

/** Members of an object with their labels. A number and its unit are one entry. */
export function Members({ items, of }: { readonly items: readonly Item[]; readonly of?: Item }) {
  const amount = of?.quantity;
  const shown = amount === undefined ? items : items.filter(({ name }) => !QUANTITY.has(name));
  const number = items.find(({ name }) => name === "value");
  return (
    <dl class="members">
      {amount !== undefined && number !== undefined && (
        <div>
          <dt>{number.field.title}</dt>
          <dd>
            <Measured quantity={amount} />
          </dd>
        </div>
      )}
      {shown.map((item) => (
        <div key={item.pointer} class={item.isInline ? undefined : "block"}>
          <dt title={item.field.help}>{item.field.title}</dt>
          <dd>
            <Value item={item} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Members on one line: names, terms and references first, then the others with their labels. */
function Compact({ item }: { readonly item: Item }) {
  const { members } = item;
  const isNamed = ({ view: { kind }, name }: Item): boolean =>
    kind === "reference" || kind === "term" || name === "name";
  const ordered = [...members.filter(isNamed), ...members.filter((each) => !isNamed(each))];
  return (
    <span>
      {ordered.map((each, i) => (
        <Fragment key={each.pointer}>
          {i > 0 && <span class="soft">, </span>}
          {!isNamed(each) && <span class="soft">{each.field.title.toLowerCase()} </span>}
          <Value item={each} />
        </Fragment>
      ))}
    </span>
  );
}

interface StripProps {
  readonly strip: StripView;
  /** Label of the values that all steps have in common. */
  readonly label?: string | undefined;
}

/** Steps as a bar of time: each is as wide as it is long. */
export function Strip({ strip: { steps, shared }, label: sharedLabel }: StripProps) {
  return (
    <>
      <ol class="strip">
        {steps.map(({ item, label, length, width }) => (
          <li key={item.pointer} id={claimAnchor(item)} class={`width-${width}`}>
            <Sentence written={label} /> <Value item={length} />
          </li>
        ))}
      </ol>
      <Shared values={shared} label={sharedLabel} />
    </>
  );
}

interface SharedProps {
  readonly values: readonly LabelledValues[];
  readonly label?: string | undefined;
}

/** Values that all rows or steps have in common. */
export function Shared({ values, label }: SharedProps) {
  if (values.length === 0) return null;
  return (
    <p class="facts small">
      {label !== undefined && <span class="soft">{label}</span>}
      {values.map(({ title, values: each }) => (
        <span key={title}>
          <span class="soft">{title}</span> <Values values={each} />
        </span>
      ))}
    </p>
  );
}

function ItemTable({ table, title }: { readonly table: Table; readonly title: string }) {
  return (
    <ScrollBox label={title}>
      <table>
        <thead>
          <tr>
            {table.columns.map(({ name, title: head, help, numbers }) => (
              <th scope="col" key={name} title={help} class={numbers && "number"}>
                <WithUnit text={head} unit={numbers?.unit} />
              </th>
            ))}
            {table.hasMore && <th scope="col">{words.more}</th>}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row) => (
            <TableRow key={row.item.pointer} row={row} columns={table.columns} hasMore={table.hasMore} />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

interface RowProps {
  readonly row: Row;
  readonly columns: Table["columns"];
  readonly hasMore: boolean;
}

function TableRow({ row, columns, hasMore }: RowProps) {
  const { item, id, cells, more } = row;
  return (
    <tr id={claimAnchor(item)}>
      {cells.map((cell, i) => {
        const { name, numbers } = columns[i]!;
        const quantity = numbers && numberIn(item, cell, name);
        const content =
          cell !== undefined &&
          (quantity === undefined ? <Value item={cell} /> : <Measured quantity={quantity} column={numbers} />);
        if (i > 0)
          return (
            <td key={name} class={numbers && "number"}>
              {content}
            </td>
          );
        return (
          <th scope="row" key={name}>
            {content} {id !== undefined && <code class="id">{id}</code>}
            {/* Rows of tables that a model declares are one line high. */}
            {!item.context.tables.has(item.path) && <Structures items={cells.filter((each) => each !== undefined)} />}
          </th>
        );
      })}
      {hasMore && <td>{more.length > 0 && <Members items={more} />}</td>}
    </tr>
  );
}
