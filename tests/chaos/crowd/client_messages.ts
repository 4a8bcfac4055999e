import type { Authorization, ReceivedFrame } from "./client.ts";

/** Which client of a process, and which of its openings: notices of an earlier one are out of date. */
interface Address {
  readonly client: number;
  readonly opening: number;
}

/** What a process of clients does; a line of JSON on its standard input. */
export type Command =
  | (Address & {
    readonly type: "open";
    readonly port: number;
    readonly channels: readonly string[];
    readonly isPusherJs: boolean;
  })
  | (Address & { readonly type: "close" })
  | (Address & { readonly type: "unsubscribe"; readonly channel: string })
  | (Address & {
    readonly type: "trigger";
    readonly channel: string;
    readonly event: string;
    readonly data: unknown;
  })
  | (Address & { readonly type: "authorized"; readonly number: number } & Authorization)
  | { readonly type: "confirm" };

/** What happens to clients of a process; a line of JSON on its standard output. */
export type Notice =
  | (Address & { readonly type: "connected"; readonly socketId: string })
  | (Address & {
    readonly type: "authorize";
    /** Of the question, for its answer. */
    readonly number: number;
    readonly channel: string;
    readonly socketId: string;
  })
  | (Address & { readonly type: "received"; readonly frame: ReceivedFrame })
  | (Address & { readonly type: "disconnected"; readonly reason: string })
  /** At the start, and when all orders before have been carried out. */
  | { readonly type: "confirmed" };
