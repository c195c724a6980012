import type { ComponentChildren } from "preact";
import type { Field, ObjectShape, ShapeChoice } from "../../core/catalog/field-tree.js";
import type { Model } from "../../core/catalog/types.js";
import type { PageView } from "../parts/frame.js";
import { DescribedLinks, Link, Prose } from "../parts/text.js";
import { WORDS } from "../words/page-en.js";

const words = WORDS.models;

/** Makes the list of all models. */
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
          links={models.map(({ name, title, shortTitle, description }) => ({
            to: `models/${name}`,
            title,
            note: shortTitle,
            description,
          }))}
        />
      </>
    ),
  };
}

/** Makes the page that documents the fields of a model. */
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
        {tree.shape !== undefined && <Fields shape={tree.shape} path="metadata" parents={[]} />}
      </>
    ),
  };
}

interface FieldsProps {
  readonly shape: ObjectShape;
  readonly path: string;
  /** Shapes that contain this one. A recursive shape is described once. */
  readonly parents: readonly ObjectShape[];
}

function Fields({ shape, path, parents }: FieldsProps) {
  return (
    <>
      <dl class="model-fields">
        {[...shape.fields].map(([name, field]) => (
          <FieldEntry key={name} name={name} field={field} path={`${path}.${name}`} parents={[...parents, shape]} />
        ))}
      </dl>
      {shape.choices.map((choice) => (
        <Alternatives key={choice.by} choice={choice} path={path} parents={[...parents, shape]} />
      ))}
    </>
  );
}

interface FieldProps {
  readonly name: string;
  readonly field: Field;
  readonly path: string;
  readonly parents: readonly ObjectShape[];
}

/** Depth of the fields that are shown open: the one or two objects directly in the metadata. */
const OPEN_DEPTH = 1;

function FieldEntry({ name, field, path, parents }: FieldProps) {
  const inner = field.shape ?? field.items?.shape;
  const isLink = field.term !== undefined || field.reference !== undefined || field.items?.term !== undefined;
  const isOmitted = inner !== undefined && (parents.includes(inner) || parents.length >= DEPTH_MAX);
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
          <FieldType field={field} />
          {field.isRequired && ` · ${words.required}`}
        </span>
        {inner !== undefined && !isLink && !isOmitted && inner.fields.size + inner.choices.length > 0 && (
          <details open={parents.length === OPEN_DEPTH}>
            <summary>
              {field.title} <span class="count">{inner.fields.size}</span>
            </summary>
            <Fields shape={inner} path={path} parents={parents} />
          </details>
        )}
        {isOmitted && <span class="soft"> {words.seeAbove}</span>}
      </dd>
    </div>
  );
}

/** Maximum depth of shown fields. */
const DEPTH_MAX = 8;

function Alternatives({
  choice,
  path,
  parents,
}: {
  readonly choice: ShapeChoice;
  readonly path: string;
  readonly parents: readonly ObjectShape[];
}) {
  const withFields = choice.alternatives.filter(({ shape }) => shape.fields.size > 0);
  return (
    <>
      {withFields.map(({ values, shape }) => (
        <details key={values.join()}>
          <summary>{words.when(choice.by, values)}</summary>
          <Fields shape={shape} path={`${path}.${values[0] ?? ""}`} parents={parents} />
        </details>
      ))}
    </>
  );
}

/** Short description of the values of a field. */
function FieldType({ field }: { readonly field: Field }): ComponentChildren {
  if (field.items !== undefined) {
    return (
      <>
        {words.listOf}: <FieldType field={field.items} />
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
