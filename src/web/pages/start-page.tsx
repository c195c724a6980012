import type { VocabularyHit } from "../../core/answers/term-answers.js";
import { richSymbol } from "../notation/names.js";
import { concatTexts } from "../notation/rich-text.js";
import { Bars } from "../parts/bars.js";
import type { PageView } from "../parts/frame.js";
import { HitList } from "../parts/hits.js";
import { RichLine, WithUnit } from "../parts/number.js";
import type { Place } from "../parts/place.js";
import { QueryField } from "../parts/query-field.js";
import { Link } from "../parts/text.js";
import type { FacetView } from "../views/facet-view.js";
import type { HitView } from "../views/hit-view.js";
import { number, WORDS } from "../words/page-en.js";
import { type Example, Examples } from "./search-page.js";
import { Vocabularies } from "./term-search-page.js";

interface StartView {
  readonly models: readonly { readonly name: string; readonly title: string; readonly count: number }[];
  readonly total: number;
  readonly examples: readonly Example[];
  /** First facet of numbers that has hits. */
  readonly histogram: FacetView | undefined;
  readonly newest: readonly HitView[];
  readonly vocabularies: readonly VocabularyHit[];
}

const words = WORDS.start;

/** Makes the start page: search field, numbers of records, newest records and vocabularies. */
export function startPage(view: StartView): PageView {
  const { models, total, examples, histogram, newest, vocabularies } = view;
  return {
    title: WORDS.service,
    search: "none",
    canonical: "",
    data: "api/search",
    content: (
      <div class="start">
        <section class="hero">
          <Claim />
          <QueryField id="q" to="search" label={WORDS.search.label} placeholder={WORDS.search.placeholder} isLarge />
          <p class="beside-field">
            <Link to="search?build=1" nofollow>
              {WORDS.builder.title}
            </Link>
          </p>
          {examples.length > 0 && <Examples examples={examples} />}
        </section>
        <section class="here" aria-label={words.here}>
          <h2 class="skip">{words.here}</h2>
          <ul class="counts">
            {models.map(({ name, title, count }) => (
              <li key={name}>
                <Link to={`records/${name}`}>
                  <b>{number(count)}</b> <span>{title}</span>
                </Link>
              </li>
            ))}
          </ul>
          {histogram?.bars !== undefined && (
            <div class="picture">
              <h2>
                <WithUnit text={words.histogram(histogram.label)} unit={histogram.unit} />
              </h2>
              <Bars
                label={histogram.label}
                bars={histogram.bars}
                unit={histogram.unit}
                ticks={histogram.ticks}
                width={640}
                height={150}
              />
            </div>
          )}
          {total === 0 && <p class="empty">{WORDS.search.emptyService.replaceAll("`", "")}</p>}
        </section>
        <NextSteps />
        {newest.length > 0 && (
          <section class="newest">
            <h2>{words.newest}</h2>
            <HitList hits={newest} heading="h3" />
          </section>
        )}
        <section class="here-too">
          <h2>{words.vocabularies}</h2>
          <Vocabularies vocabularies={vocabularies} />
        </section>
      </div>
    ),
  };
}

/** Heading of the page. Its *K*<sub>D</sub> is written as in all texts. */
function Claim(_: object, { claim }: Place) {
  const [before = "", ...after] = claim.split(/\bKD\b/);
  return (
    <h1>
      <RichLine text={after.length === 0 ? [claim] : concatTexts([before], richSymbol("K_D"), [after.join("KD")])} />
    </h1>
  );
}

function NextSteps() {
  const ways = [
    ["search", words.waySearch, words.waySearchText],
    ["deposit", words.wayDeposit, words.wayDepositText],
    ["api/docs", words.wayApi, words.wayApiText],
  ] as const;
  return (
    <section class="ways" aria-label={words.ways}>
      <h2 class="skip">{words.ways}</h2>
      <ul>
        {ways.map(([to, title, text]) => (
          <li key={to}>
            <Link to={to}>{title}</Link>
            <p class="soft">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
