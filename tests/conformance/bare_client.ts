import { Client } from "../realtime/rig.ts";
import type { ObservedSocket } from "./observed_socket.ts";

/** A client without a library, for what no library does. */
export class BareClient extends Client {
  readonly socket: ObservedSocket;

  constructor(socket: ObservedSocket) {
    super(socket);
    this.socket = socket;
  }
}
