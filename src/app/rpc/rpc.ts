/**
 * Calls of functions on another thread: a request carries a name and plain arguments, a reply carries a result or an
 * error. This file has the messages and the answering side, `caller.ts` the calling side, and `workers.ts` the threads.
 */
import { BinderyError, type ErrorCode, fail } from "../../core/errors.js";

/** An error in a message: an error of the catalogue with its code and params, or any other error for the log. */
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

/** A call. On each channel, ids increase by 1 in the order in which the calls are posted. */
interface CallMessage {
  readonly id: number;
  readonly name: string;
  readonly args: readonly unknown[];
}

/** A question whether the other side responds, and which calls up to the id `probe` still run there. */
interface ProbeMessage {
  readonly probe: number;
}

/** Message that the calling side posts. */
export type RequestMessage = CallMessage | ProbeMessage;

type ReplyMessage =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: PackedError };

/** Message that the answering side posts. */
export type AnswerMessage =
  | ReplyMessage
  /** The answer to a probe. Channels keep the order, so no reply follows for a call that is not in `running`. */
  | { readonly probe: number; readonly running: readonly number[] }
  /** An unreadable message arrived, which may have been a call. */
  | { readonly isUnread: true };

/** The functions that a thread offers, by name. */
export type Handlers = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/** Converts an error to a value that can be cloned. */
export function packError(error: unknown): PackedError {
  if (!(error instanceof BinderyError)) return { kind: "unknown", ...packUnknown(error) };
  const cause = error.cause === undefined ? {} : { cause: packUnknown(error.cause) };
  return { kind: "catalogued", code: error.code, params: error.params, ...cause };
}

/** Restores an error as a BinderyError with the same code and params, or as an Error with the same stack. */
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

/** Sends a message to the caller. @param transfer memory that is transferred with the message, not copied */
type SendAnswer = (message: AnswerMessage, transfer: ArrayBuffer[]) => void;

/** The answering side of one channel. */
interface Answerer {
  /** Runs a call and sends its reply, or answers a probe; never throws. */
  receive(message: RequestMessage): void;
  /** Informs the caller that an unreadable message arrived (`messageerror`). */
  noteUnread(): void;
}

/**
 * Makes an answerer, which runs calls and sends their results. If a result cannot be cloned, the call fails. Typed
 * arrays among the members of a result must own their memory, which is transferred, or be in shared memory.
 *
 * @param run calls the function with a name
 */
export function makeAnswerer(
  run: (name: string, args: readonly unknown[]) => Promise<unknown>,
  send: SendAnswer,
): Answerer {
  const running = new Set<number>();
  const answer = async ({ id, name, args }: CallMessage): Promise<void> => {
    running.add(id);
    try {
      const result = await run(name, args);
      send({ id, result }, ownedBuffers(result));
    } catch (error) {
      sendError(id, error);
    }
    running.delete(id);
  };
  const sendError = (id: number, error: unknown): void => {
    try {
      send({ id, error: packError(error) }, []);
    } catch (cloneError) {
      // The params of the error cannot be cloned.
      send({ id, error: { kind: "unknown", ...packUnknown(cloneError) } }, []);
    }
  };
  return {
    receive: (message) => {
      if ("probe" in message) send({ probe: message.probe, running: [...running] }, []);
      else void answer(message);
    },
    noteUnread: () => send({ isUnread: true }, []),
  };
}

/** Returns a function that calls a handler by its name. */
export function runHandlers(handlers: Handlers): (name: string, args: readonly unknown[]) => Promise<unknown> {
  return async (name, args) => {
    if (!Object.hasOwn(handlers, name)) throw new Error(`This thread has no "${name}".`);
    return await handlers[name]!(...(args as never[]));
  };
}

/** Returns the memory that belongs to the typed arrays of a value alone, not that of Buffers or shared memory. */
function ownedBuffers(value: unknown): ArrayBuffer[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const ownsMemory = (member: unknown): member is ArrayBufferView =>
    ArrayBuffer.isView(member) && !Buffer.isBuffer(member) && member.buffer instanceof ArrayBuffer;
  return Object.values(value).flatMap((member) => (ownsMemory(member) ? [member.buffer as ArrayBuffer] : []));
}
