import type { Exchange } from "./http_exchange.ts";
import type { ProtocolClient } from "./protocol_client.ts";
import type { ReceivedRequest } from "./self_request.ts";
import type { PageExchanges } from "./steps/page.ts";
import type { Target } from "./target.ts";
import type { Verdict } from "./verdict.ts";

/** The options of a check, and what its steps leave for the steps after them. */
export interface CheckContext {
  readonly target: Target;
  /** Limit for each request or wait of a step, in milliseconds. */
  readonly timeoutMs: number;
  /** How long the WebSocket is left idle, in milliseconds. */
  readonly idleMs: number;
  /** Set by the page step. */
  pages?: PageExchanges;
  /** A self-request and what the server received of it; set by the installation step. */
  selfRequest?: { received: ReceivedRequest; exchange: Exchange };
  /** Set by the connection step: the WebSocket, and its id once the server accepted it. */
  client?: ProtocolClient;
  socketId?: string;
  /** The private channel that the signature step subscribed to. */
  channel?: string;
}

/** One part of the way from a client to this installation and back. */
export interface Step {
  /** Identifies the step in JSON reports; never changes. */
  name: string;
  title: string;
  /** The names of the steps that have to pass before this one runs. */
  needs: readonly string[];
  /** Tries this part of the way. Ends within a small multiple of `timeoutMs`, and never rejects. */
  run(context: CheckContext): Promise<Verdict>;
}

/**
 * A value that an earlier step left in the context.
 *
 * @throws {TypeError} when that step did not pass: it is missing in {@link Step.needs}.
 */
export function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError("The step that sets this value has not passed");
  return value;
}
