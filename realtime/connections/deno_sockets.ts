/**
 * What Deno's server sockets need and have no API for; found in its source, `ext/websocket`. Where a
 * later Deno changed it, nothing happens here: a test shows it of the timeout, the memory of the
 * benchmark's large rooms of the buffers.
 */

/**
 * Makes Deno send frames above 1 KB from where they are. It would copy each into a buffer of its socket
 * that keeps the size of the largest frame, a member list, for as long as the socket is open: 4,000
 * members of a room took 0.9 GB. Call it before the first socket opens.
 */
export function sendLargeFramesUncopied(): void {
  try {
    Deno.env.set("DENO_USE_WRITEV", "1");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
  }
}

/**
 * Changes the idle timeout of an open socket and starts it again. Deno pings after half of it and waits
 * the other half for the pong; but a ping arrives after all that was sent before.
 */
export function setIdleTimeout(socket: WebSocket, seconds: number): void {
  const timeout = symbolOf(socket, "[[idleTimeout]]");
  const start = symbolOf(Object.getPrototypeOf(socket), "[[serverHandleIdleTimeout]]");
  if (!timeout || !start) return;
  // Deno's types have no internal symbols.
  const internals = socket as unknown as { [symbol: symbol]: unknown };
  internals[timeout] = seconds;
  (internals[start] as () => void).call(socket);
}

function symbolOf(object: object, description: string): symbol | undefined {
  return Object.getOwnPropertySymbols(object).find((symbol) => symbol.description === description);
}
