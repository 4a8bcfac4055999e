import assert from "node:assert/strict";
import { WebSocketPeer } from "../fuzz/websocket_peer.ts";
import { withTimeout } from "../fixtures/with_timeout.ts";
import { app, type Client, Harness } from "../realtime/harness.ts";

/** A server that takes the address of a client from its request, so that one machine can have many. */
export class AddressHarness extends Harness {
  override answer(request: Request, address?: string): Response | Promise<Response> {
    return super.answer(request, request.headers.get(header) ?? address);
  }

  /** A client of the protocol with an address of its own, which has its socket id. */
  async connectFrom(address: string): Promise<Client> {
    const client = this.open(`/app/${app.key}?protocol=7`, { [header]: address });
    client.socketId = (await client.next("pusher:connection_established")).data.socket_id;
    return client;
  }

  /** The code with which a socket is refused. */
  async refusal(address: string, key = app.key): Promise<number> {
    const client = this.open(`/app/${key}?protocol=7`, { [header]: address });
    const { code } = (await client.next("pusher:error")).data;
    assert.equal((await withTimeout(client.closed, "the socket had closed")).code, code);
    return code;
  }

  /** A peer that answers nothing, a close neither. */
  mutePeer(address: string, key = app.key): Promise<WebSocketPeer> {
    return WebSocketPeer.connect(this.port, key, { [header]: address });
  }
}

const header = "x-forwarded-for";

/** The address of who attacks. */
export const stranger = "203.0.113.9";

/** The address of another client, which has to be served. */
export const bystander = "198.51.100.7";
