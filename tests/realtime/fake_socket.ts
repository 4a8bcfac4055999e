import type { PacerOptions } from "@/realtime/connections/pacer.ts";
import { Pacer } from "@/realtime/connections/pacer.ts";
import { Connection, type ConnectionListener } from "@/realtime/connections/connection.ts";
import type { Departure } from "@/realtime/events/server_events.ts";
import { ManualClock } from "./manual_clock.ts";

/** A frame as a client sees it, with its data parsed. */
export interface FakeFrame {
  event: string;
  // deno-lint-ignore no-explicit-any -- tests look into frames of every form
  data: any;
}

/** The end of a socket that the server writes to; its peer takes frames when the test has it do so. */
export class FakeSocket extends EventTarget {
  readonly received: FakeFrame[] = [];
  /** The code that the server closed it with. */
  closedWith: number | undefined;
  /** How often the server closed it. */
  closes = 0;
  bufferedAmount = 0;
  /** Bytes that were handed over. */
  bytes = 0;

  send(text: string): void {
    const { event, data } = JSON.parse(text);
    this.received.push({ event, data: typeof data === "string" ? JSON.parse(data) : data });
    this.bufferedAmount += text.length;
    this.bytes += text.length;
  }

  /** The peer takes everything. */
  take(): void {
    this.bufferedAmount = 0;
  }

  /** The client sends a frame. */
  sends(data: string): void {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }

  /** @throws {SyntaxError} when the reason is longer than a close frame has room for */
  close(code: number, reason = ""): void {
    if (new TextEncoder().encode(reason).length > 123) {
      throw new SyntaxError("The reason is too long");
    }
    this.closedWith = code;
    this.closes++;
  }
}

/** Connections over fake sockets that share a pacer on a manual clock. */
export class FakeConnections {
  readonly clock = new ManualClock();
  readonly pacer: Pacer<Connection>;
  /** The limits that connections were closed for. */
  readonly exceeded: string[] = [];
  /** The frames that clients sent and that were carried out. */
  readonly carriedOut: unknown[] = [];
  readonly #released: (connection: Connection, departure: Departure) => void;
  #count = 0;

  constructor(
    options: Partial<PacerOptions<Connection>> = {},
    released: (connection: Connection, departure: Departure) => void = () => {},
  ) {
    this.#released = released;
    this.pacer = new Pacer<Connection>({
      maxBytes: 1e6,
      maxTotalBytes: 1e9,
      clock: this.clock,
      close: (connection, limit) => connection.closeSlow(limit),
      ...options,
    });
  }

  open(): { connection: Connection; socket: FakeSocket } {
    const socket = new FakeSocket();
    const listener: ConnectionListener = {
      maxErrors: 10,
      idleTimeoutSeconds: 25,
      pacer: this.pacer,
      opened() {},
      received: (_, data) => this.carriedOut.push(data),
      released: this.#released,
      vanished() {},
      failed(_, error) {
        throw error;
      },
      exceeded: (limit) => this.exceeded.push(limit),
    };
    const id = `1.${++this.#count}`;
    // It has what a connection uses of a socket, and nothing else.
    const connection = new Connection(id, socket as unknown as WebSocket, listener);
    socket.dispatchEvent(new Event("open"));
    return { connection, socket };
  }
}
