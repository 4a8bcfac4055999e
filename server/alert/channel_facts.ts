import type { Clock } from "@/realtime/timing/clock.ts";
import type { Database } from "../database/database.ts";
import type { InTransaction } from "../database/schema.ts";
import { dayMs, minuteMs } from "../history/minute_measure.ts";
import type { NewRecord } from "../history/new_record.ts";
import { History } from "../history/stored_history.ts";
import type { ChannelPresence } from "../presence/channel_presence.ts";
import type { RecoveryWatch } from "../presence/recovery_watch.ts";
import { currentFreshness, type Servers } from "../presence/servers.ts";
import {
  type Facts,
  newRuleState,
  type ReadRule,
  readRule,
  type RuleSetting,
  type RuleState,
} from "./alert_rules.ts";
import { type AlertRule, changeRule, deleteRule, listRules, storeRule } from "./stored_rules.ts";

/** The longest time over which a fall is looked at, in ms. */
const longestFallMs = 60 * minuteMs;

/** For how long a usual number is taken for the present one, in ms. */
const usualForMs = minuteMs;

/** A counted channel whose rules are looked at. */
export interface RuledChannel {
  readonly key: string;
  readonly presence: ChannelPresence;
  readonly recovery: RecoveryWatch;
}

/** What is known of a counted channel: its number now, the highest ones of the last hour, and the usual one. */
export class ChannelFacts {
  readonly #channel: RuledChannel;
  readonly #servers: Servers;
  readonly #clock: Clock;
  readonly #history: History;
  /** Numbers of the last hour, the oldest first; null before the stored ones are read. */
  #samples: { at: number; users: number }[] | null = null;
  #usual: { until: number; users: number | null } | undefined;
  #newRecord: NewRecord | null = null;

  constructor(database: Database, channel: RuledChannel, servers: Servers, clock: Clock) {
    this.#channel = channel;
    this.#servers = servers;
    this.#clock = clock;
    this.#history = new History(database, channel.key);
  }

  /** What is known without the database. */
  get now(): Facts {
    const { presence } = this.#channel;
    const { users, guests } = presence.counts;
    return {
      users,
      ...guests && { guests },
      active: presence.active,
      peak: (minutes) => this.#peak(minutes),
      usual: this.#usual?.users ?? null,
      newRecord: this.#newRecord,
      has: (userId) => presence.has(userId),
      servers: this.#servers.alive,
    };
  }

  /**
   * What is known for some rules; null while the number cannot be believed.
   *
   * @throws {Error} when the database fails.
   */
  async read(rules: readonly AlertRule[]): Promise<Facts | null> {
    const { recovery } = this.#channel;
    const { state } = currentFreshness(recovery, this.#servers);
    if (!recovery.isOver || state === "stale") return null;
    const has = (kind: string) => rules.some(({ setting }) => setting.condition.kind === kind);
    if (has("fall")) await this.#sample();
    if (has("usual")) await this.#findUsual();
    if (has("record")) await this.findNewRecord();
    return this.now;
  }

  /** Reads the new record of the last day. @throws {Error} when the database fails. */
  async findNewRecord(): Promise<Facts> {
    const record = await this.#history.newRecord();
    const isRecent = record && this.#clock.date() - record.fellAt < dayMs;
    this.#newRecord = isRecent ? record : null;
    return this.now;
  }

  async #sample(): Promise<void> {
    const at = this.#clock.date();
    this.#samples ??= await this.#stored(at);
    this.#samples.push({ at, users: this.#channel.presence.counts.users });
    this.#samples = this.#samples.filter((sample) => at - sample.at <= longestFallMs);
  }

  /** The highest numbers of the minutes before, also of those that another server measured. */
  async #stored(now: number): Promise<{ at: number; users: number }[]> {
    const { points } = await this.#history.read("hour", now);
    return points.flatMap(({ measured }) =>
      measured ? [{ at: measured.mostUsersAt, users: measured.mostUsers }] : []
    );
  }

  #peak(minutes: number): number | null {
    const since = this.#clock.date() - minutes * minuteMs;
    const users = (this.#samples ?? []).filter(({ at }) => at >= since).map(({ users }) => users);
    return users.length === 0 ? null : Math.max(...users);
  }

  async #findUsual(): Promise<void> {
    const now = this.#clock.date();
    if (this.#usual && now < this.#usual.until && now > this.#usual.until - 2 * usualForMs) return;
    const { usual } = await this.#history.context(now);
    this.#usual = { until: now + usualForMs, users: usual };
  }

  /** Forgets the numbers before, as another server looks at the rules from now on. */
  forget(): void {
    this.#samples = null;
    this.#usual = undefined;
  }
}

/** What came of a change of a rule. `null`: there are too many, or there is no such rule. */
export type ChangedRule =
  | { ok: true; rule: AlertRule | null }
  | Extract<ReadRule, { ok: false }>;

/** The rules other than the first ones of the channels, for admins. */
export class AlertRules {
  readonly #database: Database;
  readonly #facts: ReadonlyMap<string, ChannelFacts>;

  /** @param facts by the keys of the channels. */
  constructor(database: Database, facts: ReadonlyMap<string, ChannelFacts>) {
    this.#database = database;
    this.#facts = facts;
  }

  /** All rules, the oldest first. */
  list(): Promise<AlertRule[]> {
    return listRules(this.#database.queries);
  }

  /** The rule with an id; undefined when there is none. */
  async find(id: string): Promise<AlertRule | undefined> {
    return (await this.list()).find((rule) => rule.id === id);
  }

  /** Makes a rule of what an admin entered, not validated. */
  async create(
    channel: string,
    input: unknown,
    inTransaction: InTransaction<AlertRule>,
  ): Promise<ChangedRule> {
    const read = readRule(input);
    if (!read.ok) return read;
    const { setting } = read;
    const state = await this.#newState(channel, setting);
    const entered = { channel, setting, state };
    return { ok: true, rule: await storeRule(this.#database, entered, inTransaction) };
  }

  /** Changes a rule. */
  async change(
    { id, channel }: AlertRule,
    input: unknown,
    inTransaction: InTransaction<AlertRule>,
  ): Promise<ChangedRule> {
    const read = readRule(input);
    if (!read.ok) return read;
    const { setting } = read;
    const initialState = await this.#newState(channel, setting);
    const entered = { setting, initialState };
    return { ok: true, rule: await changeRule(this.#database, id, entered, inTransaction) };
  }

  async #newState(channel: string, { condition }: RuleSetting): Promise<RuleState> {
    const facts = this.#facts.get(channel);
    return newRuleState(
      condition,
      condition.kind === "record" ? await facts?.findNewRecord() : facts?.now,
    );
  }

  /** Deletes a rule. @returns null when there is none with this id */
  delete(id: string, inTransaction: InTransaction<AlertRule>): Promise<AlertRule | null> {
    return deleteRule(this.#database, id, inTransaction);
  }
}
