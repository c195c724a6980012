import type { ComponentChildren } from "preact";
import type { Content, Schema } from "../views/api-document.js";
import { Prose } from "./prose.js";
import { Scroll } from "./scroll.js";
import { Table } from "./table.js";

/** A schema of the interface, member by member. */
export function Component({ name, schema }: { readonly name: string; readonly schema: Schema }) {
  const required = new Set(schema.required ?? []);
  return (
    <section aria-labelledby={`schema-${name}`}>
      <h3 id={`schema-${name}`}>{name}</h3>
      <p>
        <Prose text={schema.description ?? ""} />
      </p>
      <Scroll label={`Members of ${name}`}>
        <Table heads={["Member", "Present", "Type", "Meaning"]}>
          {Object.entries(schema.properties ?? {}).map(([property, value]) => (
            <SchemaRow key={property} name={property} schema={value}>
              <td>{required.has(property) ? "always" : ""}</td>
            </SchemaRow>
          ))}
        </Table>
      </Scroll>
    </section>
  );
}

interface SchemaRowProps {
  readonly name: string;
  readonly schema: Schema;
  /** The cell between name and type. */
  readonly children: ComponentChildren;
}

/** A member or parameter: its name, its type, and what it means. */
export function SchemaRow({ name, schema, children }: SchemaRowProps) {
  return (
    <tr>
      <th scope="row">
        <code>{name}</code>
      </th>
      {children}
      <td>
        <TypeOf schema={schema} />
      </td>
      <td>
        <Prose text={schema.description ?? ""} />
        <Hints schema={schema} />
      </td>
    </tr>
  );
}

/** The type of what is sent, in brackets. */
export function Body({ content: { content = {} } }: { readonly content: Content }) {
  const schema = Object.values(content)[0]?.schema;
  return schema === undefined ? null : (
    <>
      (<TypeOf schema={schema} />)
    </>
  );
}

/** A schema's type in a few words, with a link where it is a component. */
function TypeOf({ schema }: { readonly schema: Schema }): ComponentChildren {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split("/").at(-1)!;
    return <a href={`#schema-${name}`}>{name}</a>;
  }
  if (schema.items !== undefined) {
    return (
      <>
        list of <TypeOf schema={schema.items} />
      </>
    );
  }
  if (schema.enum !== undefined && schema.enum.length <= ENUM_SHOWN_MAX) return schema.enum.join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.properties !== undefined && Object.keys(schema.properties).length > 0) {
    return (
      <>
        object
        <ul>
          {Object.entries(schema.properties).map(([name, value]) => (
            <li key={name}>
              <code>{name}</code>: <TypeOf schema={value} />. <Prose text={value.description ?? ""} />
            </li>
          ))}
        </ul>
      </>
    );
  }
  const name = [schema.type ?? "anything"].flat().join(" or ");
  return schema.format === undefined ? name : `${name} (${schema.format})`;
}

/** What a value is where nobody sends one, and an example. */
export function Hints({ schema: { default: standard, examples = [] } }: { readonly schema: Schema }) {
  const [example] = examples;
  const text = typeof example === "string" ? example : JSON.stringify(example);
  return (
    <>
      {standard !== undefined && standard !== "" && (
        <>
          {" "}
          Default: <code>{String(standard)}</code>.
        </>
      )}
      {example !== undefined && (
        <>
          {" "}
          Example: <code>{text}</code>.
        </>
      )}
    </>
  );
}

/** Longer lists (the codes of all errors) are named, not shown. */
const ENUM_SHOWN_MAX = 6;
