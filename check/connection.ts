import { once } from "node:events";
import net from "node:net";
import tls from "node:tls";

/** The host of an address without the brackets that IPv6 has in addresses. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** The port of an address, whether it states one or not. */
export function portOf({ port, protocol }: URL): number {
  if (port !== "") return Number(port);
  return isEncrypted(protocol) ? 443 : 80;
}

/** Whether a protocol such as `https:` or `wss:` is encrypted. */
export function isEncrypted(protocol: string): boolean {
  return protocol === "https:" || protocol === "wss:";
}

/**
 * Opens a TCP connection.
 *
 * @throws {Error} whose `code` says why not.
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
 * @param isLenient whether a certificate that is not believed is taken too, to be looked at.
 * @throws {Error} whose `code` says why not.
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

/** Opens the connection that an address asks for. */
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
  // A socket that is given up may still have something to say.
  socket.on("error", () => {});
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
