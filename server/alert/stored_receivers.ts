import { type Kysely, sql } from "kysely";
import { z } from "zod";
import { type ReceiverKind, receiverKinds } from "@/shared/alert.ts";
import { mostAlertAddresses, mostAlertReceivers } from "@/shared/limits.ts";
import { newUnguessableId } from "../accounts/digest.ts";
import type { Database } from "../database/database.ts";
import type { InTransaction, Tables } from "../database/schema.ts";
import { readable, storedJson } from "./alert_schemas.ts";
import { linkNameSchema } from "../embed/embed_settings.ts";
import { mailAddress } from "../mail/mail.ts";
import { type ReceiverSettings, services } from "./receiver_kinds.ts";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";
import { numberText } from "@/shared/text.ts";

/** What an admin sets of a receiver. */
export interface EnteredReceiver {
  name: string;
  kind: ReceiverKind;
  settings: ReceiverSettings;
}

/** Whom alerts are told. */
export interface AlertReceiver extends EnteredReceiver {
  id: string;
  /** In ms since 1970. */
  createdAt: number;
  /** The id of the admin; empty for a webhook that was set before there were several receivers. */
  createdBy: string;
}

const kindSchema = z.enum(Object.keys(receiverKinds) as [ReceiverKind, ...ReceiverKind[]]);
const hookKindSchema = kindSchema.exclude(["email"]);

/** A URL that an admin enters. */
export const receiverUrlSchema = z.url({
  protocol: /^https?$/,
  error: () => text`Enter an http or https URL.`,
}).max(2_000, { error: () => text`At most ${numberText(2_000)} characters` })
  .refine(hasNoUserAndFragment, {
    error: () => text`Remove credentials and ${"#fragment"}.`,
  });

function hasNoUserAndFragment(entered: string): boolean {
  const url = URL.parse(entered);
  return url !== null && url.username === "" && url.password === "" && url.hash === "";
}

const fieldSchema = z.string().trim().max(300, { error: () => text`At most ${300} characters` });

const hookSchema = z.object({
  name: linkNameSchema,
  kind: hookKindSchema,
  url: receiverUrlSchema,
  token: fieldSchema,
  target: fieldSchema,
}).superRefine(({ kind, ...entered }, context) => {
  const service = services[kind];
  const url = URL.parse(entered.url);
  if (url && !service.takes(url)) {
    context.addIssue({
      code: "custom",
      path: ["url"],
      message: text`Looks like ${service.example}`,
    });
  }
  for (const name of ["token", "target"] as const) {
    const { [name]: field } = service;
    if (!field || entered[name] === "" && field.isOptional || field.pattern.test(entered[name])) {
      continue;
    }
    context.addIssue({ code: "custom", path: [name], message: longText(field.hint) });
  }
}).transform(({ name, kind, url, token, target }): EnteredReceiver => {
  const { token: tokenField, target: targetField } = services[kind];
  return {
    name,
    kind,
    settings: { url, ...tokenField && token && { token }, ...targetField && target && { target } },
  };
});

/** In place of the URL of a service, as emails go to the mail server of the settings. */
const emailUrl = "mailto:";

const emailSchema = z.object({
  name: linkNameSchema,
  kind: z.literal("email"),
  target: z.string().transform(addressesIn)
    .pipe(
      z.array(mailAddress).min(1, { error: () => text`Enter an email address.` })
        .max(mostAlertAddresses, {
          error: () => text`At most ${mostAlertAddresses} addresses.`,
        }),
    ),
}).transform(({ name, kind, target }): EnteredReceiver => ({
  name,
  kind,
  settings: { url: emailUrl, target: target.join(", ") },
}));

/** The addresses of a text, each once. */
function addressesIn(text: string): string[] {
  const addresses = text.split(/[\s,;]+/).filter((address) => address !== "");
  return [...Map.groupBy(addresses, (address) => address.toLowerCase()).values()]
    .map(([address]) => address);
}

const enteredSchema = z.discriminatedUnion("kind", [hookSchema, emailSchema]);

/** To whom the emails of a receiver go. */
export function addressesOf({ kind, settings }: EnteredReceiver): string[] {
  return kind === "email" ? addressesIn(settings.target ?? "") : [];
}

/**
 * For whom the deliveries of a receiver are: for itself; of emails, for each address, as it can fail for one alone.
 */
export function recipientsOf(receiver: AlertReceiver): string[] {
  if (receiver.kind !== "email") return [receiver.id];
  return addressesOf(receiver).map((address) => `${receiver.id}/${address}`);
}

/** The receiver that a recipient belongs to, and the address of emails. */
export function partsOf(recipient: string): { id: string; to?: string } {
  const end = recipient.indexOf("/");
  return end < 0
    ? { id: recipient }
    : { id: recipient.slice(0, end), to: recipient.slice(end + 1) };
}

/** What may be shown of where a receiver is: the origin of its URL, or its addresses. */
export function placeOfReceiver(receiver: EnteredReceiver): string {
  if (receiver.kind === "email") return addressesOf(receiver).join(", ");
  return new URL(receiver.settings.url).origin;
}

/** What a setting says of whom it tells. */
interface Telling {
  /** The ids of the receivers; absent: all. */
  receivers?: readonly string[];
}

/** The receivers that a setting tells, of all. */
export function toldOf(
  { receivers: chosen }: Telling,
  all: readonly AlertReceiver[],
): AlertReceiver[] {
  return all.filter(({ id }) => chosen?.includes(id) ?? true);
}

/** For whom the deliveries of a setting are: its receivers, and each email address separately. */
export async function receiversOf(
  transaction: Kysely<Tables>,
  setting: Telling,
): Promise<string[]> {
  return toldOf(setting, await listReceivers(transaction)).flatMap(recipientsOf);
}

/** Why a further receiver is refused. */
export function tooManyReceiversText(): string {
  return text`You've reached ${mostAlertReceivers} receivers. Delete one first.`;
}

/** A receiver that was read, or the field that is invalid. */
export type ReadReceiver =
  | { ok: true; receiver: EnteredReceiver }
  | { ok: false; field: string; message: string };

/**
 * Reads a receiver that was entered, all its fields as texts.
 *
 * @param before what it is changed from: a secret that is left empty stays, while the service does.
 */
export function readReceiver(
  input: Record<"name" | "kind" | "url" | "token" | "target", string>,
  before?: EnteredReceiver,
): ReadReceiver {
  const kept = before?.kind === input.kind ? before.settings : undefined;
  const kind = hookKindSchema.safeParse(input.kind).data ?? "webhook";
  const url = input.url.trim() || kept?.url || services[kind].defaultUrl || "";
  const token = input.token.trim() || (url === kept?.url ? kept?.token : undefined) || "";
  const parsed = enteredSchema.safeParse({ ...input, url, token });
  if (parsed.success) return { ok: true, receiver: parsed.data };
  const [{ path, message }] = parsed.error.issues;
  return { ok: false, field: String(path[0]), message };
}

/** The kind and the name of a receiver of which only a URL is known. */
export function receiverOfUrl(url: string): EnteredReceiver {
  const { hostname } = new URL(url);
  const kind = hostname === "hooks.slack.com" ? "slack" : "webhook";
  return { name: hostname.slice(0, 100), kind, settings: { url } };
}

/** What a receiver has that others must not see, the longest first. */
export function secretsOf({ kind, settings: { url, token } }: EnteredReceiver): string[] {
  if (kind === "email") return [];
  const { pathname, search, searchParams } = new URL(url);
  const parts = [url, `${pathname}${search}`, ...pathname.split("/"), ...searchParams.values()];
  return [...parts, token ?? ""].filter(({ length }) => length >= 6)
    .toSorted((one, other) => other.length - one.length);
}

const rowSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: kindSchema,
  settings: storedJson(
    z.object({ url: z.string(), token: z.string().optional(), target: z.string().optional() }),
  ),
  createdAt: z.number(),
  createdBy: z.string(),
});

/** All receivers, the oldest first. */
export async function listReceivers(queries: Kysely<Tables>): Promise<AlertReceiver[]> {
  const rows = await queries.selectFrom("alertReceiver").selectAll()
    .orderBy("createdAt").orderBy("id").execute();
  return readable(rows, rowSchema);
}

/** Stores a new receiver. @returns null when there are as many as allowed. */
export async function storeReceiver(
  database: Database,
  entered: EnteredReceiver & { createdBy: string },
  inTransaction?: InTransaction<AlertReceiver>,
): Promise<AlertReceiver | null> {
  return await database.exclusively(async (transaction) => {
    const receiver = await addReceiver(transaction, entered);
    if (receiver) await inTransaction?.(transaction, receiver);
    return receiver;
  });
}

/** Adds a receiver, in a transaction that is alone. @returns null when there are as many as allowed. */
export async function addReceiver(
  transaction: Kysely<Tables>,
  entered: EnteredReceiver & { createdBy: string },
): Promise<AlertReceiver | null> {
  if ((await listReceivers(transaction)).length >= mostAlertReceivers) return null;
  const receiver = { ...entered, id: newUnguessableId(), createdAt: Date.now() };
  const settings = JSON.stringify(receiver.settings);
  await transaction.insertInto("alertReceiver").values({ ...receiver, settings }).execute();
  return receiver;
}

/** Changes a receiver. @returns null when none has this id. */
export async function changeReceiver(
  database: Database,
  id: string,
  { name, kind, settings }: EnteredReceiver,
  inTransaction?: InTransaction<AlertReceiver>,
): Promise<AlertReceiver | null> {
  return await database.exclusively(async (transaction) => {
    const row = await transaction.updateTable("alertReceiver")
      .set({ name, kind, settings: JSON.stringify(settings) })
      .where("id", "=", id).returningAll().executeTakeFirst();
    if (!row) return null;
    const receiver = rowSchema.parse(row);
    if (kind === "email") await dropOtherAddresses(transaction, receiver);
    await inTransaction?.(transaction, receiver);
    return receiver;
  });
}

/** A condition for deliveries to a receiver. All ids have the same length. */
function isOfReceiver(id: string) {
  return sql<boolean>`substr("receiver", 1, ${sql.lit(id.length)}) = ${id}`;
}

/** Deletes what is on its way to addresses that a receiver has no longer. */
async function dropOtherAddresses(
  transaction: Kysely<Tables>,
  receiver: AlertReceiver,
): Promise<void> {
  await transaction.deleteFrom("alertDelivery").where("state", "=", "waiting")
    .where(isOfReceiver(receiver.id)).where("receiver", "not in", recipientsOf(receiver))
    .execute();
}

/** Deletes a receiver with what is on its way to it. @returns null when none has this id. */
export async function deleteReceiver(
  database: Database,
  id: string,
  inTransaction?: InTransaction<AlertReceiver>,
): Promise<AlertReceiver | null> {
  return await database.exclusively(async (transaction) => {
    const row = await transaction.deleteFrom("alertReceiver").where("id", "=", id)
      .returningAll().executeTakeFirst();
    if (!row) return null;
    await transaction.deleteFrom("alertDelivery").where(isOfReceiver(id)).execute();
    const receiver = rowSchema.parse(row);
    await inTransaction?.(transaction, receiver);
    return receiver;
  });
}

/** Takes addresses out of receivers and deliveries; a receiver without a further one is deleted. */
export async function forgetAddresses(
  transaction: Kysely<Tables>,
  addresses: readonly string[],
): Promise<void> {
  const gone = new Set(addresses.map((address) => address.toLowerCase()));
  const isGone = (address: string) => gone.has(address.toLowerCase());
  for (const receiver of await listReceivers(transaction)) {
    const all = addressesOf(receiver);
    const kept = all.filter((address) => !isGone(address));
    if (kept.length === all.length) continue;
    const settings = JSON.stringify({ ...receiver.settings, target: kept.join(", ") });
    if (kept.length === 0) {
      await transaction.deleteFrom("alertReceiver").where("id", "=", receiver.id).execute();
    } else {
      await transaction.updateTable("alertReceiver").set({ settings })
        .where("id", "=", receiver.id).execute();
    }
  }
  const rows = await transaction.selectFrom("alertDelivery").select(["id", "receiver", "error"])
    .where((of) => of.or([of("receiver", "like", "%@%"), of("error", "like", "%@%")])).execute();
  const ids = rows.filter(({ receiver, error }) =>
    isGone(partsOf(receiver).to ?? "") ||
    [...gone].some((address) => error?.toLowerCase().includes(address))
  ).map(({ id }) => id);
  if (ids.length > 0) {
    await transaction.deleteFrom("alertDelivery").where("id", "in", ids).execute();
  }
}
