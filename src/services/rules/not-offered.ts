/** What a body asks for beside its metadata in the words of Invenio, and is not there: restricted records, files. */
import type { Issue } from "../../core/issue.js";
import { isObject, type Json, type JsonObject, own } from "../../core/json.js";
import type { NotOffered } from "../../core/messages/messages.js";
import { messagesIn } from "../../core/messages/messages-in.js";
import { type BodyPath, makeIssue } from "../input/issues.js";
import { shownValue } from "./shown.js";

/** Keys of `access`; `status` follows from the others and is never read. */
const ACCESS_KEYS: readonly string[] = ["record", "files", "embargo", "status"];

/**
 * Problems of `access` and `files` of a body. They are kept in the draft's `errors`, so that nothing is published as if
 * nobody had asked; what asks for what is done anyway (`"public"`, `{"enabled": false}`) is no problem.
 */
export function findNotOffered(body: JsonObject): readonly Issue[] {
  return [...ofAccess(own(body, "access")), ...ofFiles(own(body, "files"))];
}

/** Of the errors of a draft those that another look at its metadata would not find. */
export function notOfferedOf(errors: readonly Issue[] = []): readonly Issue[] {
  return errors.filter(({ code }) => code === "NOT_OFFERED");
}

/** Names of the members of `access` that mean nothing here. */
export function unknownAccessKeys(body: JsonObject): readonly (readonly [key: string, value: Json])[] {
  const access = own(body, "access");
  return isObject(access) ? Object.entries(access).filter(([key]) => !ACCESS_KEYS.includes(key)) : [];
}

function ofAccess(access: Json | undefined): readonly Issue[] {
  if (access === undefined || access === null) return [];
  if (!isObject(access)) return [issueAt(["access"], access, "restriction")];
  const restricted = ["record", "files"].flatMap((key) => {
    const value = own(access, key) ?? "public";
    return value === "public" ? [] : [issueAt(["access", key], value, "restriction", ["public"])];
  });
  const embargo = own(access, "embargo");
  return [...restricted, ...(isEmbargo(embargo) ? [issueAt(["access", "embargo"], embargo, "embargo")] : [])];
}

/** `{"active": false, "reason": null}` is none. One with an end is active where it does not say the contrary. */
function isEmbargo(embargo: Json | undefined): embargo is Json {
  if (embargo === undefined || embargo === null || embargo === false) return false;
  if (!isObject(embargo)) return true;
  const active = own(embargo, "active") ?? undefined;
  return active === undefined ? (own(embargo, "until") ?? null) !== null : active !== false;
}

function ofFiles(files: Json | undefined): readonly Issue[] {
  if (files === undefined || files === null || files === false) return [];
  if (Array.isArray(files)) return files.length === 0 ? [] : [issueAt(["files"], files, "files")];
  if (!isObject(files)) return [issueAt(["files"], files, "files")];
  const enabled = own(files, "enabled") ?? false;
  return enabled === false ? [] : [issueAt(["files", "enabled"], enabled, "files", [false])];
}

function issueAt(place: BodyPath, sent: Json, asked: NotOffered, allowed?: readonly Json[]): Issue {
  const value = shownValue(sent);
  const message = messagesIn().NOT_OFFERED({ field: place.join("."), asked });
  return makeIssue(place, "NOT_OFFERED", [message], {
    ...(value === undefined ? {} : { value }),
    ...(allowed === undefined ? {} : { allowed }),
  });
}
