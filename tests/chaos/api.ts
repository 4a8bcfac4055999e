import { z } from "zod";
import { signedPost } from "@/server/check/protocol_client.ts";
import { requestText, signRequest } from "@/realtime/protocol/signature.ts";
import { app } from "./installation/installation.ts";
import type { Server } from "./installation/server.ts";

/** How long a call may take, in milliseconds. */
const timeoutMs = 5_000;

/** The users of a room, as a server's HTTP API says. @throws {Error} when it does not answer */
export async function usersOf(server: Server, room: string): Promise<Set<string>> {
  const now = Math.floor(Date.now() / 1_000);
  const response = await signedGet(server, `/apps/${app.id}/channels/${room}/users`, now);
  const text = await response.text();

  if (!response.ok) throw new Error(`${response.status} ${text}`);
  const { users } = z.object({ users: z.array(z.object({ id: z.string() })) })
    .parse(JSON.parse(text));
  return new Set(users.map(({ id }) => id));
}

/** The time by a server's clock, in seconds since 1970, which a refused signature names. */
export async function timeOf(server: Server): Promise<number> {
  const text = await (await signedGet(server, `/apps/${app.id}/channels`, 0)).text();

  const [, seconds] = /auth_timestamp is (\d+) seconds off/.exec(text) ?? [];
  if (seconds === undefined) throw new Error(`${server.name} did not tell its time: ${text}`);
  return Number(seconds);
}

function signedGet(server: Server, path: string, seconds: number): Promise<Response> {
  const query = `auth_key=${app.key}&auth_timestamp=${seconds}&auth_version=1.0`;
  const signature = signRequest(app, requestText("GET", path, query));
  const address = `http://127.0.0.1:${server.port}${path}?${query}&auth_signature=${signature}`;
  return fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
}

/** Publishes an event. @throws {Error} when it is not known to be published */
export async function publish(server: Server, channel: string, id: string): Promise<void> {
  const body = JSON.stringify({ name: "told", channel, data: JSON.stringify({ id }) });
  const address = signedPost(app, `/apps/${app.id}/events`, body);
  const response = await fetch(`http://127.0.0.1:${server.port}${address}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
}
