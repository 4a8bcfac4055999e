import { z } from "zod";
import { profile } from "../../realtime/protocol/profile.ts";
import { maxUserIdLength, type Member } from "../../realtime/protocol/users.ts";
import { parseJson } from "./json.ts";

const member = z.object({
  id: z.string().min(1).max(maxUserIdLength),
  /** It goes into frames as it is. */
  info: z.string().refine((text) => parseJson(text) !== undefined),
  profile: profile.optional(),
});

/** A member as all servers receive it. */
export function memberText({ id, info, profile }: Member): string {
  return JSON.stringify({ id, info, profile });
}

/** The members of a room, from their texts in Redis; those that are malformed are left out. */
export function readMembers(texts: Iterable<string>, isMalformed?: () => void): Member[] {
  return Array.from(texts, (text) => {
    const member = readMember(text);
    if (!member) isMalformed?.();
    return member;
  }).filter((member) => member !== undefined);
}

/** Reads what {@link memberText} wrote. @returns undefined when it is malformed */
export function readMember(text: string): Member | undefined {
  return member.safeParse(parseJson(text)).data;
}
