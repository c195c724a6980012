import type { PageView } from "../parts/frame.js";
import { Link } from "../parts/link.js";
import type { Place } from "../parts/place.js";
import { Scroll } from "../parts/scroll.js";
import { Stamps } from "../parts/structure.js";
import type { ComparedCell, ComparedRow, ComparedSection } from "../views/compare-view.js";
import type { Picture } from "../views/compounds.js";
import { recordPath } from "../views/paths.js";
import { WORDS } from "../words/page-en.js";

export interface CompareView {
  readonly ids: readonly string[];
  readonly records: readonly {
    readonly id: string;
    readonly title: string;
    readonly model: string;
    readonly version: number;
    readonly pictures: readonly Picture[];
  }[];
  readonly missing: readonly string[];
  readonly sections: readonly ComparedSection[];
}

const words = WORDS.compare;

/** Two to six records side by side. */
export function comparePage(view: CompareView): PageView {
  const { records, missing, sections } = view;
  const isAllEqual = sections.every(({ differing }) => differing.length === 0);
  return {
    title: words.title,
    section: "search",
    noindex: true,
    content: (
      <>
        <h1>{words.title}</h1>
        <p class="soft">{words.intro}</p>
        <Form ids={view.ids} />
        {missing.map((id) => (
          <p class="warning" key={id}>
            {words.missing(id)}
          </p>
        ))}
        {records.length < 2 ? (
          <p>{words.tooFew}</p>
        ) : (
          <Scroll label={words.title}>
            <table class="compare">
              <thead>
                <tr>
                  <th scope="col">{words.field}</th>
                  {records.map(({ id, title, model, version, pictures }) => (
                    <th scope="col" key={id}>
                      <Link to={recordPath(id)}>{title}</Link>
                      <br />
                      <span class="soft">
                        {model.toUpperCase()}, {WORDS.record.version(version)}
                      </span>
                      <Stamps pictures={pictures} />
                    </th>
                  ))}
                </tr>
              </thead>
              {sections.map((section) => (
                <Rows key={section.name} title={section.title} rows={section.differing} columns={records.length} />
              ))}
            </table>
          </Scroll>
        )}
        {records.length >= 2 && isAllEqual && <p>{words.allEqual}</p>}
        {records.length >= 2 && sections.map((section) => <Equal key={section.name} section={section} />)}
      </>
    ),
  };
}

function Form({ ids }: { readonly ids: readonly string[] }, { root }: Place) {
  return (
    <form class="field compared" action={`${root}compare`}>
      <label for="ids">{words.ids}</label>
      <input id="ids" name="ids" value={ids.join(" ")} />
      <button type="submit">{words.button}</button>
    </form>
  );
}

interface RowsProps {
  readonly title: string;
  readonly rows: readonly ComparedRow[];
  readonly columns: number;
}

function Rows({ title, rows, columns }: RowsProps) {
  if (rows.length === 0) return null;
  return (
    <tbody>
      <tr class="group">
        <th scope="rowgroup" colspan={columns + 1}>
          {title}
        </th>
      </tr>
      {rows.map(({ label, cells }) => (
        <tr key={label}>
          <th scope="row">{label}</th>
          {cells.map((cell, i) => (
            <td key={i}>{cell === undefined ? <span class="soft">–</span> : <Cell cell={cell} />}</td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

function Cell({ cell: { text, converted, ratio } }: { readonly cell: ComparedCell }) {
  return (
    <>
      <mark class="differs">{text}</mark>
      {converted !== undefined && <span class="soft"> = {converted}</span>}
      {ratio !== undefined && <b class="ratio"> {ratio}</b>}
    </>
  );
}

function Equal({ section: { title, equal } }: { readonly section: ComparedSection }) {
  if (equal.length === 0) return null;
  return (
    <details class="equal">
      <summary>
        {title}: {words.equal(equal.length)}
      </summary>
      <dl class="members">
        {equal.map(({ label, cells }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{cells[0]?.text}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
