import type { Catalog } from "../core/catalog/types.js";
import type { VocabularyHit } from "../services/api/vocabulary-services.js";
import { type Html, html, NOTHING, prose } from "./html.js";
import { layout, type Place } from "./layout.js";

/** An item to show requests with. */
export interface ExampleTerm {
  readonly vocabulary: string;
  readonly id: string;
  readonly title: string;
}

export interface HomeView {
  readonly place: Place;
  readonly catalog: Catalog;
  /** Number of published records by model. */
  readonly counts: ReadonlyMap<string, number>;
  readonly vocabularies: readonly VocabularyHit[];
  readonly example: ExampleTerm | undefined;
}

/** The first page: what is here, and what to do next. */
export function homePage(view: HomeView): string {
  const { root } = view.place;
  const body = html`
<h1>Bindery</h1>
<p>A repository of metadata records about biophysical measurements. Records have full-text search and cite terms
of controlled vocabularies. Reading published records needs no account; all functions are in the
<a href="${root}api/docs">HTTP API</a>.</p>
<form action="${root}api/search" role="search">
<label for="q">Search the published records (the response is JSON)</label>
<input id="q" name="q" type="search"> <button>Search</button>
</form>
${models(view)}
${vocabularies(view)}
${tries(view)}
${deposits(view)}`;
  return layout({ title: "Bindery", body, place: view.place });
}

function models({ place: { root }, catalog, counts }: HomeView): Html {
  const rows = [...catalog.models.values()].map(
    ({ name, title, description }) => html`<tr><th scope="row"><a href="${root}api/records/${name}">${name}</a></th>
<td>${title}<br><span class="soft">${prose(description)}</span></td>
<td class="number">${counts.get(name) ?? 0}</td></tr>`,
  );
  return html`<h2 id="models">Models of records</h2>
<p>The schema and an example of each kind of record: <a href="${root}api/models">/api/models</a>.</p>
<div class="scroll"><table><thead><tr><th scope="col">Model</th><th scope="col">What it describes</th>
<th scope="col" class="number">Published</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function vocabularies({ place: { root }, vocabularies: hits }: HomeView): Html {
  const rows = hits.map(
    ({
      id,
      title,
      description,
      count,
    }) => html`<tr><th scope="row"><a href="${root}api/vocabularies/${id}">${id}</a></th>
<td>${title}<br><span class="soft">${prose(description)}</span></td><td class="number">${count}</td></tr>`,
  );
  return html`<h2 id="vocabularies">Vocabularies</h2>
<div class="scroll"><table><thead><tr><th scope="col">Vocabulary</th><th scope="col">What it contains</th>
<th scope="col" class="number">Terms</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function tries({ place: { root }, catalog, example }: HomeView): Html {
  const paths: (readonly [what: string, path: string])[] = [
    ["The newest records of all models", "api/search?size=5"],
    ...[...catalog.models.keys()].slice(0, 1).map((name) => [`Records of ${name}`, `api/records/${name}`] as const),
    ["All models, with schemas and examples", "api/models"],
    ["All vocabularies", "api/vocabularies"],
  ];
  if (example !== undefined) {
    const items = `api/vocabularies/${example.vocabulary}`;
    const word = example.title.split(/\s/, 1)[0]!;
    paths.push(
      ["One term", `${items}/${encodeURIComponent(example.id).replaceAll("%3A", ":")}`],
      ["Terms with a phrase", `${items}?q=${encodeURIComponent(`"${word}"`)}&size=2`],
      ["Suggestions as you type", `${items}?suggest=${encodeURIComponent(word.slice(0, 4))}`],
    );
  }
  const items = paths.map(
    ([what, path]) => html`<h3><a href="${root}${path}">${what}</a></h3>
<pre tabindex="0"><code>curl "$BASE/${path}"</code></pre>`,
  );
  return html`<h2 id="try">Try it</h2>
<p>Click a link, or use a terminal, where <code>BASE</code> is the address of this page without the trailing slash:</p>
<pre tabindex="0"><code>BASE=http://127.0.0.1:8080</code></pre>
${items}`;
}

function deposits({ catalog, example }: HomeView): Html {
  const [model] = catalog.models.keys();
  if (model === undefined) return NOTHING;
  const token = `npx bindery user add ada
npx bindery token create --user ada --scope records:write --expires 90d
export TOKEN=bnd_...`;
  const draft = `curl "$BASE/api/records/${model}" \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"metadata": {"general_parameters": {"record_information": {"title": "My first draft"}}}}'`;
  const cites =
    example === undefined
      ? NOTHING
      : html` A term is cited by its id alone, <code>{"id": "${example.id}"}</code>; the service fills in the rest.`;
  return html`<h2 id="deposit">Deposit a record</h2>
<p>The operator of this service creates a user and a token, in the folder in which the service was started. The token
is shown only once:</p>
<pre tabindex="0"><code>${token}</code></pre>
<p>With it, save a draft. It may be incomplete: the response lists what is missing and has a link to publish it.
${cites}</p>
<pre tabindex="0"><code>${draft}</code></pre>
<p>See all your records and drafts:</p>
<pre tabindex="0"><code>curl "$BASE/api/user/search" -H "Authorization: Bearer $TOKEN"</code></pre>`;
}
