/** What a {@link WrongServer} does wrong. */
export interface Wrongs {
  /** The user of whose leave no one is told, and who stays in lists. */
  forgets?: string;
  /** A user of whom members are told a leave, when the next one joins, though the user is there. */
  sendsAway?: string;
  /** Whether users stay whose connections ended without a close frame. */
  keepsGhosts?: boolean;
  /** How many members a channel may have. */
  most?: number;
}

interface Peer {
  socket: WebSocket;
  user?: string;
}

/** A small server of the protocol, which checks no signature, has no HTTP API and makes mistakes. */
export class WrongServer implements AsyncDisposable {
  readonly #wrongs: Wrongs;
  readonly #channels = new Map<string, Set<Peer>>();
  readonly #listener: Deno.HttpServer<Deno.NetAddr>;
  readonly #sockets = new Set<WebSocket>();
  #count = 0;

  /** @param port where it listens; a free one without it. */
  constructor(wrongs: Wrongs = {}, port = 0) {
    this.#wrongs = wrongs;
    this.#listener = Deno.serve(
      { port, hostname: "127.0.0.1", onListen() {} },
      (request) => this.#answer(request),
    );
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#listener.addr.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.close();
    await this.#listener.shutdown();
  }

  #answer(request: Request): Response {
    if (request.headers.get("upgrade") !== "websocket") return new Response("", { status: 404 });
    const { socket, response } = Deno.upgradeWebSocket(request, { idleTimeout: 0 });
    const peer: Peer = { socket };
    const socketId = `1.${++this.#count}`;
    this.#sockets.add(socket);
    socket.onopen = () => {
      const data = JSON.stringify({ socket_id: socketId, activity_timeout: 120 });
      send(peer, "pusher:connection_established", undefined, data);
    };
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.event === "pusher:subscribe") this.#join(peer, message.data);
    };
    socket.onerror = (event) => event.preventDefault();
    socket.onclose = ({ wasClean, code }) => {
      this.#sockets.delete(socket);
      const isLost = !wasClean || code === 1_006;
      for (const channel of this.#channels.keys()) this.#leave(peer, channel, isLost);
    };
    return response;
  }

  #join(peer: Peer, { channel, channel_data }: { channel: string; channel_data: string }): void {
    const { user_id, user_info } = JSON.parse(channel_data);
    const peers = this.#channels.get(channel) ?? new Set();
    this.#channels.set(channel, peers);
    if (peers.size >= (this.#wrongs.most ?? Infinity)) {
      const data = { type: "LimitReached", error: "The channel is full", status: 403 };
      return send(peer, "pusher:subscription_error", channel, data);
    }
    const data = JSON.stringify({ user_id, user_info });
    for (const other of peers) send(other, "pusher_internal:member_added", channel, data);
    peer.user = user_id;
    peers.add(peer);
    const ids = [...new Set([...peers].map(({ user }) => user))];
    const presence = { count: ids.length, ids, hash: {} };
    const list = JSON.stringify({ presence });
    send(peer, "pusher_internal:subscription_succeeded", channel, list);
    this.#sendAway(peers, channel, user_id);
  }

  #sendAway(peers: Set<Peer>, channel: string, joined: string): void {
    const { sendsAway } = this.#wrongs;
    const isThere = [...peers].some(({ user }) => user === sendsAway);
    if (!isThere || joined === sendsAway) return;
    this.#wrongs.sendsAway = undefined;
    this.#tellLeave(peers, channel, sendsAway);
  }

  #leave(peer: Peer, channel: string, isLost: boolean): void {
    const peers = this.#channels.get(channel)!;
    if (!peers.has(peer)) return;
    if (isLost && this.#wrongs.keepsGhosts || peer.user === this.#wrongs.forgets) return;
    peers.delete(peer);
    if (![...peers].some(({ user }) => user === peer.user)) {
      this.#tellLeave(peers, channel, peer.user);
    }
  }

  #tellLeave(peers: Set<Peer>, channel: string, user?: string): void {
    const data = JSON.stringify({ user_id: user });
    for (const peer of peers) send(peer, "pusher_internal:member_removed", channel, data);
  }
}

function send({ socket }: Peer, event: string, channel: string | undefined, data: unknown): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ event, channel, data }));
}
