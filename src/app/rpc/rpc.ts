/**
 * Calls of functions on another thread: a name and plain arguments go over, a result or an error comes back.
 * This file knows messages only; `workers.ts` knows threads.
 */
import { BinderyError, type ErrorCode, fail } from "../../core/errors.js";

/** An error as it travels: one of the catalogue with what makes it again, or anything else for the log. */
export type PackedError =
  | {
      readonly kind: "catalogued";
      readonly code: ErrorCode;
      readonly params: Readonly<Record<string, unknown>>;
      readonly cause?: PackedUnknown;
    }
  | ({ readonly kind: "unknown" } & PackedUnknown);

interface PackedUnknown {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

export interface CallMessage {
  readonly id: number;
  readonly name: string;
  readonly args: readonly unknown[];
}

export type ReplyMessage =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: PackedError };

/** What a thread offers, by name. */
export type Handlers = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/** Makes an error fit to travel. */
export function packError(error: unknown): PackedError {
  if (!(error instanceof BinderyError)) return { kind: "unknown", ...packUnknown(error) };
  const cause = error.cause === undefined ? {} : { cause: packUnknown(error.cause) };
  return { kind: "catalogued", code: error.code, params: error.params, ...cause };
}

/** The error again: a BinderyError with the same code, params, status and message, or an Error with the same stack. */
export function unpackError(packed: PackedError): Error {
  if (packed.kind === "unknown") return unpackUnknown(packed);
  const cause = packed.cause && unpackUnknown(packed.cause);
  return (fail as (code: ErrorCode, params: unknown, cause?: unknown) => Error)(packed.code, packed.params, cause);
}

function packUnknown(error: unknown): PackedUnknown {
  if (!(error instanceof Error)) return { name: "Error", message: String(error), stack: String(error) };
  return { name: error.name, message: error.message, stack: error.stack ?? error.message };
}

function unpackUnknown({ name, message, stack }: PackedUnknown): Error {
  return Object.assign(new Error(message), { name, stack });
}

/** Sends a reply. @param transfer memory that is handed over with it, not copied */
export type SendReply = (reply: ReplyMessage, transfer: ArrayBuffer[]) => void;

/**
 * Runs one call and sends its reply; never throws. A result that cannot be cloned is an error for the caller. Typed
 * arrays among the members of a result must own their memory, which is handed over, or be in shared memory.
 */
export async function answer(handlers: Handlers, { id, name, args }: CallMessage, send: SendReply): Promise<void> {
  try {
    if (!Object.hasOwn(handlers, name)) throw new Error(`This thread has no "${name}".`);
    const result = await handlers[name]!(...(args as never[]));
    send({ id, result }, buffersOf(result));
  } catch (error) {
    send({ id, error: packError(error) }, []);
  }
}

/** The memory of all typed arrays among the members of a value. A `Buffer`, or shared memory, may be of others too. */
function buffersOf(value: unknown): ArrayBuffer[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const owns = (member: unknown): member is ArrayBufferView =>
    ArrayBuffer.isView(member) && !Buffer.isBuffer(member) && member.buffer instanceof ArrayBuffer;
  return Object.values(value).flatMap((member) => (owns(member) ? [member.buffer as ArrayBuffer] : []));
}

/** How much may wait for one thread. */
export interface Backlog {
  readonly calls: number;
  /** Sum of the lengths of all texts among the arguments, in UTF-16 units. */
  readonly textLength: number;
}

export interface Caller {
  /**
   * @returns what the function on the other thread returned
   * @throws what it threw; STORE_UNAVAILABLE when too much waits already, or when the thread ended meanwhile
   */
  call(name: string, args: readonly unknown[]): Promise<unknown>;
  receive(reply: ReplyMessage): void;
  /** Calls that wait for their answer. */
  waiting(): number;
  /** Fails all calls that wait. */
  dropAll(error: Error): void;
}

/** The calling side of one thread. `post` sends a message to it. */
export function makeCaller(post: (message: CallMessage) => void, backlog: Backlog): Caller {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void; length: number }>();
  let lastId = 0;
  let textLength = 0;

  const take = (id: number) => {
    const call = waiting.get(id);
    if (call !== undefined) textLength -= call.length;
    waiting.delete(id);
    return call;
  };

  return {
    call(name, args) {
      const length = args.reduce<number>((sum, arg) => sum + (typeof arg === "string" ? arg.length : 0), 0);
      // One call always goes, however large: what it may be is decided at the edge.
      if (waiting.size >= backlog.calls || (waiting.size > 0 && textLength + length > backlog.textLength)) {
        return Promise.reject(fail("STORE_UNAVAILABLE", { reason: "too many requests are waiting" }));
      }
      return new Promise((resolve, reject) => {
        const id = ++lastId;
        post({ id, name, args });
        waiting.set(id, { resolve, reject, length });
        textLength += length;
      });
    },
    waiting: () => waiting.size,
    receive(reply) {
      const call = take(reply.id);
      if ("error" in reply) call?.reject(unpackError(reply.error));
      else call?.resolve(reply.result);
    },
    dropAll(error) {
      for (const id of [...waiting.keys()]) take(id)?.reject(error);
    },
  };
}
