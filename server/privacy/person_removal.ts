import { type Kysely, sql } from "kysely";
import { noSuchUser, type Result } from "../accounts/account_fields.ts";
import { deleteUser, type User } from "../accounts/users.ts";
import { isOfUser } from "../activity/activity_rows.ts";
import { forgetAddresses } from "../alert/stored_receivers.ts";
import type { Database } from "../database/database.ts";
import type { Tables } from "../database/schema.ts";
import { removedPerson } from "@/shared/audit.ts";
import {
  alertRowsOf,
  type AuditRow,
  isActor,
  isTarget,
  namesOf,
  outboxRowsOf,
  partedEvents,
  patternOf,
  storedId,
  type StoredPerson,
} from "./stored_person.ts";

/** Shorter ids and names are not looked for within texts: they could be a part of anything. */
const shortestPart = 3;

/** Details that say nothing of who a person is. */
const impersonal: ReadonlySet<string> = new Set([
  "role",
  "before",
  "after",
  "limits",
  "app",
]);

/** What a person wrote, or gave as their own. */
const written: ReadonlySet<string> = new Set(["text", "reason", "newName", "email", "who"]);

/**
 * An entry of the admin log without a person: who acted, on whom and what they wrote are replaced or left out, and
 * so are the id and the names of the person in texts, also in those about other people.
 *
 * @returns null where the entry does not name the person.
 */
export function withoutPerson(
  row: AuditRow,
  person: StoredPerson,
  names: ReadonlySet<string>,
): AuditRow | null {
  const before = JSON.parse(row.details) as Record<string, unknown>;
  const [isTheirs, isAboutThem] = [isActor(row, person), isTarget(row, person)];
  const isKept = ([name, value]: [string, unknown]) =>
    typeof value !== "string" || impersonal.has(name) ||
    !(isAboutThem || isTheirs && written.has(name));
  const words = [storedId(person), ...names];
  const after = ([name, value]: [string, unknown]) =>
    [name, typeof value === "string" ? redacted(value, words) : value] as const;
  const kept = Object.entries(before).filter(isKept).map(after);
  const details = JSON.stringify(Object.fromEntries(kept));
  const isInvitation = isEmail(row.targetName) && names.has(row.targetName);
  const targetName = isAboutThem || isInvitation
    ? removedPerson.name
    : isOfRule(row)
    ? redacted(row.targetName, words)
    : row.targetName;
  const isNamed = targetName !== row.targetName || details !== row.details;
  if (!isTheirs && !isAboutThem && !isNamed) return null;
  return {
    ...row,
    details,
    ...isTheirs && { actorId: removedPerson.id, actorName: removedPerson.name },
    ...isAboutThem && { targetId: removedPerson.id },
    targetName,
  };
}

/** Whether an entry is of a rule of alerts, whose name can be that of the person whom it is about. */
function isOfRule(row: AuditRow): row is AuditRow & { targetName: string } {
  return row.action.startsWith("alert_rule_") && row.targetName !== null;
}

/** Whether a name is the email of an invitation, which has no other name. */
function isEmail(name: string | null): name is string {
  return name?.includes("@") ?? false;
}

/** A text with “a removed person” in place of each of some words, the longest first. */
function redacted(text: string, words: readonly string[]): string {
  if (words.includes(text)) return removedPerson.name;
  const parts = words.filter(({ length }) => length >= shortestPart)
    .toSorted((one, other) => other.length - one.length);
  if (parts.length === 0) return text;
  const pattern = parts.map((part) => RegExp.escape(part)).join("|");
  const whole = new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, "giu");
  return text.replace(whole, removedPerson.name);
}

/** Rows of the admin log that are read at a time. */
const auditPage = 500;

/** Replaces a person in the admin log. */
async function removeFromAudit(
  transaction: Kysely<Tables>,
  person: StoredPerson,
  names: ReadonlySet<string>,
): Promise<void> {
  const id = storedId(person);
  // The engines differ in what they take for the lower case of a letter, so it is left to them.
  const texts = [id, ...names].flatMap((text) => {
    const inDetails = patternOf(JSON.stringify(text).slice(1, -1));
    return [
      sql<boolean>`lower(details) like lower(${inDetails}) escape '\\'`,
      sql<boolean>`(action like 'alert!_rule!_%' escape '!' and
        lower("targetName") like lower(${patternOf(text)}) escape '\\')`,
    ];
  });
  let after = -1;
  while (true) {
    const rows = await transaction.selectFrom("auditEntry").selectAll()
      .where("number", ">", after)
      .where((of) =>
        of.or([
          of("actorId", "=", id),
          of("targetId", "=", id),
          of("targetName", "in", ["", ...[...names].filter(isEmail)]),
          ...texts,
        ])
      )
      .orderBy("number").limit(auditPage).execute();
    for (const row of rows) {
      const { number, actorId, actorName, targetId, targetName, details } =
        withoutPerson(row, person, names) ?? row;
      await transaction.updateTable("auditEntry")
        .set({ actorId, actorName, targetId, targetName, details })
        .where("number", "=", number).execute();
    }
    if (rows.length < auditPage) return;
    after = rows[rows.length - 1].number;
  }
}

/** Takes a person out of the events that webhooks have not received yet. */
async function removeFromOutbox(
  transaction: Kysely<Tables>,
  person: StoredPerson,
): Promise<void> {
  for (const { id, events } of await outboxRowsOf(transaction, person)) {
    const { others } = partedEvents(events, person.id);
    if (others.length === 0) {
      await transaction.deleteFrom("undeliveredWebhook").where("id", "=", id)
        .execute();
      continue;
    }
    const text = others.map((event) => JSON.stringify(event)).join(",");
    await transaction.updateTable("undeliveredWebhook")
      .set({ events: text, count: others.length }).where("id", "=", id)
      .execute();
  }
}

/** Deletes the rules of alerts about a person, and what was told of them. */
async function removeFromAlerts(transaction: Kysely<Tables>, person: StoredPerson): Promise<void> {
  const { rules, messages } = await alertRowsOf(transaction, person);
  for (const { id } of rules) {
    await transaction.deleteFrom("alertRule").where("id", "=", id).execute();
    // Its name can say what is known of the person in other words.
    await transaction.updateTable("auditEntry").set({ targetName: removedPerson.name })
      .where("targetId", "=", id).execute();
  }
  for (const { id } of messages) {
    await transaction.deleteFrom("alertDelivery").where("id", "=", id).execute();
  }
}

/** Says “a removed person” of what names a person as its maker. */
async function removeAsMaker(transaction: Kysely<Tables>, id: string): Promise<void> {
  const createdBy = removedPerson.id;
  for (
    const table of [
      "wallboardLink",
      "embed",
      "siteTag",
      "apiToken",
      "alertReceiver",
    ] as const
  ) {
    await transaction.updateTable(table).set({ createdBy }).where("createdBy", "=", id).execute();
  }
  for (const table of ["blockedPerson", "blockedGuest"] as const) {
    await transaction.updateTable(table).set({ blockedBy: removedPerson.id })
      .where("blockedBy", "=", id).execute();
  }
}

/** How a person is removed; see {@link removePerson}. */
export interface Removal {
  /** Names and an email that the caller knows besides what is stored. */
  known?: readonly string[];
  /** Stores the entry of the action, and deletes an account. @returns false: nothing is to be done. */
  begin(transaction: Kysely<Tables>): Promise<boolean>;
}

/**
 * Deletes what is stored of a person apart from the activity, and makes them “a removed person” in the admin log,
 * all with the action's own changes in one transaction.
 *
 * @returns whether it was done.
 */
export async function removePerson(
  database: Database,
  person: StoredPerson,
  { known = [], begin }: Removal,
): Promise<boolean> {
  return await database.exclusively(async (transaction) => {
    const stored = await namesOf(transaction, person);
    const names = new Set([...stored, ...known.filter((name) => name !== person.id)]);
    if (!await begin(transaction)) return false;
    await removeFromAudit(transaction, person, names);
    await removeFromOutbox(transaction, person);
    await removeFromAlerts(transaction, person);
    await forgetAddresses(transaction, [...names].filter(isEmail));
    const id = storedId(person);
    await transaction.deleteFrom("blockedPerson").where("appId", "=", person.appId)
      .where("userId", "=", id).execute();
    await transaction.deleteFrom("attending")
      .where(isOfUser(person.id, person.otherApp && person.appId)).execute();
    if (person.otherApp) return true;
    await transaction.deleteFrom("blockedGuest").where("guestId", "=", id).execute();
    await removeAsMaker(transaction, id);
    return true;
  });
}

/**
 * Deletes an account, and what is stored of its user apart from the activity. Refused with `not_found`, or with
 * `last_admin`.
 *
 * @param appId of the app of Rollcall's own pages.
 * @param recorded stores the entry of the action.
 */
export async function removeAccount(
  database: Database,
  { id, name, email }: User,
  appId: string,
  recorded: (transaction: Kysely<Tables>) => Promise<void>,
): Promise<Result> {
  let result: Result = noSuchUser;
  await removePerson(database, { id, appId }, {
    known: [name, email],
    async begin(transaction) {
      result = await deleteUser(transaction, id, recorded);
      return result.ok;
    },
  });
  return result;
}

/** Entries that one statement deletes: the embedded database works in the event loop. */
const deletedAtOnce = 500;

/**
 * Deletes the activity of a person, some entries at a time, after {@link removePerson}.
 *
 * @returns whether nothing is left in the files of the embedded database, either; see `Database.scrub`.
 */
export async function removeActivity(database: Database, person: StoredPerson): Promise<boolean> {
  const { queries } = database;
  const some = queries.selectFrom("attendance").select("number")
    .where(isOfUser(person.id, person.otherApp && person.appId)).limit(deletedAtOnce);
  while (true) {
    const { numDeletedRows } = await queries.deleteFrom("attendance")
      .where("number", "in", some).executeTakeFirst();
    if (numDeletedRows < deletedAtOnce) break;
    await new Promise((resolve) => setTimeout(resolve));
  }
  return await database.scrub();
}
