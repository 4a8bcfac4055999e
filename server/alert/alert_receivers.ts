import type { Clock } from "@/realtime/timing/clock.ts";
import type { InTransaction } from "../database/schema.ts";
import { addEndedDeliveries, type AlertDelivery, recentDeliveries } from "./alert_deliveries.ts";
import type { AlertMessage } from "./alert_message.ts";
import type { Database } from "../database/database.ts";
import { type AlertTransport, type Attempt, attempt, noMailerText } from "./alert_sender.ts";
import { privateAddressText } from "./alert_webhook.ts";
import {
  type AlertReceiver,
  changeReceiver,
  deleteReceiver,
  type EnteredReceiver,
  listReceivers,
  partsOf,
  type ReadReceiver,
  readReceiver,
  recipientsOf,
  storeReceiver,
} from "./stored_receivers.ts";
import { longText } from "@/shared/long_text.ts";

/** What {@link AlertReceivers} needs. */
interface ReceiverTools extends AlertTransport {
  database: Database;
  clock: Clock;
  /** Whether an address that an admin enters may be sent to. */
  mayReceive: (url: string) => Promise<boolean>;
}

/** What came of a change of a receiver. `null`: there are too many, or there is no such receiver. */
export type ChangedReceiver =
  | { ok: true; receiver: AlertReceiver | null }
  | Extract<ReadReceiver, { ok: false }>;

/** Deliveries that a page shows. */
const shownDeliveries = 50;

/** Whom alerts are told, for admins: all of them, their changes, tests of them, and the log of deliveries. */
export class AlertReceivers {
  readonly #options: ReceiverTools;

  constructor(options: ReceiverTools) {
    this.#options = options;
  }

  /** All receivers, the oldest first. */
  list(): Promise<AlertReceiver[]> {
    return listReceivers(this.#options.database.queries);
  }

  /** The receiver with an id; undefined when there is none. */
  async find(id: string): Promise<AlertReceiver | undefined> {
    return (await this.list()).find((receiver) => receiver.id === id);
  }

  /** The last 50 deliveries, the newest first. */
  deliveries(): Promise<AlertDelivery[]> {
    return recentDeliveries(this.#options.database, shownDeliveries);
  }

  /** Makes a receiver of what an admin entered. */
  async create(
    input: Parameters<typeof readReceiver>[0],
    createdBy: string,
    inTransaction: InTransaction<AlertReceiver>,
  ): Promise<ChangedReceiver> {
    const read = await this.#read(input);
    if (!read.ok) return read;
    const entered = { ...read.receiver, createdBy };
    return {
      ok: true,
      receiver: await storeReceiver(this.#options.database, entered, inTransaction),
    };
  }

  /** Changes a receiver. */
  async change(
    before: AlertReceiver,
    input: Parameters<typeof readReceiver>[0],
    inTransaction: InTransaction<AlertReceiver>,
  ): Promise<ChangedReceiver> {
    const read = await this.#read(input, before);
    if (!read.ok) return read;
    const { database } = this.#options;
    return {
      ok: true,
      receiver: await changeReceiver(database, before.id, read.receiver, inTransaction),
    };
  }

  /** Deletes a receiver. @returns null when there is none with this id */
  delete(id: string, inTransaction: InTransaction<AlertReceiver>): Promise<AlertReceiver | null> {
    return deleteReceiver(this.#options.database, id, inTransaction);
  }

  /** Sends a test to a receiver that may not be stored, once. Never rejects. */
  try(receiver: EnteredReceiver, message: AlertMessage): Promise<Attempt> {
    return attempt(receiver, { id: testId(), message }, this.#options);
  }

  /**
   * The same to a stored one, with entries in the log.
   *
   * @returns what came of it; of emails to several addresses, of the first that failed
   * @throws {Error} when the database fails
   */
  async test(receiver: AlertReceiver, message: AlertMessage): Promise<Attempt> {
    const results = await Promise.all(
      recipientsOf(receiver).map(async (recipient) => {
        const sent = { id: testId(), message, to: partsOf(recipient).to };
        return { recipient, result: await attempt(receiver, sent, this.#options) };
      }),
    );
    const ended = results.map(({ recipient, result: { outcome } }) => ({
      receiver: recipient,
      state: outcome.state,
      error: outcome.state === "failed" ? outcome.reason : null,
    }));
    await this.#options.database.exclusively((transaction) =>
      addEndedDeliveries(transaction, ended, message)
    );
    const { result } = results.find(({ result }) => result.outcome.state === "failed") ??
      results[0];
    return result;
  }

  async #read(
    input: Parameters<typeof readReceiver>[0],
    before?: AlertReceiver,
  ): Promise<ReadReceiver> {
    const read = readReceiver(input, before);
    if (!read.ok) return read;
    const { mail, mayReceive } = this.#options;
    if (read.receiver.kind === "email") {
      return mail ? read : { ok: false, field: "target", message: longText(noMailerText) };
    }
    if (await mayReceive(read.receiver.settings.url)) return read;
    return { ok: false, field: "url", message: privateAddressText };
  }
}

function testId(): string {
  return `test-${crypto.randomUUID()}`;
}
