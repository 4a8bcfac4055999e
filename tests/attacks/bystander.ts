import type { AppCredentials } from "@/realtime/app_config.ts";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { Client, SocketWithHeaders } from "../realtime/harness.ts";
import { type Credentials, HttpVisitor } from "../fixtures/http_visitor.ts";

/** A client with an address of its own, which has to be served while a stranger attacks. */
export async function bystander(
  port: number,
  app: AppCredentials,
  address: string,
): Promise<Client> {
  const url = `ws://127.0.0.1:${port}/app/${app.key}?protocol=7`;
  const headers = { "x-forwarded-for": address };
  const client = new Client(new SocketWithHeaders(url, { headers }));
  client.socketId = (await client.next("pusher:connection_established")).data.socket_id;
  return client;
}

/** Subscribes a bystander to a channel of any kind. @throws {Error} when it is refused */
export async function joins(
  client: Client,
  app: AppCredentials,
  channel: string,
  userId: string,
): Promise<void> {
  const data = channel.startsWith("presence-")
    ? JSON.stringify({ user_id: userId, user_info: { id: userId } })
    : undefined;
  client.subscribe(channel, signChannel(app, client.socketId, channel, data), data);
  await client.next("pusher_internal:subscription_succeeded");
}

const headers = { accept: "text/html", "x-forwarded-for": "192.0.2.200" };

/** What a newcomer cannot do while a stranger attacks, in words; undefined when it can do all. */
export async function refusedToNewcomer(
  port: number,
  app: AppCredentials,
  admin: Credentials,
): Promise<string | undefined> {
  try {
    const client = await bystander(port, app, headers["x-forwarded-for"]);
    for (const channel of ["news-of-a-newcomer", "private-newcomer", "presence-chart"]) {
      await joins(client, app, channel, "newcomer").catch(() => {
        throw new Error(`cannot join ${channel}`);
      });
    }
    client.close();
  } catch (error) {
    return `newcomer: ${(error as Error).message}`;
  }
  return await signsIn(port, admin).then((can) => can ? undefined : "admin: cannot sign in");
}

async function signsIn(port: number, { email, password }: Credentials): Promise<boolean> {
  const visitor = new HttpVisitor(`http://127.0.0.1:${port}`);
  await visitor.get("/sign-in", headers);
  const form = new URLSearchParams({ _token: visitor.csrfToken, email, password });
  return (await visitor.send("POST", "/sign-in", form, headers)).status === 303;
}
