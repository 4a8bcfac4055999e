import type { ClientSource, HookOptions, Online } from "../types/index.d.ts";
import { rollcall } from "./rollcall.ts";

/** Before anything is known. */
export const unknown: Online = { count: null, members: [] };

/** Joins a channel for a hook or a store. @returns what leaves it */
export function follow(
  client: ClientSource,
  channel: string,
  { onUpdate, ...options }: HookOptions,
  changed: (online: Online) => void,
): () => void {
  let online = unknown;
  const change = (part: Partial<Online>) => changed(online = { ...online, ...part });
  const presence = rollcall(typeof client === "function" ? client() : client)
    .join(channel, options)
    .onCount((count) => change({ count }))
    .onMembers((members) => change({ members }));
  if (onUpdate) presence.onUpdate(onUpdate);
  return () => presence.leave();
}
