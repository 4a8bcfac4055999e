import type { Kysely } from "kysely";
import type { LogEntry } from "@/realtime/server.ts";
import { type Clock, systemClock } from "@/realtime/timing/clock.ts";
import type { Database } from "../database/database.ts";
import type { LeaderTerm } from "../database/leader_term.ts";
import type { Tables } from "../database/schema.ts";
import { addDeliveries } from "./alert_deliveries.ts";
import type { MessagePlace } from "./alert_message.ts";
import { decide, type Facts, measureOf, ruleMessage } from "./alert_rules.ts";
import { receiversOf } from "./stored_receivers.ts";
import { type AlertRule, listRules, storeRuleState } from "./stored_rules.ts";

/** How often the rules are looked at, in ms. */
export const lookEveryMs = 5_000;

/** What a {@link RuleWatch} needs. */
export interface RuleWatchParts {
  database: Database;
  /** See `AlertWatch`. */
  term?: LeaderTerm;
  /**
   * What is known of a channel now; null while its number cannot be believed, as after a start, or when it is not
   * counted.
   */
  facts(channel: string, rules: readonly AlertRule[]): Promise<Facts | null>;
  /** How messages name a channel. */
  placeOf(channel: string): MessagePlace;
  /** Called when it begins: what was known before can be old. */
  forget?(): void;
  /** Called when messages were stored. */
  wakeSender(): void;
  log(entry: LogEntry): void;
  clock?: Clock;
}

/**
 * Looks at the rules every five seconds, on the server that does it for all, from {@link begin} to {@link stop}.
 * What is known of a rule is in the database, so that the next server goes on where this one ended: a state is
 * stored together with the messages that it causes.
 */
export class RuleWatch {
  readonly #parts: RuleWatchParts;
  readonly #clock: Clock;
  #isOn = false;
  #cancelTimer = () => {};
  #looking: Promise<void> | undefined;
  #hasFailed = false;

  constructor(parts: RuleWatchParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? systemClock;
  }

  /** Begins to look, also after {@link stop}. */
  begin(): void {
    if (this.#isOn) return;
    this.#isOn = true;
    this.#parts.forget?.();
    this.#schedule();
  }

  /** Looks no more. Never rejects. Call it before the server closes its sockets. */
  async stop(): Promise<void> {
    this.#isOn = false;
    this.#cancelTimer();
    await this.#looking;
  }

  #schedule(): void {
    this.#cancelTimer = this.#clock.after(lookEveryMs, () => {
      this.#looking = this.#look().finally(() => {
        this.#looking = undefined;
        if (this.#isOn) this.#schedule();
      });
    });
  }

  async #look(): Promise<void> {
    try {
      await this.look();
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) {
        this.#parts.log({ level: "error", message: "Rules of alerts could not be checked", error });
      }
      this.#hasFailed = true;
    }
  }

  /** Looks at all rules once. @throws {Error} when the database fails */
  async look(): Promise<void> {
    const rules = (await listRules(this.#parts.database.queries))
      .filter(({ setting }) => setting.enabled);
    for (const [channel, some] of Map.groupBy(rules, ({ channel }) => channel)) {
      const facts = await this.#parts.facts(channel, some);
      if (facts) { for (const rule of some) await this.#lookAt(rule, facts); }
    }
  }

  async #lookAt(rule: AlertRule, facts: Facts): Promise<void> {
    // Closed connections of a stop are no decline.
    if (!this.#isOn) return;
    const at = this.#clock.date();
    const measure = measureOf(rule.setting.condition, facts);
    const { state, isTold } = decide(rule.setting, rule.state, measure, at);
    if (JSON.stringify(state) === JSON.stringify(rule.state)) return;
    const store = async (transaction: Kysely<Tables>) => {
      if (!await storeRuleState(transaction, rule, state)) return false;
      if (!isTold || !measure) return false;
      const place = this.#parts.placeOf(rule.channel);
      const message = ruleMessage(rule, place, { phase: state.phase, at }, facts, measure);
      await addDeliveries(transaction, await receiversOf(transaction, rule.setting), message);
      return true;
    };
    const { database, term, wakeSender } = this.#parts;
    const isStored = await (term ? term.within(store) : database.exclusively(store));
    if (isStored) wakeSender();
  }
}
