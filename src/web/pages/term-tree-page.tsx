import type { Warning } from "../../core/issue.js";
import type { PageView } from "../parts/frame.js";
import { Rich } from "../parts/number.js";
import { Link } from "../parts/text.js";
import { address, termPath, treePath } from "../views/page-addresses.js";
import type { TermView, VocabularyHead } from "../views/term-view.js";
import { WORDS } from "../words/page-en.js";

const words = WORDS.terms;

/** Term in a tree, with the number of records that cite it or its descendants. */
export interface TreeNode {
  readonly term: TermView;
  readonly records: number | undefined;
}

interface TermTreeView {
  readonly vocabulary: VocabularyHead;
  /** Terms from the root to the term whose children are shown. */
  readonly path: readonly TreeNode[];
  readonly children: readonly TreeNode[];
  readonly total: number;
  readonly more: string | undefined;
  readonly warnings: readonly Warning[];
  /** Whether the tree is at its root. Search engines index only this page, and the pages of the terms. */
  readonly isWhole: boolean;
}

/** Makes the page of a vocabulary as a tree: the path to a term, and its children. */
export function termTreePage(view: TermTreeView): PageView {
  const { vocabulary, path, children, total, more, warnings, isWhole } = view;
  const at = path.at(-1);
  return {
    title: at === undefined ? vocabulary.title : `${at.term.title} · ${vocabulary.title}`,
    section: "vocabularies",
    data: address(`api/vocabularies/${vocabulary.name}`, at === undefined ? [] : [["parent", at.term.id]]),
    noindex: !isWhole,
    script: "search",
    content: (
      <live-search class="flow">
        <h1>{vocabulary.title}</h1>
        <p>
          <Link to={`vocabularies/${vocabulary.name}`}>{WORDS.search.list}</Link> · {WORDS.search.tree}
        </p>
        {warnings.map(({ message }) => (
          <p class="warning" key={message}>
            {message}
          </p>
        ))}
        <p class="soft small">{words.countsBelow}</p>
        <term-tree data-label={vocabulary.title}>
          <ul class="tree">
            <Branch vocabulary={vocabulary.name} path={path} children_={children} />
          </ul>
        </term-tree>
        <p class="soft">
          {WORDS.search.terms(total)} {more !== undefined && <Link to={more}>{WORDS.search.next}</Link>}
        </p>
      </live-search>
    ),
  };
}

interface BranchProps {
  readonly vocabulary: string;
  readonly path: readonly TreeNode[];
  readonly children_: readonly TreeNode[];
}

function Branch({ vocabulary, path, children_ }: BranchProps) {
  const [node, ...rest] = path;
  if (node === undefined) {
    return (
      <>
        {children_.map((each) => (
          <li key={each.term.id} id={`at-${each.term.id}`}>
            <Node vocabulary={vocabulary} node={each} />
          </li>
        ))}
      </>
    );
  }
  return (
    <li id={`at-${node.term.id}`}>
      <Node vocabulary={vocabulary} node={node} isCurrent={rest.length === 0} />
      {rest.length + children_.length > 0 && (
        <ul>
          <Branch vocabulary={vocabulary} path={rest} children_={children_} />
        </ul>
      )}
    </li>
  );
}

interface NodeProps {
  readonly vocabulary: string;
  readonly node: TreeNode;
  readonly isCurrent?: boolean;
}

function Node({ vocabulary, node: { term, records }, isCurrent = false }: NodeProps) {
  return (
    <>
      <Link to={treePath(vocabulary, term.id)} current={isCurrent} nofollow>
        <Rich text={term.name} />
      </Link>{" "}
      <span class="soft">
        <Rich text={term.props[0]?.text ?? []} />
      </span>{" "}
      <Link to={termPath(vocabulary, term.id)} class="id">
        {term.id}
      </Link>
      {records !== undefined && records > 0 && <span class="count"> {WORDS.search.records(records)}</span>}
    </>
  );
}
