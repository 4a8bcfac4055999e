import { once } from "node:events";
import net from "node:net";
import tls from "node:tls";

/** The host of a URL, without the brackets that a URL puts around IPv6 addresses. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** The port of a URL: the one it states, or the default of its protocol. */
export function portOf({ port, protocol }: URL): number {
  if (port !== "") return Number(port);
  return isEncrypted(protocol) ? 443 : 80;
}

/** Whether a URL's protocol is `https:` or `wss:`. */
export function isEncrypted(protocol: string): boolean {
  return protocol === "https:" || protocol === "wss:";
}

/**
 * Opens a TCP connection.
 *
 * @throws {Error} with the reason in its `code`.
 */
export async function connectTcp(
  host: string,
  port: number,
  signal: AbortSignal,
): Promise<net.Socket> {
  return await opened(net.connect({ host, port }), "connect", signal);
}

/**
 * Opens a TLS connection.
 *
 * @param isLenient whether to accept a certificate that is not trusted, so that it can be inspected.
 * @throws {Error} with the reason in its `code`.
 */
export async function connectTls(
  url: URL,
  signal: AbortSignal,
  { isLenient = false } = {},
): Promise<tls.TLSSocket> {
  const host = hostOf(url);
  const socket = tls.connect({
    host,
    port: portOf(url),
    servername: net.isIP(host) === 0 ? host : undefined,
    ALPNProtocols: ["http/1.1"],
    rejectUnauthorized: !isLenient,
  });
  return await opened(socket, "secureConnect", signal);
}

/** Opens a TCP or TLS connection, as the URL's protocol requires. */
export function connect(url: URL, signal: AbortSignal): Promise<net.Socket> {
  return isEncrypted(url.protocol)
    ? connectTls(url, signal)
    : connectTcp(hostOf(url), portOf(url), signal);
}

async function opened<Socket extends net.Socket>(
  socket: Socket,
  event: string,
  signal: AbortSignal,
): Promise<Socket> {
  // A socket that was given up may still emit errors, which must not end the process.
  socket.on("error", () => {});
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
