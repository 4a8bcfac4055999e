import type { ClientSource, HookOptions, Online } from "./index.d.ts";

/** A store of who is in a presence channel, which is joined while a component reads the store. */
export function online<Info = unknown>(
  client: ClientSource,
  channel: string,
  options?: HookOptions<Info>,
): { subscribe(run: (online: Online<Info>) => void): () => void };
