import { audit } from "./audit.ts";
import { closings } from "../shared/close_reasons.ts";
import { isHosted } from "../config/client_settings.ts";
import type { State } from "../state.ts";
import { blockGuest, unblockGuest } from "../accounts/blocked_guests.ts";
import type { KnownPerson } from "./known_person.ts";

/** Why somebody cannot be removed, or not for good. */
export type RemovalRefusal =
  | "yourself"
  | "last_admin"
  | "not_online"
  | "not_blockable"
  | "other_server"
  | "not_found";

/** What became of a removal. */
export type Removal = { ok: true; closed: number } | { ok: false; reason: RemovalRefusal };

/** How somebody can be removed, and why not otherwise. */
export interface RemovalOptions {
  /** Why they cannot be removed so that they may come back at once; null when they can. */
  forNow: RemovalRefusal | null;
  /** Why they cannot be kept out; null when they can. */
  forGood: RemovalRefusal | null;
}

/** What can be done to this person, as far as it is known beforehand. */
export function removalOptions(
  { config, session }: Pick<State, "config" | "session">,
  { id, kind, presence }: KnownPerson,
): RemovalOptions {
  if (id === session?.user.id) return { forNow: "yourself", forGood: "yourself" };
  const forNow = isHosted(config.pusher) ? "other_server" : presence ? null : "not_online";
  return { forNow, forGood: kind === "foreign" ? "not_blockable" : null };
}

/**
 * Closes all that somebody has open, at once. Whoever may come back has to load a page again. Whoever
 * may not is kept out: a user is disabled, a guest blocked. It is in the audit log before it is done.
 */
export async function remove(
  state: State,
  person: KnownPerson,
  { mayReturn }: { mayReturn: boolean },
): Promise<Removal> {
  const { forNow, forGood } = removalOptions(state, person);
  const reason = mayReturn ? forNow : forGood;
  if (reason !== null) return { ok: false, reason };
  if (!mayReturn) return await block(state, person);
  await audit(state, "member_removed", person, openPages(person));
  return closeAll(state, person, closings.removed.reason);
}

async function block(state: State, person: KnownPerson): Promise<Removal> {
  const { accounts, database, session } = state;
  if (person.kind === "user") {
    const result = await accounts.setDisabled(
      person.id,
      true,
      (transaction, user) => audit(state, "user_disabled", user, openPages(person), transaction),
    );
    if (result.ok) return closeAll(state, person, closings.disabled.reason);
    return { ok: false, reason: result.reason === "last_admin" ? "last_admin" : "not_found" };
  }
  await audit(state, "guest_blocked", person, openPages(person));
  const blockedBy = session?.user.id ?? "";
  await blockGuest(database, { guestId: person.id, blockedAt: Date.now(), blockedBy });
  return closeAll(state, person, closings.blocked.reason);
}

/** Lets a guest in again. */
export async function unblock(state: State, person: KnownPerson): Promise<void> {
  await audit(state, "guest_unblocked", person);
  await unblockGuest(state.database, person.id);
}

function openPages({ presence }: KnownPerson) {
  return { openPages: presence?.connections ?? 0 };
}

function closeAll({ realtime }: State, { id }: KnownPerson, reason: string): Removal {
  return { ok: true, closed: realtime.closeUser(id, { reason }) };
}
