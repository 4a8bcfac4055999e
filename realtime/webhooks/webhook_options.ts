/** When webhooks are sent, and how much is held for them. Times are in milliseconds. */
export interface WebhookLimits {
  /** How long after a disconnection its client may be back with nothing told. 3,000. */
  returnMs: number;
  /** Departures that wait for a return; one more, and the oldest is told at once. 100,000. */
  maxAwaited: number;
  /** How long events are gathered for a request. 50. */
  batchMs: number;
  /** Events of one request. 100. */
  maxBatchEvents: number;
  /** Events of one request, in bytes, unless a single one is larger. 65,536. */
  maxBatchBytes: number;
  /** Events that wait for one webhook; one more is dropped. 100,000. */
  maxQueuedEvents: number;
  /** Events that wait for one webhook, in bytes. 16,777,216. */
  maxQueuedBytes: number;
  /** How long a receiver may take to answer. 4,000. */
  answerMs: number;
  /** The longest wait before the first retry; it doubles with each failure. 1,000. */
  firstRetryMs: number;
  /** The longest wait before any retry. 30,000. */
  lastRetryMs: number;
  /** How long events are tried to be delivered. 300,000. */
  keepMs: number;
  /** What is not delivered in this time is written to the store. 1,000. */
  saveMs: number;
}

/** The limits unless set otherwise. */
export const defaultWebhookLimits: WebhookLimits = {
  returnMs: 3_000,
  maxAwaited: 100_000,
  batchMs: 50,
  maxBatchEvents: 100,
  maxBatchBytes: 65_536,
  maxQueuedEvents: 100_000,
  maxQueuedBytes: 16_777_216,
  answerMs: 4_000,
  firstRetryMs: 1_000,
  lastRetryMs: 30_000,
  keepMs: 300_000,
  saveMs: 1_000,
};
