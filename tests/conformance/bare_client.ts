import { Client } from "../realtime/rig.ts";
import type { ObservedSocket } from "./observed_socket.ts";

/** A client without a library, for frames that no library sends. */
export class BareClient extends Client {
  readonly socket: ObservedSocket;

  constructor(socket: ObservedSocket) {
    super(socket);
    this.socket = socket;
  }
}
