import type { Model } from "../../core/catalog/types.js";
import type { JsonObject } from "../../core/json.js";
import type { PageView } from "../parts/frame.js";
import { contactHref, type Place } from "../parts/place.js";
import { Link } from "../parts/text.js";
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
          <Code text={ADD_USER} what={words.account} />
        </>
      ) : (
        <p>
          {words.ask[0]} <a href={contactHref(contact)}>{contact.name}</a> {words.ask[1]}
        </p>
      )}
      <p>{words.variables}</p>
      <Code text={`TOKEN=bnd_...\nBASE=${site}`} what={words.variables} />
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
        <Code text={`cat > record.json <<'END'\n${text}\nEND`} what={words.record} />
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
      <Code text={`${send} ${records}?validate=only"`} what={words.check} />
      <h2 id="publish">{words.publish}</h2>
      <p>{words.draftText}</p>
      <Code
        text={`DRAFT=$(${send} ${records}" \\\n  -s -o draft.json -D - | ${LOCATION})\ncat draft.json`}
        what={words.publish}
      />
      <p>{words.publishText}</p>
      <Code text={`curl ${auth} -X POST "$DRAFT/actions/publish"`} what={words.publish} />
      <p>{words.mineText}</p>
      <Code text={`curl ${auth} "$BASE/api/user/search"`} what={words.mine} />
    </>
  );
}

/** Reads the address of the draft from the headers of the answer, with any version of curl. */
const LOCATION = "grep -i '^location:' | cut -d' ' -f2 | tr -d '\\r'";

/** Lines for a terminal. @param props.what name of the lines for the button that copies them */
function Code({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <div class="lines">
      <pre tabindex={0}>
        <code>{text}</code>
      </pre>
      <copy-text data-text={text} data-what={what} />
    </div>
  );
}
