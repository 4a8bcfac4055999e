import { audit } from "../audit/audit.ts";
import { disableUser } from "./manage_user.ts";
import { closings } from "@/shared/close_reasons.ts";
import { usesExternalServer } from "../config/client_options.ts";
import type { Acting } from "./manage_user.ts";
import { blockGuest, unblockGuest } from "../accounts/guest.ts";
import type { KnownPerson } from "./known_person.ts";
import { blockReasonSchema } from "../presence/blocked_people.ts";
import { may, maySee } from "@/shared/permissions.ts";
import type { Named } from "@/shared/audit.ts";

/** Why a person cannot be disconnected or blocked. */
export type DisconnectFailure =
  | "yourself"
  | "last_admin"
  | "admins_only"
  | "limited"
  | "not_online"
  | "too_many_blocked"
  | "invalid_reason"
  | "other_server"
  | "not_found";

/** Why a person cannot be disconnected, and why they cannot be blocked; null where they can be. */
export interface DisconnectFailures {
  disconnect: DisconnectFailure | null;
  block: DisconnectFailure | null;
}

/** What an admin can do to a person. `last_admin` and `not_found` are only known once it is tried. */
export function disconnectOptions(
  { config, served, session }: Acting,
  { id, kind, presence, role }: KnownPerson,
): DisconnectFailures {
  if (id === session?.user.id) return { disconnect: "yourself", block: "yourself" };
  const elsewhere = usesExternalServer(config.pusher) ? "other_server" : null;
  const disconnect = elsewhere ?? (presence ? null : "not_online");
  // A block holds in all channels of the app.
  const isLimited = !session || !maySee(session.user, { appId: served.own.id, channel: null });
  if (isLimited) return { disconnect, block: elsewhere ?? "limited" };
  if (kind === "foreign") return { disconnect, block: elsewhere };
  // Who may only act on people must not shut out the people who manage, or watch, them.
  const isForAdmins = may(role, "view") && !may(session.user.role, "manage");
  return { disconnect, block: isForAdmins ? "admins_only" : null };
}

/**
 * Closes all connections of a person, who can rejoin by loading a page. The admin log has an entry of it before.
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
 * Closes all connections of a person and keeps them from coming back: a user is disabled, a guest or a
 * person of the operator's own app blocked. The admin log has it before, or in the same transaction.
 *
 * @param reason what a person of the own app is told, as the admin entered it.
 * @returns why it was refused; null when it is done.
 */
export async function block(
  state: Acting,
  person: KnownPerson,
  reason = "",
): Promise<DisconnectFailure | null> {
  const refusal = disconnectOptions(state, person).block;
  if (refusal) return refusal;
  if (person.kind === "user") {
    const result = await disableUser(state, person.id, openPages(person));
    if (result.ok) return null;
    return result.reason === "last_admin" ? "last_admin" : "not_found";
  }
  if (person.kind === "foreign") {
    return await blockInApp(state, { appId: state.served.own.id, person, reason });
  }
  await audit(state, "guest_blocked", person, openPages(person));
  const blockedBy = state.session?.user.id ?? "";
  await blockGuest(state.database, { guestId: person.id, blockedAt: Date.now(), blockedBy });
  state.allServers.closeUser(person.id, { reason: closings.blocked.reason });
  return null;
}

/**
 * Lets a blocked guest, or a blocked person of the operator's own app, join again.
 *
 * @returns why it was refused; null when it is done.
 */
export async function unblock(state: Acting, person: KnownPerson): Promise<"limited" | null> {
  if (person.isPartial) return "limited";
  if (person.kind === "foreign") {
    await unblockInApp(state, state.served.own.id, person.id);
    return null;
  }
  await audit(state, "guest_unblocked", person);
  await unblockGuest(state.database, person.id);
  return null;
}

/**
 * Blocks an id in an app: closes its connections and refuses it in presence channels and at sign-ins.
 *
 * @returns why it was refused; null when it is done.
 */
export async function blockInApp(
  state: Acting,
  { appId, person, reason: input }: { appId: string; person: Named; reason: string },
): Promise<"invalid_reason" | "too_many_blocked" | null> {
  const reason = blockReasonSchema.safeParse(input);
  if (!reason.success) return "invalid_reason";
  const details = { ...appDetail(state, appId), ...reason.data && { reason: reason.data } };
  const isBlocked = await state.blockedPeople.block({
    appId,
    userId: person.id,
    name: person.name,
    reason: reason.data,
    blockedAt: Date.now(),
    blockedBy: state.session?.user.id ?? "",
  }, (transaction) => audit(state, "person_blocked", person, details, transaction));
  return isBlocked ? null : "too_many_blocked";
}

/** Lets an id join an app again. @returns whether it was blocked. */
export function unblockInApp(state: Acting, appId: string, userId: string): Promise<boolean> {
  return state.blockedPeople.unblock(appId, userId, (transaction, { name }) => {
    const person = { id: userId, name };
    return audit(state, "person_unblocked", person, appDetail(state, appId), transaction);
  });
}

/** The app of a person of another app, who has no page: the admin log names it. */
function appDetail({ apps, served }: Acting, appId: string): { app?: string } {
  return appId === served.own.id ? {} : { app: apps.find(appId)?.name ?? appId };
}

function openPages({ presence }: KnownPerson) {
  return { openPages: presence?.connections ?? 0 };
}
