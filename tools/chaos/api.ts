import { z } from "zod";
import { signedPost } from "../../check/signed_post.ts";
import { requestText, signRequest } from "../../realtime/protocol/signature.ts";
import { app } from "./installation/installation.ts";
import type { Server } from "./installation/server.ts";

/** How long a call may take, in milliseconds. */
const timeoutMs = 5_000;

/** The users of a room, as a server's HTTP API says. @throws {Error} when it does not answer */
export async function usersOf(server: Server, room: string): Promise<Set<string>> {
  const path = `/apps/${app.id}/channels/${room}/users`;
  const query = `auth_key=${app.key}&auth_timestamp=${Math.floor(Date.now() / 1_000)}` +
    "&auth_version=1.0";
  const signature = signRequest(app, requestText("GET", path, query));
  const response = await fetch(
    `http://127.0.0.1:${server.port}${path}?${query}&auth_signature=${signature}`,
    { signal: AbortSignal.timeout(timeoutMs) },
  );
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
  const { users } = z.object({ users: z.array(z.object({ id: z.string() })) })
    .parse(JSON.parse(text));
  return new Set(users.map(({ id }) => id));
}

/** The time by a server's clock, in seconds since 1970, which a refused signature names. */
export async function timeOf(server: Server): Promise<number> {
  const path = `/apps/${app.id}/channels`;
  const query = `auth_key=${app.key}&auth_timestamp=0&auth_version=1.0`;
  const signature = signRequest(app, requestText("GET", path, query));
  const response = await fetch(
    `http://127.0.0.1:${server.port}${path}?${query}&auth_signature=${signature}`,
    { signal: AbortSignal.timeout(timeoutMs) },
  );
  const text = await response.text();
  const [, seconds] = /auth_timestamp is (\d+) seconds off/.exec(text) ?? [];
  if (seconds === undefined) throw new Error(`${server.name} did not tell its time: ${text}`);
  return Number(seconds);
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
