import { makeBatch } from "./batch.js";
import { type Backlog, type Caller, type CallMessage, makeCaller, packError } from "./rpc.js";

export interface BatchCaller extends Caller {
  /** Posts now what was called in this turn. */
  flush(): void;
}

/** As `makeCaller`, but the calls of one turn of the event loop are posted together. */
export function makeBatchCaller(post: (calls: readonly CallMessage[]) => void, backlog: Backlog): BatchCaller {
  const calls = makeBatch<CallMessage>(post, ({ id }, error) => caller.receive({ id, error: packError(error) }));
  const caller = makeCaller(calls.add, backlog);
  return {
    ...caller,
    flush: calls.flush,
    dropAll(error) {
      calls.drop();
      caller.dropAll(error);
    },
  };
}
