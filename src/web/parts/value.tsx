import { Fragment } from "preact";
import { peopleOf, unknownIdentifiers } from "../../core/citable/record-people.js";
import { recogniseIdentifier } from "../../core/identifiers.js";
import { isObject, own } from "../../core/json.js";
import type { Quantity } from "../notation/quantity.js";
import type { RichText } from "../notation/rich-text.js";
import { termPath } from "../views/page-addresses.js";
import { type Item, numberIn, QUANTITY, quantityOf, type Row, type Table, tableOf } from "../views/value-view.js";
import { WORDS } from "../words/page-en.js";
import { Amount, amountClass, amountTitle, amountTitles, Rich, WithUnit } from "./number.js";
import { Structures } from "./structure.js";
import { Rows, Scroll } from "./table.js";
import { Link, Outward } from "./text.js";

const words = WORDS.record;

/** A value of a record. */
export function Value({ item }: { readonly item: Item }) {
  const view = item.view;
  switch (view.kind) {
    case "scalar":
      return view.isKnown ? <Text text={view.text} /> : <span class="soft">{view.text}</span>;
    case "rich":
      return <Rich text={view.text} />;
    case "term":
      return <Term {...view} />;
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
          {item.wholeLength !== undefined && <Rows item={item} length={item.wholeLength} />}
        </>
      );
    default:
      return item.isInline ? <Compact item={item} /> : <Members items={item.members} of={item} />;
  }
}

/** A number with its error and unit, and the deposited one as tooltip. */
function Measured({ quantity, column }: Parameters<typeof Amount>[0]) {
  return (
    <span class={amountClass("quantity", quantity)} title={amountTitle(quantity)}>
      <Amount quantity={quantity} column={column} />
    </span>
  );
}

/** A text. An identifier links to its resolver. */
export function Text({ text }: { readonly text: string }) {
  const url = recogniseIdentifier(text)?.url;
  if (url !== undefined) return <Outward href={url}>{text}</Outward>;
  if (SEQUENCE.test(text)) return <Sequence text={text} />;
  return <>{text}</>;
}

/** Sequence of residues that is longer than a line. */
const SEQUENCE = /^[A-Z*-]{31,}$/i;
const BLOCK = /.{1,10}/g;

/** A sequence that can break after each ten residues. Copied text has no blanks. */
function Sequence({ text }: { readonly text: string }) {
  return (
    <code class="sequence">
      {(text.match(BLOCK) ?? []).map((block, i) => (
        <Fragment key={i}>
          {i > 0 && <wbr />}
          {block}
        </Fragment>
      ))}
    </code>
  );
}

interface TermProps {
  readonly vocabulary: string;
  readonly id: string;
  readonly name: RichText;
  readonly more: RichText;
  readonly quantities: readonly Quantity[];
  readonly citedAs?: string;
  readonly now?: { readonly id: string; readonly title: string };
}

/** A cited term with links to its page and to its authority. */
function Term({ vocabulary, id, name, more, quantities, citedAs, now }: TermProps) {
  const url = recogniseIdentifier(id)?.url;
  return (
    <span class="term">
      <Link to={termPath(vocabulary, id)}>
        <Rich text={name} />
      </Link>
      {more.length > 0 && (
        <span class="soft" title={amountTitles(quantities)}>
          {" "}
          <Rich text={more} />
        </span>
      )}{" "}
      <span class="id">{url === undefined ? id : <Outward href={url}>{id}</Outward>}</span>
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
  const [person] = peopleOf([item.value]);
  const rest = item.members.filter(({ name }) => !PERSON.has(name));
  if (person === undefined) return <Members items={item.members} of={item} />;
  return (
    <span class="person">
      {person.name}
      {person.orcid !== undefined && (
        <>
          {" "}
          <Outward href={`https://orcid.org/${person.orcid}`}>{`ORCID ${person.orcid}`}</Outward>
        </>
      )}
      {person.identifiers.map(({ scheme, value, url }) => (
        <Fragment key={scheme + value}>
          {" "}
          {url === undefined ? value : <Outward href={url}>{`${scheme} ${value}`}</Outward>}
        </Fragment>
      ))}
      {unknownIdentifiers(item.value).map((text) => ` ${text}`)}
      <Affiliations item={item} />
      {rest.length > 0 && <Members items={rest} of={item} />}
    </span>
  );
}

/** Members of a person that have their own place on the line. */
const PERSON: ReadonlySet<string> = new Set(["given_name", "family_name", "identifiers", "affiliations"]);

function Affiliations({ item }: { readonly item: Item }) {
  const list = item.members.find(({ name }) => name === "affiliations");
  if (list === undefined) return null;
  return (
    <span class="soft">
      {list.elements.map((each) => (
        <Fragment key={each.pointer}>
          {" · "}
          <Value item={each} />
        </Fragment>
      ))}
    </span>
  );
}

function List({ item }: { readonly item: Item }) {
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
          <li key={each.pointer}>
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
    <li id={item.pointer}>
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
  const amount = of && quantityOf(of);
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

function ItemTable({ table, title }: { readonly table: Table; readonly title: string }) {
  return (
    <Scroll label={title}>
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
    </Scroll>
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
    <tr id={item.pointer}>
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
