import { byteLength } from "../protocol/frame.ts";
import type { Profile } from "../protocol/profile.ts";
import type { Member } from "../protocol/users.ts";
import type { CommandContext } from "./context.ts";

/**
 * The member with an id and `user_info`; without `user_info` it is `{}`, because the member list has
 * an entry for each member.
 *
 * @returns a sentence for the client's developer when `user_info` exceeds the app's limit.
 */
export function memberOf(
  { app, connection, refusals }: CommandContext,
  { id, info, profile }: { id: string; info: unknown; profile: Profile | undefined },
): Member | string {
  const { presenceMaxInfoBytes } = app.settings;
  const text = JSON.stringify(info ?? {});
  if (byteLength(text) <= presenceMaxInfoBytes) return { id, info: text, profile };
  refusals.count("memberBytes", connection);
  return `user_info is over the limit of ${presenceMaxInfoBytes} bytes`;
}
