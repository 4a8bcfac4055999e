import type { Member } from "../../realtime/broker.ts";
import { MemberList } from "../../realtime/member_list.ts";
import { connectionEstablished, memberAdded } from "../../realtime/outgoing.ts";
import { type BenchServer, channel } from "./server.ts";

/**
 * The least a Deno server can do: sockets in a set, and a loop that sends one text to all of them. It
 * knows no channel, checks nothing, and sends frames of the very lengths that Rollcall sends.
 */
export class BareServer implements BenchServer {
  readonly #sockets = new Set<WebSocket>();
  readonly #established = connectionEstablished("1000000000.1000000000", 30).text;
  readonly #lengths = frameLengths();
  #joined = 0;

  upgrade(request: Request): Response {
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onopen = () => socket.send(this.#established);
    socket.onmessage = ({ data }) => this.#join(socket, data);
    socket.onclose = () => this.#sockets.delete(socket);
    return response;
  }

  #join(socket: WebSocket, data: string): void {
    if (data.includes(channel)) {
      this.#joined++;
      this.#broadcast("x".repeat(this.#lengths.added));
      socket.send("x".repeat(this.#lengths.list + this.#joined * this.#lengths.listedMember));
    } else socket.send("x".repeat(70));
    this.#sockets.add(socket);
  }

  publish(name: string, event: string, data: unknown): void {
    this.#broadcast(JSON.stringify({ event, channel: name, data: JSON.stringify(data) }));
  }

  #broadcast(text: string): void {
    for (const socket of this.#sockets) socket.send(text);
  }
}

function frameLengths(): { added: number; list: number; listedMember: number } {
  const member = { id: "user-1000", info: '{"id":"user-1000"}' };
  const other = { id: "user-1001", info: '{"id":"user-1001"}' };
  const list = (...members: Member[]) => {
    const encoded = new MemberList(channel);
    encoded.replace({ channel, version: 1, members });
    return encoded.encode().bytes;
  };
  const [one, two] = [list(member), list(member, other)];
  const listedMember = two - one;
  return { added: memberAdded(channel, member).bytes, list: one - listedMember, listedMember };
}
