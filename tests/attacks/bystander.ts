import type { AppCredentials } from "@/realtime/app_config.ts";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { Client, SocketWithHeaders } from "../realtime/harness.ts";

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
