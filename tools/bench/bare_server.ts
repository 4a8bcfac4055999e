import { MemberList } from "@/realtime/channels/member_list.ts";
import {
  connectionEstablished,
  memberAdded,
  memberCount,
  memberRemoved,
  pong,
  subscriptionSucceeded,
} from "@/realtime/protocol/outgoing.ts";
import type { Member } from "@/realtime/protocol/member.ts";
import {
  type BenchServer,
  idleTimeoutSeconds,
  presenceChannel,
  publicChannel,
} from "./bench_app.ts";

/**
 * The least a Deno server can do: sockets in a set, and a loop that sends one text to all of them. It
 * knows no channel, checks nothing, and sends frames of the very lengths that Rollcall
 * sends.
 */
export class BareServer implements BenchServer {
  readonly #sockets = new Set<WebSocket>();
  readonly #established = connectionEstablished("1000000000.1000000000", 30).text;
  readonly #succeeded = subscriptionSucceeded(publicChannel).text;
  readonly #lengths = frameLengths();
  #joined = 0;
  readonly #quiet = new Set<WebSocket>();
  #isCounting = false;

  answer(request: Request, pathname: string): Response | Promise<Response> {
    return pathname.startsWith("/apps/") ? this.#trigger(request) : this.#upgrade(request);
  }

  async #trigger(request: Request): Promise<Response> {
    const { name: event, channel, data } = await request.json();
    this.#broadcast(JSON.stringify({ event, channel, data }));
    return Response.json({});
  }

  #upgrade(request: Request): Response {
    const { socket, response } = Deno.upgradeWebSocket(request, {
      idleTimeout: idleTimeoutSeconds,
    });
    socket.onopen = () => socket.send(this.#established);
    socket.onmessage = ({ data }) => this.#take(socket, data);
    socket.onclose = () => {
      this.#sockets.delete(socket);
      this.#quiet.delete(socket);
    };
    return response;
  }

  #take(socket: WebSocket, data: string): void {
    const { event, data: { channel } } = JSON.parse(data);
    if (event === "pusher:subscribe") {
      return data.includes("quiet") ? this.#joinQuietly(socket) : this.#join(socket, channel);
    }
    if (event === "pusher:unsubscribe") return this.#leaveQuietly(socket);
    if (event === "pusher:ping") return socket.send(pong.text);
    for (const other of this.#sockets) if (other !== socket) other.send(data);
  }

  #join(socket: WebSocket, channel: string): void {
    if (channel.startsWith("presence-")) {
      this.#joined++;
      this.#broadcast("x".repeat(this.#lengths.added));
      socket.send("x".repeat(this.#lengths.list + this.#joined * this.#lengths.listedMember));
    } else socket.send(this.#succeeded);
    this.#sockets.add(socket);
  }

  #joinQuietly(socket: WebSocket): void {
    this.#broadcast("x".repeat(this.#lengths.added));
    socket.send("x".repeat(this.#lengths.list + this.#lengths.listedMember));
    socket.send("x".repeat(this.#lengths.count));
    this.#quiet.add(socket);
    this.#count();
  }

  #leaveQuietly(socket: WebSocket): void {
    this.#quiet.delete(socket);
    this.#broadcast("x".repeat(this.#lengths.removed));
    this.#count();
  }

  /** Sends the number a second after the first change that it does not have. */
  #count(): void {
    if (this.#isCounting) return;
    this.#isCounting = true;
    setTimeout(() => {
      this.#isCounting = false;
      const text = "x".repeat(this.#lengths.count);
      for (const socket of this.#quiet) socket.send(text);
    }, 1_000);
  }

  publish(channel: string, event: string, data: unknown): void {
    this.#broadcast(JSON.stringify({ event, channel, data: JSON.stringify(data) }));
  }

  forget(): void {
    this.#sockets.clear();
    this.#quiet.clear();
    this.#joined = 0;
  }

  #broadcast(text: string): void {
    for (const socket of this.#sockets) socket.send(text);
  }
}

const presence = presenceChannel(0);

function frameLengths() {
  const member = { id: "user-1000", info: '{"id":"user-1000"}' };
  const other = { id: "user-1001", info: '{"id":"user-1001"}' };
  const list = (...members: Member[]) => {
    const encoded = new MemberList(presence);
    encoded.replace({ version: 1, members });
    return encoded.encode().bytes;
  };
  const [one, two] = [list(member), list(member, other)];
  const listedMember = two - one;
  return {
    added: memberAdded(presence, member).bytes,
    removed: memberRemoved(presence, member.id).bytes,
    count: memberCount(presence, { users: 16_000, guests: 0, asOf: Date.now() }).bytes,
    list: one - listedMember,
    listedMember,
  };
}
