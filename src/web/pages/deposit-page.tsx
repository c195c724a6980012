import { applicableShapes, type Field } from "../../core/catalog/field-tree.js";
import type { Model } from "../../core/catalog/types.js";
import { isObject, type Json, type JsonObject, own } from "../../core/json.js";
import type { PageView } from "../parts/frame.js";
import { contactHref, type Place } from "../parts/place.js";
import { CodeLines, Link } from "../parts/text.js";
import { address } from "../views/page-addresses.js";
import { WORDS } from "../words/page-en.js";

interface DepositView {
  readonly models: readonly Model[];
  /** Model of the shown examples. Undefined: the service has no models. */
  readonly model: Model | undefined;
  /** Required fields of a record of the model. Undefined: the model has no example. */
  readonly least: JsonObject | undefined;
}

const words = WORDS.deposit;

/** Makes the page about depositing: an account, example files, the least record, and the requests up to publication. */
export function depositPage({ models, model, least }: DepositView): PageView {
  return {
    title: words.title,
    description: words.lead,
    section: "deposit",
    canonical: "deposit",
    content: (
      <div class="prose">
        <h1>{words.title}</h1>
        <p>{words.lead}</p>
        <h2 id="account">{words.account}</h2>
        <Account />
        {model !== undefined && (
          <>
            <h2 id="record">{words.record}</h2>
            <Examples models={models} model={model} />
            {least !== undefined && <Least model={model} least={least} />}
            <Requests model={model} />
          </>
        )}
        <h2 id="more">{words.more}</h2>
        <ul>
          {words.topics.map(([to, title, content]) => (
            <li key={to}>
              <Link to={to}>{title}</Link>: {content}
            </li>
          ))}
        </ul>
      </div>
    ),
  };
}

/** Says whom to ask for an account, or, if the operator named nobody, how the operator adds one. */
function Account(_: object, { face: { contact }, site }: Place) {
  return (
    <>
      {contact === undefined ? (
        <>
          <p>{words.askOperator}</p>
          <CodeLines text={ADD_USER} what={words.copies.user} />
        </>
      ) : (
        <p>
          {words.ask[0]} <a href={contactHref(contact)}>{contact.name}</a> {words.ask[1]}
        </p>
      )}
      <p>{words.variables}</p>
      <CodeLines text={`TOKEN=bnd_...\nBASE=${site}`} what={words.copies.settings} />
    </>
  );
}

const ADD_USER = `npx bindery user add ada
npx bindery token create --user ada --scope records:read records:write --expires 90d`;

function Examples({ models, model }: { readonly models: readonly Model[]; readonly model: Model }, { root }: Place) {
  return (
    <>
      <nav class="tabs" aria-label={WORDS.nav.models}>
        {models.map(({ name, shortTitle }) => (
          <Link key={name} to={address("deposit", [["model", name]])} current={name === model.name}>
            {shortTitle}
          </Link>
        ))}
      </nav>
      <p>{words.files(model.title)}</p>
      <ul>
        <li>
          <Link to={`models/${model.name}`}>{words.fields}</Link>
        </li>
        {model.example !== undefined && (
          <li>
            <a href={`${root}api/models/${model.name}/example`} download={`${model.name}-example.json`}>
              {words.example(`${model.name}-example.json`)}
            </a>
          </li>
        )}
        <li>
          <a href={`${root}api/models/${model.name}/schema`} download={`${model.name}-schema.json`}>
            {words.schema(`${model.name}-schema.json`)}
          </a>
        </li>
      </ul>
    </>
  );
}

function Least({ model, least }: { readonly model: Model; readonly least: JsonObject }) {
  const text = JSON.stringify(least, null, 2);
  return (
    <>
      <p>{words.least(model.shortTitle)}</p>
      <details>
        <summary>{words.showLeast(text.split("\n").length)}</summary>
        <CodeLines text={`cat > record.json <<'END'\n${text}\nEND`} what={words.copies.record} />
      </details>
    </>
  );
}

function Requests({ model: { name } }: { readonly model: Model }) {
  const records = `"$BASE/api/records/${name}/`;
  const auth = '-H "Authorization: Bearer $TOKEN"';
  const send = `curl ${auth} -H 'Content-Type: application/json' -d @record.json`;
  return (
    <>
      <h2 id="check">{words.check}</h2>
      <p>{words.checkText}</p>
      <CodeLines text={`${send} ${records}?validate=only"`} what={words.copies.check} />
      <h2 id="publish">{words.publish}</h2>
      <p>{words.draftText}</p>
      <CodeLines
        text={`DRAFT=$(${send} ${records}" \\\n  -s -o draft.json -D - | ${LOCATION})\ncat draft.json`}
        what={words.copies.draft}
      />
      <p>{words.publishText}</p>
      <CodeLines text={`curl ${auth} -X POST "$DRAFT/actions/publish"`} what={words.copies.publish} />
      <p>{words.mineText}</p>
      <CodeLines text={`curl ${auth} "$BASE/api/user/search"`} what={words.copies.mine} />
    </>
  );
}

/** Reads the address of the draft from the headers of the answer, with any version of curl. */
const LOCATION = "grep -i '^location:' | cut -d' ' -f2 | tr -d '\\r'";

/** Path of a list in metadata, such as `metadata.general_parameters.chemical_environments`. */
type ListPath = string;

/**
 * Returns the required fields of a record, with the values of an example: a start for depositors. Lists have one
 * element, and terms their ids alone. Lists that required fields refer to are kept, too.
 *
 * @param tree fields of the model's metadata
 */
export function leastRecord({ metadata }: JsonObject, tree: Field): JsonObject {
  const root = metadata ?? null;
  const lists = new Set<ListPath>();
  for (;;) {
    const { size } = lists;
    const least = prune(root, tree, "metadata", { root, lists });
    // A list that was added can refer to further lists.
    if (lists.size === size) return { metadata: least };
  }
}

/** Metadata of the example, and the lists to which the pruned metadata refers. */
interface Pruning {
  readonly root: Json;
  readonly lists: Set<ListPath>;
}

function prune(value: Json, field: Field, path: string, pruning: Pruning): Json {
  if (Array.isArray(value)) {
    const { items } = field;
    const count = Math.max(1, field.bounds.minItems ?? 1);
    return items === undefined ? value : value.slice(0, count).map((each) => prune(each, items, path, pruning));
  }
  if (!isObject(value)) return value;
  if (field.reference !== undefined) {
    pruning.lists.add(field.reference.to);
    return { id: firstId(pruning.root, field.reference.to) ?? own(value, "id") ?? null };
  }
  if (field.term !== undefined) return { id: own(value, "id") ?? null };
  if (field.shape === undefined) return value;
  const fields = new Map(applicableShapes(field.shape, value).flatMap(({ fields: each }) => [...each]));
  const kept = Object.entries(value).flatMap(([name, inner]) => {
    const declared = fields.get(name);
    const innerPath = `${path}.${name}`;
    if (declared === undefined || !isKept(declared, innerPath, pruning)) return [];
    return [[name, prune(inner, declared, innerPath, pruning)] as const];
  });
  return Object.fromEntries(kept);
}

/** Returns whether a field is required, or contains a list that is referred to. */
const isKept = ({ isRequired }: Field, path: string, { lists }: Pruning): boolean =>
  isRequired || [...lists].some((list) => list === path || list.startsWith(`${path}.`));

/** Returns the id of the first element of a list. */
function firstId(root: Json, list: ListPath): Json | undefined {
  let value: Json | undefined = root;
  for (const name of list.split(".").slice(1)) {
    if (Array.isArray(value)) [value] = value;
    value = isObject(value) ? own(value, name) : undefined;
  }
  const [first] = Array.isArray(value) ? (value as readonly Json[]) : [];
  return isObject(first) ? own(first, "id") : undefined;
}
