import { ben } from "../../../fixtures/people.ts";

/**
 * Who has access: `admin`, `moderator` or `viewer`, the least role that has; `joining`, viewers and up, for requests that
 * are answered with JSON; `counted`, all whom the server counts; `signing`, the same for requests that
 * are answered with JSON; `no caller`; `everyone`; `signed in`, for requests about one's own account;
 * `signed out`, for requests that sign a user out.
 */
export type Access =
  | "admin"
  | "moderator"
  | "viewer"
  | "joining"
  | "counted"
  | "signing"
  | "no caller"
  | "everyone"
  | "signed in"
  | "signed out";

/** A request that has an effect if it is granted. */
export interface Sample {
  path: string;
  /** Of a POST. */
  fields?: Record<string, string>;
  access: Access;
}

/** Settings with a mail server that nobody reaches, so that there are the routes that send emails. */
export const mailSettings = {
  SMTP_URL: "smtp://127.0.0.1:1",
  MAIL_FROM: "rollcall@example.com",
};

/** Ids in the samples; `socketId` is of a socket that is not claimed. */
export interface Scene {
  cleoId: string;
  guestId: string;
  /** Of an app that an admin added. */
  appId: string;
  /** Of a wallboard. */
  linkId: string;
  embedId: string;
  siteTagId: string;
  /** Of a mark of the history. */
  markId: string;
  /** Of a receiver of alerts. */
  receiverId: string;
  /** Of a rule of alerts. */
  ruleId: string;
  /** Of a token of the API. */
  tokenId: string;
  socketId: string;
  /** Of an open invitation. */
  inviteId: string;
}

const requestFor = (access: Access) => (path: string, fields?: Record<string, string>): Sample => ({
  path,
  fields,
  access,
});
const admins = requestFor("admin");
const moderators = requestFor("moderator");
const viewers = requestFor("viewer");
const own = requestFor("signed in");

/** Every route, and requests to it. A route that is missing here fails the test. */
export function table(scene: Scene): Record<string, Sample[]> {
  const { cleoId, guestId, appId, linkId, embedId, tokenId, inviteId, socketId } = scene;
  const site = `/admin/settings/sites/${scene.siteTagId}`;
  const dora = { name: "Dora", email: "dora@example.com", password: ben.password, role: "admin" };
  const alert = { enabled: "on", users: "1", direction: "up", holdSeconds: "60", webhookUrl: "" };
  const receivers = "/admin/settings/alerts/receivers";
  const receiver = `${receivers}/${scene.receiverId}`;
  const rules = "/admin/settings/alerts/rules";
  const rule = `${rules}/${scene.ruleId}`;
  const silence = { name: "Silence", kind: "empty", holdSeconds: "600", enabled: "on" };
  const entered = { name: "Ops", kind: "webhook", url: "https://hooks.example.com/" };
  const user = `/admin/settings/team/${cleoId}`;
  const person = `/admin/people/${cleoId}`;
  const embed = `/admin/settings/embeds/${embedId}`;
  const embedded = { name: "Hall", label: "online", origins: "", readers: "any" };
  const app = `/admin/settings/connect/apps/${appId}`;
  const channel = `app=${appId}&name=presence-desk`;
  const ofChannel = { app: appId, name: "presence-desk" };
  const sign = (access: Access, channel: string): Sample => ({
    path: "/broadcasting/auth",
    fields: { socket_id: socketId, channel_name: channel },
    access,
  });
  return {
    "GET /": [{ path: "/", access: "counted" }],
    "GET /account": [own("/account")],
    "GET /account/delete": [own("/account/delete")],
    // Confirmed, it would end the caller: see the tests of privacy.
    "POST /account/delete": [own("/account/delete", { confirm: "x", confirmed: "" })],
    "GET /account/language": [own("/account/language")],
    "POST /account/language": [own("/account/language", { language: "en" })],
    "GET /account/name": [own("/account/name")],
    "POST /account/name": [own("/account/name", { name: "Zoe" })],
    "GET /account/password": [own("/account/password")],
    "POST /account/password": [
      own("/account/password", { current: ben.password, password: ben.password }),
    ],
    "GET /account/second-factor": [own("/account/second-factor")],
    "POST /account/second-factor": [
      own("/account/second-factor", { setup: "x", code: "123456", current: ben.password }),
    ],
    "GET /account/second-factor/[action]": [own("/account/second-factor/codes")],
    "POST /account/second-factor/[action]": [
      own("/account/second-factor/codes", { current: ben.password }),
      own("/account/second-factor/passkey", { passkey: "x", current: ben.password }),
      own("/account/second-factor/remove-passkey", { id: "x", current: ben.password }),
      own("/account/second-factor/remove", { current: ben.password }),
    ],
    "POST /account/sessions/end": [own("/account/sessions/end", {})],
    "POST /account/sessions/[id]/end": [own(`/account/sessions/${"0".repeat(32)}/end`, {})],
    "GET /admin": [viewers("/admin")],
    "GET /admin/activity": [viewers("/admin/activity")],
    "GET /admin/activity/activity.csv": [admins("/admin/activity/activity.csv")],
    "GET /admin/activity/numbers": [viewers("/admin/activity/numbers")],
    "GET /admin/activity/numbers.csv": [viewers("/admin/activity/numbers.csv")],
    "POST /admin/activity/marks/[id]/remove": [
      admins(`/admin/activity/marks/${scene.markId}/remove`, {}),
    ],
    "GET /admin/activity/admins": [admins("/admin/activity/admins")],
    "GET /admin/channels": [viewers("/admin/channels")],
    "GET /admin/channels/channel": [viewers(`/admin/channels/channel?${channel}&record=yes`)],
    "POST /admin/channels/channel": [
      admins("/admin/channels/channel", { ...ofChannel, event: "paid", data: "{}" }),
    ],
    "GET /admin/channels/data": [admins("/admin/channels/data")],
    "POST /admin/channels/data": [
      admins("/admin/channels/data", {
        ...ofChannel,
        inspection: crypto.randomUUID(),
        number: "1",
      }),
    ],
    "GET /admin/channels/events": [viewers(`/admin/channels/events?${channel}`)],
    "GET /admin/channels/list": [viewers("/admin/channels/list")],
    "GET /admin/channels/status": [viewers(`/admin/channels/status?${channel}`)],
    "GET /admin/settings/connect": [admins("/admin/settings/connect")],
    "POST /admin/settings/connect": [admins("/admin/settings/connect", { name: "Shop" })],
    "GET /admin/settings/connect/apps/[id]/[action]": [admins(`${app}/secret`)],
    "POST /admin/settings/connect/apps/[id]/[action]": [
      admins(`${app}/secret`, {}),
      admins(`${app}/rename`, { name: "Shop" }),
      admins(`${app}/rotate`, {}),
      admins(`${app}/remove`, {}),
    ],
    "GET /admin/find": [viewers("/admin/find?q=a")],
    "GET /admin/find/list": [viewers("/admin/find/list?q=a")],
    "GET /admin/settings/connect/status": [admins(`/admin/settings/connect/status?app=${appId}`)],
    "GET /admin/messages": [moderators("/admin/messages")],
    "POST /admin/messages": [moderators("/admin/messages", { text: "Hello" })],
    "GET /admin/online": [viewers("/admin/online")],
    "GET /admin/online/activity": [viewers("/admin/online/activity")],
    "POST /admin/online/counted": [viewers("/admin/online/counted", { counted: "no" })],
    "GET /admin/online/history": [
      viewers(`/admin/online/history?range=hour&midnight=${Date.now()}`),
    ],
    "GET /admin/online/rows": [viewers("/admin/online/rows?offset=0&limit=9")],
    "GET /admin/online/seen": [viewers(`/admin/online/seen?ids=${cleoId}`)],
    "GET /admin/online/snapshot": [viewers("/admin/online/snapshot")],
    "GET /admin/people/[id]": [viewers(person), viewers(`/admin/people/${guestId}`)],
    "GET /admin/people/[id]/now": [viewers(`${person}/now`)],
    "GET /admin/people/[id]/view": [viewers(`${person}/view`)],
    "POST /admin/people/[id]/message": [moderators(`${person}/message`, { text: "Hello" })],
    "POST /admin/people/[id]/block": [
      moderators(`${person}/block`, {}),
      moderators(`/admin/people/${guestId}/block`, {}),
    ],
    "POST /admin/people/[id]/disconnect": [
      moderators(`${person}/disconnect`, {}),
    ],
    "POST /admin/people/[id]/export": [admins(`${person}/export`, {})],
    "POST /admin/people/[id]/forget": [admins(`/admin/people/${guestId}/forget`, {})],
    "POST /admin/people/[id]/unblock": [moderators(`/admin/people/${guestId}/unblock`, {})],
    "GET /admin/settings": [admins("/admin/settings")],
    "GET /admin/settings/alert": [admins("/admin/settings/alert")],
    "POST /admin/settings/alert": [admins("/admin/settings/alert", alert)],
    "GET /admin/settings/alert/test": [admins("/admin/settings/alert/test")],
    "POST /admin/settings/alert/test": [
      admins("/admin/settings/alert/test", { ...alert, webhookUrl: "http://127.0.0.1/" }),
    ],
    "GET /admin/settings/alerts": [admins("/admin/settings/alerts")],
    "GET /admin/settings/alerts/receivers": [admins(`${receivers}?kind=slack`)],
    "POST /admin/settings/alerts/receivers": [admins(receivers, entered)],
    "GET /admin/settings/alerts/receivers/[id]": [admins(receiver)],
    "POST /admin/settings/alerts/receivers/[id]": [admins(receiver, entered)],
    "GET /admin/settings/alerts/receivers/[id]/test": [admins(`${receiver}/test`)],
    "POST /admin/settings/alerts/receivers/[id]/test": [admins(`${receiver}/test`, {})],
    "POST /admin/settings/alerts/receivers/[id]/delete": [admins(`${receiver}/delete`, {})],
    "GET /admin/settings/alerts/rules": [admins(`${rules}?kind=fall`)],
    "POST /admin/settings/alerts/rules": [admins(rules, silence)],
    "GET /admin/settings/alerts/rules/[id]": [admins(rule)],
    "POST /admin/settings/alerts/rules/[id]": [admins(rule, silence)],
    "POST /admin/settings/alerts/rules/[id]/delete": [admins(`${rule}/delete`, {})],
    "GET /admin/settings/api": [admins("/admin/settings/api")],
    "POST /admin/settings/api": [admins("/admin/settings/api", { name: "Shop", scope: "names" })],
    "POST /admin/settings/api/[id]/revoke": [
      admins(`/admin/settings/api/${tokenId}/revoke`, {}),
    ],
    "GET /admin/settings/check": [admins("/admin/settings/check")],
    "POST /admin/settings/check": [admins("/admin/settings/check", {})],
    "GET /admin/settings/displays": [admins("/admin/settings/displays")],
    "GET /admin/settings/embeds": [admins("/admin/settings/embeds")],
    "POST /admin/settings/embeds": [admins("/admin/settings/embeds", { name: "Hall" })],
    "GET /admin/settings/embeds/[id]": [admins(embed)],
    "POST /admin/settings/embeds/[id]": [admins(embed, embedded)],
    "POST /admin/settings/embeds/[id]/revoke": [admins(`${embed}/revoke`, {})],
    "GET /admin/settings/mail": [admins("/admin/settings/mail")],
    "POST /admin/settings/mail": [admins("/admin/settings/mail", {})],
    "GET /admin/settings/server": [admins("/admin/settings/server")],
    "GET /admin/settings/sites": [admins("/admin/settings/sites")],
    "POST /admin/settings/sites": [admins("/admin/settings/sites", { name: "Hall" })],
    "GET /admin/settings/sites/[id]": [admins(site)],
    "POST /admin/settings/sites/[id]": [
      admins(site, { name: "Hall", origins: "https://example.com" }),
    ],
    "POST /admin/settings/sites/[id]/revoke": [admins(`${site}/revoke`, {})],
    "GET /admin/settings/wallboards": [admins("/admin/settings/wallboards")],
    "POST /admin/settings/wallboards": [admins("/admin/settings/wallboards", { name: "Hall" })],
    "POST /admin/settings/wallboards/[id]/revoke": [
      admins(`/admin/settings/wallboards/${linkId}/revoke`, {}),
    ],
    "GET /admin/settings/team": [admins("/admin/settings/team")],
    "POST /admin/settings/team": [admins("/admin/settings/team", dora)],
    "GET /admin/settings/team/[id]": [admins(user)],
    "GET /admin/settings/team/[id]/reset-link": [admins(`${user}/reset-link`)],
    "POST /admin/settings/team/[id]/reset-link": [admins(`${user}/reset-link`, {})],
    "POST /admin/settings/team/[id]/reset-link/revoke": [admins(`${user}/reset-link/revoke`, {})],
    "GET /admin/settings/team/invites": [admins("/admin/settings/team/invites")],
    "POST /admin/settings/team/invites": [
      admins("/admin/settings/team/invites", { email: "eve@example.com", role: "admin" }),
    ],
    "POST /admin/settings/team/invites/[id]/revoke": [
      admins(`/admin/settings/team/invites/${inviteId}/revoke`, {}),
    ],
    "POST /admin/settings/team/blocked/[action]": [
      admins("/admin/settings/team/blocked/block", { user: "42", reason: "" }),
      admins("/admin/settings/team/blocked/unblock", { user: "42" }),
    ],
    "GET /admin/settings/team/[id]/[action]": [admins(`${user}/limits`)],
    "POST /admin/settings/team/[id]/[action]": [
      admins(`${user}/role`, { role: "admin" }),
      admins(`${user}/limits`, { sees: "all" }),
      admins(`${user}/password`, { password: "quite another password" }),
      admins(`${user}/second-factor`, {}),
      admins(`${user}/disable`, {}),
      admins(`${user}/enable`, {}),
      admins(`${user}/delete`, {}),
    ],
    "POST /broadcasting/auth": [
      sign("signing", "presence-chart"),
      sign("joining", "private-rollcall.online"),
      sign("joining", "private-rollcall.counted.0"),
      sign("joining", "private-rollcall.totals.0"),
      sign("joining", "private-rollcall.inspector.0"),
      sign("no caller", `private-rollcall.users.${cleoId}`),
    ],
    "GET /broadcasting/session": [{ path: "/broadcasting/session", access: "everyone" }],
    "POST /broadcasting/user-auth": [
      { path: "/broadcasting/user-auth", fields: { socket_id: socketId }, access: "signing" },
    ],
    // With the token of a link they open for everyone: see the tests of links.
    "GET /docs": [{ path: "/docs", access: "everyone" }],
    "GET /docs/[name]": [{ path: "/docs/settings", access: "everyone" }],
    "GET /docs/search": [{ path: "/docs/search?q=proxy", access: "everyone" }],
    "GET /invite/[token]": [{ path: `/invite/${"x".repeat(43)}`, access: "everyone" }],
    "POST /invite/[token]": [
      { path: `/invite/${"x".repeat(43)}`, fields: dora, access: "everyone" },
    ],
    "GET /reset-password/[token]": [
      { path: `/reset-password/${"x".repeat(43)}`, access: "everyone" },
    ],
    "POST /reset-password/[token]": [
      { path: `/reset-password/${"x".repeat(43)}`, fields: dora, access: "everyone" },
    ],
    "GET /demo": [{ path: "/demo?token=x", access: "everyone" }],
    "GET /setup": [{ path: "/setup?token=x", access: "everyone" }],
    "POST /setup": [{ path: "/setup", fields: { ...dora, token: "x" }, access: "everyone" }],
    "GET /sign-in": [{ path: "/sign-in", access: "everyone" }],
    "GET /sign-in/second-factor": [{ path: "/sign-in/second-factor", access: "everyone" }],
    "POST /sign-in/second-factor": [
      { path: "/sign-in/second-factor", fields: { code: "123456" }, access: "everyone" },
    ],
    "GET /sign-in/oidc": [{ path: "/sign-in/oidc", access: "everyone" }],
    "GET /sign-in/oidc/callback": [{ path: "/sign-in/oidc/callback", access: "everyone" }],
    "GET /sign-in/forgot": [{ path: "/sign-in/forgot", access: "everyone" }],
    "POST /sign-in/forgot": [
      { path: "/sign-in/forgot", fields: { email: "x@example.com" }, access: "everyone" },
    ],
    "POST /sign-in": [
      { path: "/sign-in", fields: { email: "x@example.com", password: "x" }, access: "everyone" },
    ],
    // With the token of a link it opens for everyone: see the tests of wallboards.
    "GET /wallboard/[token]": [{ path: "/wallboard/x", access: "everyone" }],
    "POST /sign-out": [{ path: "/sign-out", fields: {}, access: "signed out" }],
  };
}
