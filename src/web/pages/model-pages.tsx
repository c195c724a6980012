import type { ComponentChildren } from "preact";
import type { Choice, Field, ObjectShape } from "../../core/catalog/field-tree.js";
import type { Model } from "../../core/catalog/types.js";
import { DescribedLinks } from "../parts/described-links.js";
import type { PageView } from "../parts/frame.js";
import { Link } from "../parts/link.js";
import { Prose } from "../parts/prose.js";
import { WORDS } from "../words/page-en.js";

const words = WORDS.models;

/** All models. */
export function modelsPage(models: readonly Model[]): PageView {
  return {
    title: words.title,
    section: "models",
    data: "api/models",
    content: (
      <>
        <h1>{words.title}</h1>
        <p class="lead">{words.intro}</p>
        <DescribedLinks
          links={models.map(({ name, title, description }) => ({
            ...{ to: `models/${name}`, title, note: name.toUpperCase(), description },
          }))}
        />
      </>
    ),
  };
}

/** What a record of a model holds, field by field. */
export function modelPage(model: Model, tree: Field): PageView {
  const { name, title, description } = model;
  return {
    title,
    section: "models",
    data: `api/models/${name}`,
    content: (
      <>
        <h1>{title}</h1>
        <p class="lead">
          <Prose text={description} />
        </p>
        <p>
          <Link to={`records/${name}`}>{words.records}</Link> ·{" "}
          <Link to={`api/models/${name}/schema`}>{words.schema}</Link>
          {model.example !== undefined && (
            <>
              {" · "}
              <Link to={`api/models/${name}/example`}>{words.example}</Link>
            </>
          )}
        </p>
        <h2>{words.what}</h2>
        {tree.shape !== undefined && <Fields shape={tree.shape} path="metadata" seen={[]} />}
      </>
    ),
  };
}

interface FieldsProps {
  readonly shape: ObjectShape;
  readonly path: string;
  /** Shapes around this one: what holds itself is described once. */
  readonly seen: readonly ObjectShape[];
}

function Fields({ shape, path, seen }: FieldsProps) {
  return (
    <>
      <dl class="model-fields">
        {[...shape.fields].map(([name, field]) => (
          <FieldOf key={name} name={name} field={field} path={`${path}.${name}`} seen={[...seen, shape]} />
        ))}
      </dl>
      {shape.choices.map((choice) => (
        <Alternatives key={choice.by} choice={choice} path={path} seen={[...seen, shape]} />
      ))}
    </>
  );
}

interface FieldProps {
  readonly name: string;
  readonly field: Field;
  readonly path: string;
  readonly seen: readonly ObjectShape[];
}

/** What is directly in the metadata is one or two objects, of which nobody knows a model. */
const OPEN_DEPTH = 1;

function FieldOf({ name, field, path, seen }: FieldProps) {
  const inner = field.shape ?? field.items?.shape;
  const isLink = field.term !== undefined || field.reference !== undefined || field.items?.term !== undefined;
  const isAgain = inner !== undefined && (seen.includes(inner) || seen.length >= DEPTH_MAX);
  return (
    <div id={path}>
      <dt>
        {field.title} <code>{name}</code>
      </dt>
      <dd>
        {field.help !== undefined && (
          <>
            <Prose text={field.help} />{" "}
          </>
        )}
        <span class="soft">
          <Takes field={field} />
          {field.isRequired && ` · ${words.required}`}
        </span>
        {inner !== undefined && !isLink && !isAgain && inner.fields.size + inner.choices.length > 0 && (
          <details open={seen.length === OPEN_DEPTH}>
            <summary>
              {field.title} <span class="count">{inner.fields.size}</span>
            </summary>
            <Fields shape={inner} path={path} seen={seen} />
          </details>
        )}
        {isAgain && <span class="soft"> {words.seeAbove}</span>}
      </dd>
    </div>
  );
}

/** Deeper fields stand in the schema. */
const DEPTH_MAX = 8;

function Alternatives({
  choice,
  path,
  seen,
}: {
  readonly choice: Choice;
  readonly path: string;
  readonly seen: readonly ObjectShape[];
}) {
  const own = choice.alternatives.filter(({ shape }) => shape.fields.size > 0);
  return (
    <>
      {own.map(({ values, shape }) => (
        <details key={values.join()}>
          <summary>{words.when(choice.by, values)}</summary>
          <Fields shape={shape} path={`${path}.${values[0] ?? ""}`} seen={seen} />
        </details>
      ))}
    </>
  );
}

/** What a field takes, in a few words. */
function Takes({ field }: { readonly field: Field }): ComponentChildren {
  if (field.items !== undefined) {
    return (
      <>
        {words.listOf}: <Takes field={field.items} />
      </>
    );
  }
  if (field.term !== undefined) {
    return (
      <>
        {words.term} <Link to={`vocabularies/${field.term.vocabulary}`}>{field.term.vocabulary}</Link>
      </>
    );
  }
  if (field.reference !== undefined) return words.reference;
  if (field.allowed !== undefined) {
    const shown = field.allowed.slice(0, ALLOWED_SHOWN).map(String).join(", ");
    return `${words.one} ${shown}${field.allowed.length > ALLOWED_SHOWN ? ", ..." : ""}`;
  }
  return field.format ?? (field.types.join(" or ") || "object");
}

const ALLOWED_SHOWN = 12;
