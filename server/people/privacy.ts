import { refused, type Result } from "../accounts/account_fields.ts";
import type { Session } from "../accounts/accounts.ts";
import type { User } from "../accounts/users.ts";
import { audit } from "../audit/audit.ts";
import { forgetHere } from "../other_servers.ts";
import { personExport } from "../privacy/person_export.ts";
import { removeAccount, removeActivity, removePerson } from "../privacy/person_removal.ts";
import type { KnownPerson } from "./known_person.ts";
import { type Acting, disconnectSignedOut } from "./manage_user.ts";
import { removedPerson } from "@/shared/audit.ts";

/** Why a person cannot be forgotten. */
export type ForgetFailure = "has_account";

/** Why a person cannot be forgotten; null when it is possible. */
export function forgetFailure({ account }: KnownPerson): ForgetFailure | null {
  return account ? "has_account" : null;
}

/** What is stored and known of a person, as the pieces of a JSON text. The admin log has it before. */
export async function exportPerson(
  state: Acting,
  { id, name, detail, url, presence }: KnownPerson,
): Promise<AsyncGenerator<string>> {
  await audit(state, "person_exported", { id, name });
  const online = presence &&
    { ...presence, member: undefined, name, detail, url };
  return personExport(state.database, { id, appId: state.served.own.id }, {
    online,
  });
}

/**
 * Deletes what is stored of a person, on all servers, and ends a block. Of a person who is online, what is known
 * of the presence stays, and the leave will be recorded.
 *
 * @returns why it was refused; null when it is done.
 */
export async function forgetPerson(
  state: Acting,
  person: KnownPerson,
): Promise<ForgetFailure | null> {
  const failure = forgetFailure(person);
  if (failure) return failure;
  const { blockedPeople, cluster, database, served } = state;
  const { id, name, isBlocked } = person;
  await forgetEverywhere(state, id);
  await removePerson(database, { id, appId: served.own.id }, {
    known: [name],
    async begin(transaction) {
      await audit(state, "person_forgotten", removedPerson, {}, transaction);
      return true;
    },
  });
  await removeActivity(database, { id, appId: served.own.id });
  if (!isBlocked) return null;
  await blockedPeople.reload();
  await cluster?.bus.changes.changed("blocked_people");
  return null;
}

/** Drops what servers have in memory of a person; what one was about to store is stored, to be deleted then. */
async function forgetEverywhere(state: Acting, id: string): Promise<void> {
  const { cluster, served } = state;
  await forgetHere(state, { appId: served.own.id, userId: id });
  // Before the others, as the leader reads on meanwhile.
  await cluster?.engine.log.forget(served.own.id, id);
  await cluster?.bus.changes.changed("forgotten_person", id);
}

/** How long a deleted user may take to leave all channels, in milliseconds: users of a lost server take up to 15 s. */
const leavingMs = 20_000;

/** How long the leader may take to store what it had read of a user before it forgot them, in milliseconds. */
const storingMs = 1_000;

/**
 * Deletes the account of a user, whose sessions and connections end at once on all servers, and forgets the user.
 * Refused for the admin's own account, which has a page for that, and for the only admin.
 */
export async function deleteAccount(state: Acting, user: User): Promise<Result> {
  if (user.id === state.session?.user.id) {
    return refused("yourself", "You can't delete your own account here.");
  }
  return await removeAndForget(state, user, "user_deleted");
}

/**
 * Deletes the account of who is signed in, like {@link deleteAccount}. Refused for the only admin, and for who does
 * not know the password, or has signed in long ago and has none.
 */
export async function deleteOwnAccount(
  state: Acting,
  session: Session,
  password: string,
): Promise<Result> {
  const confirmed = await state.accounts.confirmOwner(session, password);
  return confirmed.ok ? await removeAndForget(state, session.user, "account_deleted") : confirmed;
}

async function removeAndForget(
  state: Acting,
  user: User,
  action: "user_deleted" | "account_deleted",
): Promise<Result> {
  const { counted, database, served: { own } } = state;
  const { id, role } = user;
  const result = await removeAccount(
    database,
    user,
    own.id,
    (transaction) => audit(state, action, removedPerson, { role }, transaction),
  );
  if (!result.ok) return result;
  disconnectSignedOut(state, id);
  const isThere = () => counted.some(({ isOwn, presence }) => isOwn && presence.has(id));
  for (const until = Date.now() + leavingMs; isThere() && Date.now() < until;) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  // The leave is about to be stored.
  await forgetEverywhere(state, id);
  await removeActivity(database, { id, appId: own.id });
  if (state.cluster) {
    await new Promise((resolve) => setTimeout(resolve, storingMs));
    await removeActivity(database, { id, appId: own.id });
  }
  return result;
}
