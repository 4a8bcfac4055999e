/** The other end of a socket without a client: accepts every frame and sends none. */
class SilentSocket extends EventTarget {
  readonly bufferedAmount = 0;
  readonly readyState = WebSocket.OPEN;
  socketId = "";

  send(text: string): void {
    this.socketId ||= /socket_id\\":\\"(\d+\.\d+)/.exec(text)?.[1] ?? "";
  }

  close(): void {}
}

/** A client in the process of the server itself, which costs no network and no time. */
export interface SilentClient {
  readonly socketId: string;
  say(event: string, data: unknown): void;
  leave(): void;
}

/**
 * Connects a client without a network: thousands of real ones would need more of the machine than the
 * page that is measured.
 *
 * @param upgrade what the server does with a request for a socket.
 */
export function connectSilently(
  upgrade: (request: Request) => Response,
  key: string,
): SilentClient {
  const socket = new SilentSocket();
  const { upgradeWebSocket } = Deno;
  Deno.upgradeWebSocket = () => ({
    // It has what a connection uses of a socket, and nothing else.
    socket: socket as unknown as WebSocket,
    response: new Response(),
  });
  try {
    const headers = { upgrade: "websocket" };
    upgrade(new Request(`http://localhost/app/${key}?protocol=7`, { headers }));
  } finally {
    Deno.upgradeWebSocket = upgradeWebSocket;
  }
  socket.dispatchEvent(new Event("open"));
  return {
    socketId: socket.socketId,
    say(event, data) {
      const frame = JSON.stringify({ event, data });
      socket.dispatchEvent(new MessageEvent("message", { data: frame }));
    },
    leave: () => void socket.dispatchEvent(new CloseEvent("close")),
  };
}
