import { audit } from "../audit/audit.ts";
import { forgetHere } from "../other_servers.ts";
import { personExport } from "../privacy/person_export.ts";
import { removePerson } from "../privacy/person_removal.ts";
import type { KnownPerson } from "./known_person.ts";
import type { Acting } from "./manage_user.ts";
import { removedPerson } from "@/shared/audit.ts";

/** Why a person cannot be forgotten. */
export type ForgetFailure = "has_account";

/** Why a person cannot be forgotten; null when it is possible. */
export function forgetFailure({ account }: KnownPerson): ForgetFailure | null {
  return account ? "has_account" : null;
}

/** What is stored and known of a person, as the pieces of a JSON text. The audit log has it before. */
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
  // What a server was about to store is stored before, so that it is deleted, too.
  await forgetHere(state, { appId: served.own.id, userId: id });
  await cluster?.bus.changes.changed("forgotten_person", id);
  await cluster?.engine.log.forget(served.own.id, id);
  await removePerson(
    database,
    { id, appId: served.own.id },
    name,
    (transaction) => audit(state, "person_forgotten", removedPerson, {}, transaction),
  );
  if (!isBlocked) return null;
  await blockedPeople.reload();
  await cluster?.bus.changes.changed("blocked_people");
  return null;
}
