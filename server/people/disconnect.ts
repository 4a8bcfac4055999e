import { audit } from "../audit/audit.ts";
import { disableUser } from "./manage_user.ts";
import { closings } from "@/shared/close_reasons.ts";
import { usesExternalServer } from "../config/client_options.ts";
import type { Acting } from "./manage_user.ts";
import { blockGuest, unblockGuest } from "../accounts/guest.ts";
import type { KnownPerson } from "./known_person.ts";

/** Why a person cannot be disconnected or blocked. */
export type DisconnectFailure =
  | "yourself"
  | "last_admin"
  | "not_online"
  | "not_blockable"
  | "other_server"
  | "not_found";

/** Why a person cannot be disconnected, and why they cannot be blocked; null where they can be. */
export interface DisconnectFailures {
  disconnect: DisconnectFailure | null;
  block: DisconnectFailure | null;
}

/** What an admin can do to a person. `last_admin` and `not_found` are only known once it is tried. */
export function disconnectOptions(
  { config, session }: Acting,
  { id, kind, presence }: KnownPerson,
): DisconnectFailures {
  if (id === session?.user.id) return { disconnect: "yourself", block: "yourself" };
  const disconnect = usesExternalServer(config.pusher)
    ? "other_server"
    : presence
    ? null
    : "not_online";
  return { disconnect, block: kind === "foreign" ? "not_blockable" : null };
}

/**
 * Closes all connections of a person, who can rejoin by loading a page. The audit log has it before.
 *
 * @returns why it was refused; null when it is done.
 */
export async function disconnect(
  state: Acting,
  person: KnownPerson,
): Promise<DisconnectFailure | null> {
  const refusal = disconnectOptions(state, person).disconnect;
  if (refusal) return refusal;
  await audit(state, "member_removed", person, openPages(person));
  state.allServers.closeUser(person.id, { reason: closings.removed.reason });
  return null;
}

/**
 * Closes all connections of a person and keeps them from coming back: a user is disabled, a guest
 * blocked. The audit log has it before, or in the same transaction.
 *
 * @returns why it was refused; null when it is done.
 */
export async function block(
  state: Acting,
  person: KnownPerson,
): Promise<DisconnectFailure | null> {
  const refusal = disconnectOptions(state, person).block;
  if (refusal) return refusal;
  if (person.kind === "user") {
    const result = await disableUser(state, person.id, openPages(person));
    if (result.ok) return null;
    return result.reason === "last_admin" ? "last_admin" : "not_found";
  }
  await audit(state, "guest_blocked", person, openPages(person));
  const blockedBy = state.session?.user.id ?? "";
  await blockGuest(state.database, { guestId: person.id, blockedAt: Date.now(), blockedBy });
  state.allServers.closeUser(person.id, { reason: closings.blocked.reason });
  return null;
}

/** Lets a blocked guest join again. It is never refused. */
export async function unblock(state: Acting, person: KnownPerson): Promise<null> {
  await audit(state, "guest_unblocked", person);
  await unblockGuest(state.database, person.id);
  return null;
}

function openPages({ presence }: KnownPerson) {
  return { openPages: presence?.connections ?? 0 };
}
