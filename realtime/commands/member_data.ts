import type { AppRules } from "../app_config.ts";
import type { Member } from "../brokers/broker.ts";
import type { Connection } from "../connections/connection.ts";
import { byteLength } from "../protocol/frame.ts";
import type { Refusals } from "../connections/refusals.ts";

/**
 * The member of an id and its `user_info`, or what is wrong, which is counted. Without `user_info` a
 * member has an empty one: its key must be in the hash.
 */
export function memberWith(
  { id, info }: { id: string; info?: unknown },
  { presenceMaxInfoBytes }: AppRules,
  refusals: Refusals,
  connection: Connection,
): Member | string {
  const text = JSON.stringify(info ?? {});
  if (byteLength(text) <= presenceMaxInfoBytes) return { id, info: text };
  refusals.count("memberBytes", connection);
  return `user_info is over the limit of ${presenceMaxInfoBytes} bytes`;
}
