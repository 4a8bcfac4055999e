import {
  maxDetailLength,
  maxNameLength,
  type Profile,
  profile,
  unprintable,
} from "../../protocol/profile.ts";
import { maxUserIdLength, type Member } from "../../protocol/users.ts";
import { parseJson } from "./json.ts";

/** A member as all servers receive it. */
export function memberText({ id, info, profile }: Member): string {
  return JSON.stringify({ id, info, profile });
}

/** The members of a room, from their texts in Redis; those that are malformed are left out. */
export function readMembers(texts: Iterable<string>, isMalformed?: () => void): Member[] {
  const members: Member[] = [];
  for (const text of texts) {
    const member = readMember(text);
    if (member) members.push(member);
    else isMalformed?.();
  }
  return members;
}

/** The members of a room whose texts come in steps, each once. Other work is done between two steps. */
export async function readMembersInSteps(
  steps: AsyncIterable<ReadonlyMap<string, string>>,
): Promise<Member[]> {
  const members = new Map<string, Member>();
  for await (const texts of steps) {
    for (const member of readMembers(texts.values())) members.set(member.id, member);
  }
  return [...members.values()];
}

/**
 * Reads what {@link memberText} wrote. Checked by hand: a room has hundreds of thousands, and a schema takes ten
 * times as long.
 *
 * @returns undefined when it is malformed
 */
export function readMember(text: string): Member | undefined {
  const value = parseJson(text);
  if (typeof value !== "object" || value === null) return undefined;
  const { id, info, profile: stated } = value as Record<string, unknown>;
  if (typeof id !== "string" || id.length === 0 || id.length > maxUserIdLength) return undefined;
  // It goes into frames as it is.
  if (typeof info !== "string" || parseJson(info) === undefined) return undefined;
  if (stated === undefined) return { id, info };
  if (isPlain(stated)) return { id, info, profile: stated };
  const read = profile.safeParse(stated);
  if (!read.success) return undefined;
  return read.data === undefined ? { id, info } : { id, info, profile: read.data };
}

/** Whether a profile is a text or two as servers write them: most are, and need no schema. */
function isPlain(profile: unknown): profile is Profile {
  if (typeof profile !== "object" || profile === null) return false;
  let texts = 0;
  for (const [key, value] of Object.entries(profile)) {
    const maxLength = maxLengths.get(key);
    if (maxLength === undefined || typeof value !== "string") return false;
    if (value.length > maxLength || value !== value.trim() || value.search(unprintable) >= 0) {
      return false;
    }
    texts += value.length > 0 ? 1 : 0;
  }
  return texts > 0 && texts === Object.keys(profile).length;
}

const maxLengths = new Map([["name", maxNameLength], ["detail", maxDetailLength]]);
