import { WebSocketPeer } from "../../fuzz/websocket_peer.ts";
import { type Attack, repeat, type Target, together } from "../attack.ts";

/** What a program states: the origin of the site, or another one. */
const origins = ["https://example.com", "https://example.org", "null"];

/** Visitors of a site who stay, each with an address and a connection of its own. */
export const siteVisitors: Attack = {
  name: "a room full of visitors of a site",
  environment: { PRESENCE_MAX_MEMBERS: "400" },
  run: async (target) => {
    await together(20, () =>
      repeat(async () => {
        const headers = { "x-forwarded-for": anyAddress() };
        const peer = await WebSocketPeer.connect(target.port, target.key, headers);
        const socket = { socket_id: peer.socketId ?? "" };
        const answer = await ask(target, target.siteTag.auth, headers, socket);
        const data = { channel: "presence-chart", ...JSON.parse(answer) };
        await peer.send(JSON.stringify({ event: "pusher:subscribe", data }));
      }));
  },
};

/** Requests for a site tag without a pause, from many addresses and origins, of sockets that are none. */
export const siteRequests: Attack = {
  name: "requests for a site tag",
  run: async (target) => {
    const { auth, script } = target.siteTag;
    const wrong = auth.replace(/[^/]+\/auth$/, "x".repeat(64) + "/auth");
    await together(100, (n) =>
      repeat(async () => {
        const headers = { "x-forwarded-for": anyAddress(), origin: origins[n % origins.length] };
        await ask(target, script, headers);
        await ask(target, wrong, headers, { socket_id: `${n}.1` });
        await ask(target, auth, headers, { socket_id: `${n}.${Math.trunc(1e9 * Math.random())}` });
      }));
  },
};

/** One of 65,536 addresses. */
function anyAddress(): string {
  const [one, other] = crypto.getRandomValues(new Uint8Array(2));
  return `203.0.${one}.${other}`;
}

/** What the server answers to a request of a page of the site; with fields, a form. */
async function ask(
  { port }: Target,
  path: string,
  headers: Record<string, string>,
  fields?: Record<string, string>,
): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { origin: origins[0], ...headers },
    ...fields && { method: "POST", body: new URLSearchParams(fields) },
  });
  return await response.text();
}
