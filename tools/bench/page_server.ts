import { randomBytes } from "node:crypto";
import { onlineChannel } from "@/server/presence/channels.ts";
import { announce, handleSignals, listenOptions } from "@/server/process/lifecycle.ts";
import { services } from "@/main.ts";
import { History } from "@/server/history/stored_history.ts";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { connectSilently, type SilentClient } from "./silent_sockets.ts";

/**
 * The built app with a crowd in it, and the history of a day. `POST /bench?members=N` fills it; with
 * `&changes=M`, M of them join or leave per second from then on, and with `&quiet=true` they are quiet
 * members. It answers with the app's credentials. `POST /bench?channels=N` occupies as many public channels, of
 * which one of a hundred is left and joined again each second, and sends 500 events a second to one.
 */
const { default: built } = await import("@/_fresh/server.js");
const { realtime, pusherApp, database, config } = services;

const firstNames = [
  "Ada",
  "Ben",
  "Cleo",
  "Dimitri",
  "Élodie",
  "Fatima",
  "Grace",
  "Hiroshi",
  "Ines",
];
const lastNames = [
  "Almeida",
  "Bauer",
  "Castro",
  "Dvořák",
  "Eriksen",
  "Fischer",
  "García",
  "Haddad",
];

/** Four of five have an account, most of the others are guests. */
const ids: string[] = [];
/** The people who come and go: who is in and who is not. */
const [present, absent]: string[][] = [[], []];
const online = new Map<string, SilentClient>();
let isQuiet = false;

async function addPeople(count: number): Promise<void> {
  const now = new Date();
  const times = { createdAt: now, updatedAt: now };
  for (let start = 0; start < count; start += 500) {
    const some = Array.from({ length: Math.min(500, count - start) }, (_, index) => start + index);
    const named = some.filter((number) => number % 5 > 0).map((number) => ({
      id: randomBytes(16).toString("hex"),
      name: `${firstNames[number % 9]} ${lastNames[number % 8]} ${number}`,
      email: `user-${number}@example.com`,
      emailVerified: false,
      role: "user",
      banned: false,
      ...times,
    }));
    await database.queries.insertInto("user").values(named).execute();
    ids.push(...named.map(({ id }) => id));
    for (const number of some.filter((number) => number % 5 === 0)) {
      const guest = `guest-${randomBytes(16).toString("hex")}`;
      ids.push(number % 20 === 0 ? `demo-${number}` : guest);
    }
  }
}

function join(id: string): void {
  const client = connectSilently((request) => realtime.upgrade(request), pusherApp.key);
  const options = isQuiet ? { quiet: true } : undefined;
  const channelData = JSON.stringify({ user_id: id, user_info: { id }, rollcall: options });
  const auth = signChannel(pusherApp, client.socketId, onlineChannel, channelData);
  const data = { channel: onlineChannel, auth, channel_data: channelData };
  client.say("pusher:subscribe", data);
  online.set(id, client);
}

/** One of them leaves, or one who did not join or left joins. */
function change(isLeave: boolean): void {
  const [from, to] = isLeave ? [present, absent] : [absent, present];
  if (from.length === 0) return;
  const at = Math.floor(Math.random() * from.length);
  const id = from[at];
  from[at] = from.at(-1)!;
  from.pop();
  to.push(id);
  if (!isLeave) return join(id);
  online.get(id)?.leave();
  online.delete(id);
}

async function fill(members: number, changes: number): Promise<Response> {
  await addPeople(members + 500);
  for (const [index, id] of ids.slice(0, members).entries()) {
    join(id);
    if (index % 100 === 0) await new Promise((resolve) => setTimeout(resolve));
  }
  present.push(...ids.slice(0, members));
  absent.push(...ids.slice(members));
  if (changes > 0) churn(changes);
  return Response.json({ key: pusherApp.key, secret: pusherApp.secret });
}

/** Has as many join or leave per second, whatever the load; a timer alone would fall behind. */
function churn(changes: number): void {
  const start = performance.now();
  let made = 0;
  setInterval(() => {
    const due = (performance.now() - start) / 1_000 * changes;
    for (; made < due; made++) change(made % 2 === 0);
  }, 10);
}

/** A point for each minute of the last day, but for the last ten minutes. */
async function recordDay(history: History): Promise<void> {
  const minuteMs = 60_000;
  const now = Math.floor(Date.now() / minuteMs) * minuteMs;
  for (let ago = 24 * 60; ago > 10; ago--) {
    const [startsAt, users] = [now - ago * minuteMs, 500 + Math.round(400 * Math.sin(ago / 90))];
    await history.record({
      startsAt,
      mostUsers: users,
      mostUsersAt: startsAt,
      fewestUsers: users - 20,
      lastUsers: users,
      lastAt: startsAt + minuteMs,
      mostConnections: users + 50,
      measuredMs: minuteMs,
    });
  }
}

/** Channels of one client. */
const channelsOfClient = 100;

async function occupy(channels: number): Promise<Response> {
  const clients: SilentClient[] = [];
  for (let channel = 0; channel < channels; channel++) {
    if (channel % channelsOfClient === 0) {
      clients.push(connectSilently((request) => realtime.upgrade(request), pusherApp.key));
      await new Promise((resolve) => setTimeout(resolve));
    }
    clients.at(-1)!.say("pusher:subscribe", { channel: channelName(channel) });
  }
  let next = 0;
  setInterval(() => {
    const channel = { channel: channelName(next) };
    const client = clients[Math.floor(next / channelsOfClient)];
    client.say("pusher:unsubscribe", channel);
    client.say("pusher:subscribe", channel);
    next = (next + 1) % channels;
  }, 100_000 / channels);
  setInterval(() => {
    for (let event = 0; event < 50; event++) {
      services.ownApp.publish(channelName(0), "moved", { event });
    }
  }, 100);
  return new Response(`${channels}\n`);
}

function channelName(number: number): string {
  return `orders.${String(number).padStart(5, "0")}`;
}

const server = Deno.serve({ ...listenOptions(config), onListen() {} }, (request, info) => {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname !== "/bench") return built.fetch(request, info);
  if (searchParams.has("channels")) return occupy(Number(searchParams.get("channels")));
  isQuiet = searchParams.has("quiet");
  return fill(Number(searchParams.get("members")), Number(searchParams.get("changes")));
});
handleSignals(services, () => server.shutdown(), 0);
await recordDay(new History(services.database));
await services.onlineRecorder.begin();
await announce(services, server.addr.port);
