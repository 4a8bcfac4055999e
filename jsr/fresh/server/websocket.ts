import { HttpError } from "./http_error.ts";

/** What to do at the events of a socket. */
export interface WebSocketHandlers {
  open?(socket: WebSocket): void;
  message?(socket: WebSocket, event: MessageEvent): void;
  close?(socket: WebSocket, code: number, reason: string): void;
  error?(socket: WebSocket, event: Event | ErrorEvent): void;
}

/** Settings of `Deno.upgradeWebSocket`. */
export interface WebSocketUpgradeOptions {
  /** Seconds of silence after which the socket is closed. */
  idleTimeout?: number;
  /** The subprotocol that is agreed to. */
  protocol?: string;
}

type Upgraded = { socket: WebSocket; response: Response };

/** Upgrades a request; see `Context.upgrade`. */
export function upgrade(
  request: Request,
  first: WebSocketHandlers | WebSocketUpgradeOptions,
  options?: WebSocketUpgradeOptions,
): Response | Upgraded {
  if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") {
    throw new HttpError(400, "Expected a WebSocket upgrade request");
  }
  if (!isHandlers(first)) return Deno.upgradeWebSocket(request, first);
  const { socket, response } = Deno.upgradeWebSocket(request, options);
  listen(socket, first);
  return response;
}

function isHandlers(
  value: WebSocketHandlers | WebSocketUpgradeOptions,
): value is WebSocketHandlers {
  return Object.values(value).some((member) => typeof member === "function");
}

function listen(socket: WebSocket, handlers: WebSocketHandlers): void {
  socket.onopen = () => handlers.open?.(socket);
  socket.onmessage = (event) => handlers.message?.(socket, event);
  socket.onclose = ({ code, reason }) => handlers.close?.(socket, code, reason);
  socket.onerror = (event) => handlers.error?.(socket, event);
}
