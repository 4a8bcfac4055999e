import { z } from "zod";
import { profile } from "../../realtime/protocol/profile.ts";
import type { Member } from "../../realtime/protocol/users.ts";

const memberText = z.object({ info: z.string(), profile: profile.optional() });

/** Reads what nodes share of a member; undefined when it is malformed. */
export function memberOf(id: string, text: string | undefined): Member | undefined {
  const read = memberText.safeParse(text === undefined ? undefined : parsed(text));
  if (!read.success) return undefined;
  const { info, profile } = read.data;
  return profile ? { id, info, profile } : { id, info };
}

/** The value of a JSON text; undefined when it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
