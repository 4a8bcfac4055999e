import PusherServer from "pusher";
import { inviteLink, makeLink, resetLink, revokeLink } from "../../fixtures/admin_forms.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { userId } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { Client } from "../../realtime/harness.ts";

/** Settings with secrets that occur nowhere else. */
export const settings = {
  APP_KEY: "app-key-of-the-eventful-day-0123456789",
  PUSHER_APP_ID: "4711",
  PUSHER_APP_KEY: "key-of-the-eventful-day",
  PUSHER_APP_SECRET: "pusher-secret-of-the-eventful-day",
  METRICS_TOKEN: "metrics-token-of-the-eventful-day",
  // Nothing listens there.
  WEBHOOK_URL: "http://127.0.0.1:2/webhooks?token=webhook-token-of-the-eventful-day",
  LOG_LEVEL: "debug",
};

const quentin = {
  name: "Quentin Xylander",
  email: "quentin.xylander@example.com",
  password: "first password of Quentin",
};
const zelda = {
  name: "Zelda Yvaine",
  email: "zelda.yvaine@example.com",
  password: "first password of Zelda",
};
const boris = {
  name: "Boris Wolkenstein",
  email: "boris.wolkenstein@example.com",
  password: "first password of Boris",
};
const newName = "Adalbert Wolkenstein";
const wrongPassword = "a wrong password of somebody";
const newPassword = "another password of Zelda";
const memberData = "member-data-of-the-eventful-day";
const payload = "payload-of-the-eventful-day";

/**
 * Uses every feature of a server that handles secrets: setup, sign-ins, invitations, links that reset a
 * password, changes of users, signatures, wallboards, the HTTP API, valid and invalid messages. Collects the secrets, which logs and traces must
 * not contain.
 */
export class EventfulDay {
  readonly secrets = new Set<string>([
    settings.APP_KEY,
    settings.PUSHER_APP_SECRET,
    settings.METRICS_TOKEN,
    "webhook-token-of-the-eventful-day",
    ...[quentin, zelda, boris].flatMap((person) => Object.values(person)),
    newName,
    wrongPassword,
    newPassword,
    memberData,
    payload,
  ]);
  readonly #visitors: HttpVisitor[] = [];

  private constructor(readonly server: Rollcall) {}

  static async of(server: Rollcall): Promise<EventfulDay> {
    const day = new EventfulDay(server);
    const admin = await day.#moveIn();
    await day.#signInWrongly();
    await day.#useLinks(admin);
    await day.#changeUsers(admin);
    await day.#sendFrames(admin);
    await day.#showWallboard(admin);
    await day.#callApi();
    await day.#askForMetrics();
    await server.printed(/Webhook not delivered/);
    await admin.submit("/sign-out", {});
    return day;
  }

  async #moveIn(): Promise<HttpVisitor> {
    const token = await this.server.setupToken();
    const admin = this.#visitor();
    await admin.setUp(token, quentin);
    await admin.submit("/setup", { token, ...quentin });
    await admin.get(`/setup?token=${token}`);
    await admin.submit("/admin/settings/team", { ...zelda, role: "user" });
    this.#hide(token);
    this.#hideCookies();
    return admin;
  }

  async #signInWrongly(): Promise<void> {
    for (const email of [zelda.email, "not an address", "unknown.person@example.com"]) {
      await this.#visitor().signIn({ email, password: wrongPassword });
    }
    await this.#visitor().signIn(zelda);
    this.#hideCookies();
  }

  async #useLinks(admin: HttpVisitor): Promise<void> {
    const { name, email, password } = boris;
    const invitation = await inviteLink(admin, { email });
    const guest = this.#visitor();
    await guest.get(invitation);
    await guest.submit(invitation, { name, password });
    await guest.get("/account");
    await guest.submit("/account/password", { current: wrongPassword, password: newPassword });
    await guest.submit("/account/name", { name: newName });
    const link = await resetLink(admin, await userId(admin, boris));
    const forgetful = this.#visitor();
    await forgetful.get(link);
    await forgetful.submit(link, { password: newPassword });
    await forgetful.get(`${link}?again`);
    for (const path of [invitation, link]) this.#hide(path.split("/").at(-1) ?? "");
    this.#hideCookies();
  }

  async #changeUsers(admin: HttpVisitor): Promise<void> {
    const { text } = await admin.get("/admin/settings/team");
    const ids = [...text.matchAll(/\/admin\/settings\/team\/([0-9a-f]{32})"/g)];
    // By name: Zelda is the last.
    const address = `/admin/settings/team/${ids.at(-1)?.[1]}`;
    await admin.submit(`${address}/password`, { password: newPassword });
    await admin.submit(`${address}/role`, { role: "admin" });
    await admin.submit(`${address}/disable`, {});
    await admin.signIn({ ...quentin, password: newPassword });
    await admin.signIn(quentin);
    this.#hideCookies();
  }

  async #sendFrames(admin: HttpVisitor): Promise<void> {
    const { host } = new URL(this.server.origin);
    const url = `ws://${host}/app/${settings.PUSHER_APP_KEY}?protocol=7`;
    const client = new Client(new WebSocket(url));
    client.socketId = (await client.next("pusher:connection_established")).data.socket_id;
    const room = await this.#sign(admin, client, "/broadcasting/auth", {
      channel_name: "presence-chart",
    });
    client.subscribe("presence-chart", room.auth, room.channel_data);
    const user = await this.#sign(admin, client, "/broadcasting/user-auth", {});
    client.send("pusher:signin", user);
    const forged = `${settings.PUSHER_APP_KEY}:${"f0".repeat(32)}`;
    this.#hide("f0".repeat(32));
    client.subscribe("presence-other", forged, JSON.stringify({ user_id: memberData }));
    client.send("pusher:signin", { auth: forged, user_data: memberData });
    client.send(`client-${memberData}`, memberData);
    client.sendRaw(`{"event":"${memberData}`);
    client.sendRaw(memberData.repeat(1_000));
    await client.settled();
    client.close();
    await client.closed;
  }

  async #sign(
    visitor: HttpVisitor,
    { socketId }: Client,
    path: string,
    fields: Record<string, string>,
  ): Promise<{ auth: string; channel_data: string }> {
    const form = new URLSearchParams({ socket_id: socketId, ...fields });
    const headers = { "x-csrf-token": visitor.csrfToken };
    const { text } = await visitor.send("POST", path, form, headers);
    const answer = JSON.parse(text);
    this.#hide(answer.auth.split(":")[1]);
    return answer;
  }

  async #showWallboard(admin: HttpVisitor): Promise<void> {
    const { id, path, token } = await makeLink(admin);
    this.#hide(token);
    const wall = this.#visitor();
    await wall.get(path);
    const channel = new URLSearchParams({
      socket_id: "1.1",
      channel_name: `private-rollcall.wallboard.${id}`,
    });
    const headers = { "x-csrf-token": wall.csrfToken, "x-wallboard-token": token };
    const { text } = await wall.send("POST", "/broadcasting/auth", channel, headers);
    this.#hide(JSON.parse(text).auth.split(":")[1]);
    await revokeLink(admin, { id });
    await wall.get(path);
    await wall.send("POST", "/broadcasting/auth", channel, headers);
    this.#hideCookies();
  }

  async #callApi(): Promise<void> {
    const { host, port } = new URL(this.server.origin);
    const [, name] = /^([^:]*)/.exec(host) ?? [];
    const library = new PusherServer({
      appId: settings.PUSHER_APP_ID,
      key: settings.PUSHER_APP_KEY,
      secret: settings.PUSHER_APP_SECRET,
      host: name,
      port,
    });
    await library.trigger("private-news", "update", { payload });
    const params = {};
    const query = library.createSignedQueryString({
      method: "GET",
      path: "/apps/4711/channels",
      params,
    });
    this.#hide(new URLSearchParams(query).get("auth_signature") ?? "");
    for (const path of ["/apps/4711/channels", "/apps/4711/channels/presence-chart/users"]) {
      await (await fetch(`${this.server.origin}${path}?${query}`)).body?.cancel();
    }
  }

  async #askForMetrics(): Promise<void> {
    for (const token of [settings.METRICS_TOKEN, `${settings.METRICS_TOKEN}x`]) {
      const headers = { authorization: `Bearer ${token}` };
      await (await fetch(`${this.server.origin}/metrics`, { headers })).body?.cancel();
    }
  }

  #visitor(): HttpVisitor {
    const visitor = new HttpVisitor(this.server.origin);
    this.#visitors.push(visitor);
    return visitor;
  }

  #hide(secret: string): void {
    if (secret === "") throw new Error("There is no secret to hide");
    this.secrets.add(secret);
  }

  #hideCookies(): void {
    for (const { cookies, csrfToken } of this.#visitors) {
      for (const value of cookies.values()) {
        for (const part of [value, decodeURIComponent(value)]) this.#hide(part);
      }
      if (csrfToken) this.#hide(csrfToken);
    }
  }
}

/** The secrets that a text contains. */
export function found(secrets: Iterable<string>, text: string): string[] {
  return [...secrets].filter((secret) => text.includes(secret));
}
