import type { Ending } from "../bounds.ts";
import { serverNumberOf } from "@/realtime/protocol/socket_id.ts";
import type { Server } from "../installation/server.ts";
import { promises } from "../truth/promises.ts";
import type { Reception } from "../truth/records.ts";
import {
  type Authorization,
  authorizationOf,
  type Client,
  type ClientListener,
  type ReceivedFrame,
} from "./client.ts";
import type { ClientProcess } from "./client_process.ts";
import { PusherClient } from "./pusher_client.ts";
import { RawClient } from "./raw_client.ts";
import { RoomVisits } from "./room_visits.ts";
import type { Witness } from "./witness.ts";

/** Where a tab is sent when it connects. */
export interface Doors {
  /** A server for a bare client; undefined: none serves. */
  server(): Server | undefined;
  /** The port that spreads clients over the servers. */
  readonly sharedPort: number;
  /** The server with a number, which the id of a socket begins with. */
  serverOf(socketId: string): Server | undefined;
}

/** How long a bare client waits for its rooms, in milliseconds. */
const timeoutMs = 8_000;

/** One tab of a user: it is in its rooms, or not, or on its way. */
export class Tab implements ClientListener {
  /** For messages. */
  readonly name: string;
  readonly user: string;
  readonly rooms: readonly string[];
  /** The name of the process of its client; undefined: the tool's. */
  readonly process: string | undefined;
  /** Whether it is meant to be connected. */
  isWanted = false;
  server: Server | undefined;
  /** Names the process of its server, as {@link Server.number} does. */
  serverNumber = "";
  /** Names the connection, for the order of events. */
  connection = "";
  readonly #client: Client;
  readonly #doors: Doors;
  readonly #witness: Witness;
  readonly #visits: RoomVisits;
  /** The channels without members that it is in. */
  readonly #joined = new Set<string>();
  #connections = 0;
  #timer?: ReturnType<typeof setTimeout>;
  #isOpening = false;
  #isLost = false;

  constructor(
    { number, user, rooms, channels, isPusherJs, process }: {
      number: number;
      user: string;
      rooms: readonly string[];
      /** Channels without members. */
      channels: readonly string[];
      isPusherJs: boolean;
      /** Where its client runs; default: here. */
      process?: ClientProcess;
    },
    doors: Doors,
    witness: Witness,
  ) {
    this.user = user;
    this.rooms = rooms;
    this.#doors = doors;
    this.#witness = witness;
    this.#visits = new RoomVisits(user, rooms, witness);
    this.name = `tab ${number} of ${user}${isPusherJs ? " (pusher-js)" : ""}`;
    this.process = process?.name;
    const options = { channels: [...rooms, ...channels], listener: this };
    if (process) this.#client = process.client(options, isPusherJs);
    else this.#client = isPusherJs ? new PusherClient(options) : new RawClient(options);
  }

  get isPusherJs(): boolean {
    return this.#client.reconnects;
  }

  /** Whether it can do something: its client's process runs. */
  get isRunning(): boolean {
    return this.#client.isRunning;
  }

  /** Whether it is in all its rooms. */
  get isIn(): boolean {
    return this.#visits.areListed;
  }

  isSubscribed(channel: string): boolean {
    return this.#joined.has(channel);
  }

  /** Connects, if it is not, and again whenever the connection ends. @param server default: any */
  open(server?: Server): void {
    this.isWanted = true;
    if (this.#isOpening || this.server) return;
    this.#connect(server);
  }

  /** Disconnects. */
  close(): void {
    this.isWanted = false;
    this.#leave("closed");
    this.#client.close();
  }

  /** Closes, and opens elsewhere or in the same place. */
  move(server?: Server): void {
    this.close();
    this.open(server);
  }

  /** Leaves its rooms and stays connected for a moment. */
  unsubscribe(): void {
    for (const room of this.rooms) {
      this.#client.unsubscribe(room);
      this.#visits.end(room, "unsubscribed");
    }
  }

  trigger(channel: string, event: string, data: unknown): void {
    this.#client.trigger(channel, event, data);
  }

  /** The list that its frames make; undefined when it is not in the room. */
  shown(room: string): ReadonlySet<string> | undefined {
    return this.#visits.users(room);
  }

  /** The list that the client itself keeps, where it keeps one. */
  ownList(room: string): ReadonlySet<string> | undefined {
    return this.#client.members(room);
  }

  /** Its connection is over, which its client does not know yet. */
  lost(ending: Ending): void {
    this.#isLost = true;
    this.#visits.endAll(ending);
  }

  /** Whether its connection is {@link lost}; what the server has sent may come still. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** The process of its client is gone. */
  crashed(): void {
    this.#leave("closed");
  }

  connected(socketId: string): void {
    this.serverNumber = String(serverNumberOf(socketId));
    this.#isLost = false;
    this.server = this.#doors.serverOf(socketId) ?? this.server;
    this.connection = `${this.name}, connection ${++this.#connections}`;
  }

  authorize(
    channel: string,
    socketId: string,
    answer: (authorization: Authorization) => void,
  ): void {
    if (this.rooms.includes(channel)) {
      this.server = this.#doors.serverOf(socketId) ?? this.server;
      this.#visits.asked(channel, this.server?.name ?? "?");
    }
    answer(authorizationOf(channel, socketId, this.user));
  }

  received(frame: ReceivedFrame): void {
    if (this.#isLost) return;
    const { channel = "", event } = frame;
    if (event === "pusher_internal:subscription_succeeded") {
      if (this.rooms.includes(channel)) {
        this.#judge(channel, this.#visits.listed(channel, frame.data, this.#reception));
      } else this.#joined.add(channel);
      if (this.isIn) this.#isOpening = false;
    } else if (
      event === "pusher_internal:member_added" || event === "pusher_internal:member_removed"
    ) {
      const type = event.endsWith("added") ? "added" : "removed";
      this.#judge(channel, this.#visits.changed(channel, type, frame.data, this.#reception));
    } else if (event.startsWith("client-") || event === "told") {
      this.#witness.published(this, channel, String((frame.data as { id: unknown }).id));
    } else if (!["pusher:ping", "pusher:pong", "pusher:connection_established"].includes(event)) {
      const text = JSON.stringify(frame);
      const what = `${this.#place(channel)}, a client was sent ${text}`;
      this.#witness.unexpected(this, what, frame.data);
    }
  }

  disconnected(reason: string): void {
    const { server } = this;
    const wasIn = this.isIn;
    this.#leave(server?.state === "stopping" ? "server stopped" : "closed");
    if (wasIn) this.#witness.closed(this, server, reason);
    if (!this.isWanted) return;
    this.#isOpening = true;
    if (!this.#client.reconnects) this.#retry();
  }

  #connect(server?: Server): void {
    this.#isOpening = true;
    clearTimeout(this.#timer);
    const { sharedPort } = this.#doors;
    if (this.#client.reconnects) return this.#client.open(sharedPort);
    const chosen = server?.isServing ? server : this.#doors.server();
    this.server = chosen;
    if (!chosen) return this.#retry();
    this.#client.open(chosen.links.clients.port);
    this.#timer = setTimeout(() => this.#giveUp(), timeoutMs);
  }

  /** A person reloads a page that does not come. */
  #giveUp(): void {
    if (this.isIn) return;
    if (!this.isRunning) {
      this.#timer = setTimeout(() => this.#giveUp(), timeoutMs);
      return;
    }
    this.#leave("closed");
    this.#client.close();
    if (this.isWanted) this.#retry();
  }

  #retry(): void {
    this.#isOpening = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.isWanted && this.#connect(), 50 + 1_000 * Math.random());
  }

  get #reception(): Reception {
    const { name: client, process, server } = this;
    return { at: performance.now(), server: server?.name ?? "?", client, process };
  }

  #leave(ending: Ending): void {
    clearTimeout(this.#timer);
    this.#visits.endAll(ending);
    this.#joined.clear();
    this.server = undefined;
    this.#isOpening = false;
  }

  /** @param problem what is wrong with a frame */
  #judge(channel: string, problem: string | undefined): void {
    if (!problem) return;
    const text = `${this.#place(channel)}, a client ${problem}`;
    this.#witness.violation(promises.frames, text, this.name);
  }

  #place(channel: string): string {
    return `on ${this.server?.name ?? "no server"} in ${channel || "no channel"}`;
  }
}
