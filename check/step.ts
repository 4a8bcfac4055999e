import type { ExchangedPage } from "./steps/page.ts";
import type { ProtocolClient } from "./protocol_client.ts";
import type { Exchange } from "./exchange.ts";
import type { Sighting } from "./probe.ts";
import type { Target } from "./target.ts";
import type { Verdict } from "./verdict.ts";

/** What the steps that were passed leave to those behind them. */
export interface Journey {
  readonly target: Target;
  /** How long each step of a step may take, in milliseconds. */
  readonly patienceMs: number;
  /** How long the socket is left without a word, in milliseconds. */
  readonly quietMs: number;
  /** What the pages said. */
  pages?: ExchangedPage;
  /** What the server said of the request that asked who it is. */
  seen?: { sighting: Sighting; exchange: Exchange };
  /** The socket, as soon as it is asked for, and its id, when the connection is established. */
  client?: ProtocolClient;
  socketId?: string;
  /** The private channel that it has joined. */
  channel?: string;
}

/** One stretch of the way from a client to this installation and back. */
export interface Step {
  /** For programs; never changes. */
  name: string;
  title: string;
  /** The steps without which it makes no sense to try this one. */
  needs: readonly string[];
  /** Goes there and judges what is found. Never takes longer than a few times the patience. */
  run(journey: Journey): Promise<Verdict>;
}

/** What a step has left that was passed before this one. */
export function left<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError("The step that leaves this was not passed");
  return value;
}
