import { Client, type Received } from "../realtime/harness.ts";
import type { ObservedSocket } from "./observed_socket.ts";

/** Waits until servers have received what they sent each other. */
export type Settle = () => Promise<void>;

/** A client without a library, for frames that no library sends. */
export class BareClient extends Client {
  readonly socket: ObservedSocket;
  readonly #settle: Settle | undefined;

  constructor(socket: ObservedSocket, settle?: Settle) {
    super(socket);
    this.socket = socket;
    this.#settle = settle;
  }

  /** Also what servers sent each other for this client. */
  override async settled(): Promise<Received[]> {
    const frames = await super.settled();
    if (!this.#settle) return frames;
    await this.#settle();
    return [...frames, ...await super.settled()];
  }
}
