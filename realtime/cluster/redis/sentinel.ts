import { type RedisAddress, type RedisServer, textOfServer } from "./address.ts";
import { reasonOf, RedisClient } from "./client.ts";

/**
 * The server that takes commands: the one of the address, or the one that a sentinel names.
 *
 * @throws {Error} with one line when no sentinel knows it.
 */
export async function masterOf(address: RedisAddress, timeoutMs: number): Promise<RedisServer> {
  const { servers, masterName, isTls } = address;
  if (masterName === undefined) return servers[0];
  const failures: string[] = [];
  for (const server of servers) {
    try {
      const sentinel = await RedisClient.open({ server, isTls, timeoutMs });
      try {
        return serverIn(await sentinel.call(["SENTINEL", "get-master-addr-by-name", masterName]));
      } finally {
        sentinel.close();
      }
    } catch (error) {
      failures.push(`${textOfServer(server)}: ${reasonOf(error)}`);
    }
  }
  throw new Error(`No sentinel names the master ${masterName}: ${failures.join("; ")}`);
}

function serverIn(reply: unknown): RedisServer {
  if (!Array.isArray(reply)) throw new Error("it does not know this name");
  const [host, port] = reply;
  if (typeof host !== "string" || !Number.isInteger(Number(port))) {
    throw new Error("it answered with no address");
  }
  return { host, port: Number(port) };
}
