import type { Generated, Kysely } from "kysely";
import type { MarkTable, OnlineDayTable, OnlineIntervalTable } from "./number_tables.ts";

// These are the types of written values. Read values depend on the engine: SQLite returns text for a
// date and a number for a boolean, so rows are parsed with zod. better-auth defines the layout of the
// first four tables; `limits` and `language` are none of its fields.

interface UserTable {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  image: string | null;
  createdAt: Date;
  updatedAt: Date;
  role: string;
  banned: boolean;
  banReason: string | null;
  banExpires: Date | null;
  /** The apps and channels that the account is limited to, as JSON; null for no limit. */
  limits: string | null;
  /** The tag of the language that the user has chosen; null for the browser's. */
  language: string | null;
}

interface AccountTable {
  id: string;
  accountId: string;
  providerId: string;
  userId: string;
  accessToken: string | null;
  refreshToken: string | null;
  idToken: string | null;
  accessTokenExpiresAt: Date | null;
  refreshTokenExpiresAt: Date | null;
  scope: string | null;
  password: string | null;
  createdAt: Date;
  updatedAt: Date;
}

interface SessionTable {
  id: string;
  expiresAt: Date;
  /** SHA-256 of the token, never the token. */
  token: string;
  createdAt: Date;
  updatedAt: Date;
  ipAddress: string | null;
  userAgent: string | null;
  userId: string;
  impersonatedBy: string | null;
  /** Who knows the person, besides a password: `provider`, `second_factor`, or no one. */
  vouchedBy: string | null;
}

interface OneTimeCodeTable {
  userId: string;
  /** Encrypted with the installation's secret. */
  encryptedSecret: string;
  /** The last time step whose code was used. */
  lastStep: number;
  /** In ms since 1970. */
  createdAt: number;
}

interface PasskeyTable {
  /** The credential's id. */
  id: string;
  userId: string;
  name: string;
  publicKey: string;
  counter: number;
  transports: string;
  /** In ms since 1970. */
  createdAt: number;
}

interface RecoveryCodeTable {
  userId: string;
  /** A signature with the installation's secret, never the code. */
  codeHash: string;
}

interface RateLimitTable {
  id: string;
  key: string;
  count: number;
  lastRequest: number;
}

interface SignInAttemptTable {
  /** SHA-256 of the email. */
  account: string;
  count: number;
  /** In ms since 1970. */
  since: number;
}

interface SettingTable {
  name: string;
  value: string;
}

interface UndeliveredWebhookTable {
  id: string;
  appId: string;
  /** SHA-256 of the webhook's URL; null: pending departures, for all webhooks of the app. */
  webhook: string | null;
  /** In ms since 1970. */
  acceptedAt: number;
  /** JSON texts of events, separated by commas. */
  events: string;
  count: number;
}

interface ActivityTable {
  number: Generated<number>;
  channel: string;
  /** In ms since 1970. */
  at: number;
  userId: string;
  kind: string;
  change: string;
  /** Why the user left; null for a join. */
  reason: string | null;
  /** The name that the app of the user gave; null for accounts and guests. */
  name: string | null;
  /** The name without case and accents. */
  searchName: string | null;
  /** The entry of the log of all servers; unique. Null where there is one server. */
  logId?: string | null;
}

interface AttendingTable {
  channel: string;
  userId: string;
  kind: string;
  /** In ms since 1970. */
  since: number;
  /** As in {@link ActivityTable}. */
  name: string | null;
  searchName: string | null;
}

interface AuditEntryTable {
  number: Generated<number>;
  /** In ms since 1970. */
  at: number;
  actorId: string;
  actorName: string;
  action: string;
  targetId: string | null;
  targetName: string | null;
  /** JSON. */
  details: string;
}

interface WallboardLinkTable {
  id: string;
  name: string;
  /** SHA-256 of the token, never the token. */
  tokenHash: string;
  activity: string;
  /** In ms since 1970, as all times in this table. */
  createdAt: number;
  createdBy: string;
  lastUsedAt: number | null;
  revokedAt: number | null;
}

interface EmbedTable {
  id: string;
  name: string;
  label: string;
  /** A JSON list. */
  origins: string;
  readers: string;
  activity: string;
  /** In ms since 1970, as all times in this table. */
  createdAt: number;
  createdBy: string;
  lastUsedAt: number | null;
}

interface SiteTagTable {
  id: string;
  name: string;
  /** A JSON list. */
  origins: string;
  /** In ms since 1970, as all times in this table. */
  createdAt: number;
  createdBy: string;
  lastUsedAt: number | null;
}

interface ApiTokenTable {
  id: string;
  name: string;
  /** SHA-256 of the token, never the token. */
  tokenHash: string;
  scope: string;
  /** The id of the only app that it reads, and the only channel; null for all. */
  app: string | null;
  channel: string | null;
  /** In ms since 1970, as all times in this table. */
  createdAt: number;
  createdBy: string;
  lastUsedAt: number | null;
}

interface AccountLinkTable {
  id: string;
  /** SHA-256 of the token, never the token. */
  tokenHash: string;
  /** Of the person who is invited, with the role to come; null for a link that resets a password. */
  email: string | null;
  role: string | null;
  /** JSON of what the account to come is limited to; null for no limit. */
  limits?: string | null;
  /** The user whose password it resets; null for an invitation. */
  userId: string | null;
  /** The id of the admin. */
  createdBy: string;
  /** In ms since 1970, as all times in this table. */
  createdAt: number;
  expiresAt: number;
}

interface BlockedGuestTable {
  guestId: string;
  /** In ms since 1970. */
  blockedAt: number;
  blockedBy: string;
}

interface BlockedPersonTable {
  appId: string;
  userId: string;
  /** As the person's app gave it when the person was blocked; else the id. */
  name: string;
  /** What the person is told; empty: nothing in particular. */
  reason: string;
  /** In ms since 1970. */
  blockedAt: number;
  /** The id of the admin. */
  blockedBy: string;
}

interface AppTable {
  id: string;
  name: string;
  key: string;
  /** Null for an app of the settings, which only has its name here. */
  secret: string | null;
  /** In ms since 1970. */
  createdAt: number;
}

interface ServerTable {
  /** The number of a process among several. */
  id: string;
  /** In ms since 1970, by the clock of the database, as all times in this table. */
  seenAt: number;
  seesRedis: boolean;
  /** Since when that is as it is. */
  since: number;
}

interface AlertRuleTable {
  id: string;
  /** The key of the counted channel. */
  channel: string;
  /** JSON: what is set, its phase and the last crossings. */
  state: string;
  /** In ms since 1970. */
  createdAt: number;
}

interface AlertReceiverTable {
  id: string;
  name: string;
  /** The service, such as `slack`. */
  kind: string;
  /** JSON: its URL, which can contain a secret, and what else its service needs. */
  settings: string;
  /** In ms since 1970. */
  createdAt: number;
  /** The id of the admin; empty for one that was set before there were several. */
  createdBy: string;
}

interface AlertDeliveryTable {
  /** The same at each attempt. */
  id: string;
  /** The id of the receiver; of emails, with the address after a `/`. */
  receiver: string;
  /** JSON. */
  message: string;
  /** When what it tells happened, in ms since 1970. */
  at: number;
  /** `waiting`, `delivered` or `failed`. */
  state: string;
  attempts: number;
  /** When it is tried next, in ms since 1970. */
  nextAt: number;
  /** Why the last attempt failed; null for none that did. */
  error: string | null;
}

interface MigrationTable {
  number: number;
  name: string;
  appliedAt: Generated<string>;
}

/** The tables of the database, with the types of written values. */
export interface Tables {
  user: UserTable;
  account: AccountTable;
  session: SessionTable;
  oneTimeCode: OneTimeCodeTable;
  recoveryCode: RecoveryCodeTable;
  passkey: PasskeyTable;
  rateLimit: RateLimitTable;
  signInAttempt: SignInAttemptTable;
  setting: SettingTable;
  undeliveredWebhook: UndeliveredWebhookTable;
  onlineInterval: OnlineIntervalTable;
  onlineDay: OnlineDayTable;
  mark: MarkTable;
  /** The activity log, and who is online in it; released migrations keep these names. */
  attendance: ActivityTable;
  attending: AttendingTable;
  auditEntry: AuditEntryTable;
  wallboardLink: WallboardLinkTable;
  embed: EmbedTable;
  siteTag: SiteTagTable;
  apiToken: ApiTokenTable;
  blockedGuest: BlockedGuestTable;
  blockedPerson: BlockedPersonTable;
  accountLink: AccountLinkTable;
  app: AppTable;
  alertRule: AlertRuleTable;
  alertReceiver: AlertReceiverTable;
  alertDelivery: AlertDeliveryTable;
  server: ServerTable;
  migration: MigrationTable;
}

/**
 * Writes in the transaction of a change: both are stored, or neither. It gets what is changed, as before the
 * change, or as added.
 */
export type InTransaction<Changed> = (
  transaction: Kysely<Tables>,
  changed: Changed,
) => Promise<void>;
