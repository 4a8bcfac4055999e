import type { AppRules } from "./app.ts";
import type { Member } from "./broker.ts";
import { byteLength } from "./frame.ts";

/**
 * The member of an id and its `user_info`, or what is wrong. Without `user_info` a member has an empty
 * one: its key must be in the hash.
 */
export function memberWith(
  { id, info }: { id: string; info?: unknown },
  { presenceMaxInfoBytes }: AppRules,
): Member | string {
  const text = JSON.stringify(info ?? {});
  return byteLength(text) > presenceMaxInfoBytes
    ? `user_info is over the limit of ${presenceMaxInfoBytes} bytes`
    : { id, info: text };
}
