/**
 * All components of the OpenAPI document, in its order. Answers are texts from the services, so the server does not
 * check or filter them by these schemas; tests do.
 */
import type { TSchema } from "typebox";
import { Grant, GrantList, NewToken, Token, TokenList } from "../../core/answers/accounts.js";
import { FieldList, ListedField, ListedUnit, ModelList, ModelSummary, UnitList } from "../../core/answers/models.js";
import { Completion, QueryPart, QueryText, QueryWarning } from "../../core/answers/query-text.js";
import { AnsweredRecord, FileList, RecordLinks, RecordPage, RecordValidation } from "../../core/answers/records.js";
import { Aggregation, Highlight, SearchLinks } from "../../core/answers/searches.js";
import { Problem, PublicChange, PublicChangePage, ServiceSummary } from "../../core/answers/service.js";
import {
  EditedField,
  Term,
  TermChange,
  TermHistory,
  TermLinks,
  TermLookup,
  TermLookupHit,
  TermPage,
  TermValidation,
} from "../../core/answers/term-answers.js";
import { VocabularyList, VocabularySource, VocabularySummary } from "../../core/answers/vocabularies.js";
import { Issue, Warning } from "../../core/issue.js";
import { AsCitedList, Tombstone } from "../../core/record-body.js";
import { Deposit, GrantBody, Removal, ShowableJson, TokenBody } from "./bodies.js";
import { TermBody, TermMerge, TermPatch } from "./term-bodies.js";

export const COMPONENTS: readonly TSchema[] = [
  Issue,
  Warning,
  Tombstone,
  Problem,
  Highlight,
  RecordLinks,
  AnsweredRecord,
  FileList,
  Aggregation,
  SearchLinks,
  Term,
  RecordPage,
  TermPage,
  VocabularyList,
  QueryPart,
  Completion,
  QueryWarning,
  QueryText,
  ModelSummary,
  RecordValidation,
  ModelList,
  ListedField,
  FieldList,
  ListedUnit,
  UnitList,
  PublicChange,
  PublicChangePage,
  Grant,
  GrantBody,
  Token,
  NewToken,
  TokenBody,
  TokenList,
  GrantList,
  TermBody,
  TermValidation,
  TermPatch,
  TermMerge,
  TermLinks,
  AsCitedList,
  EditedField,
  TermChange,
  VocabularySource,
  VocabularySummary,
  TermLookupHit,
  TermLookup,
  TermHistory,
  ServiceSummary,
  ShowableJson,
  Deposit,
  Removal,
];
