const itself = "a limit of each server, for its own memory and CPU";
const socket = "about one socket, with a clock or settings that the other rules have not";
const timing = "timed to the millisecond, with a clock that Redis does not follow";

/** Rules of one server, and why they are not proved over several; all others hold over several, too. */
export const ofOneServer: Readonly<Record<string, string>> = {
  "close.4004": "each server counts its own connections of an app",
  "quiet.full": "each server counts the users whom it sends all members",
  "close.4100": itself,
  "close.503": itself,
  "limit.address": itself,
  "api-auth.403-quota": itself,
  "close.4200": "about the stop of one server",
  "close.4200-cut-off": "about one server, which the test has send its clients away",
  "close.spread": "about the stop of one server",
  "client-event.rate": socket,
  "limit.errors": socket,
  "limit.messages": socket,
  "limit.subscriptions": socket,
  "limit.unread": socket,
  "liveness.any-frame": socket,
  "liveness.mute-peer": socket,
  "liveness.server-pings": socket,
  "sign-in.authorized-connections": socket,
  "api-auth.time": "about one request, at a time that the test sets",
  "api-auth.vector": "about one request, at a time that the test sets",
  "cache.time": timing,
  "presence.grace": timing,
  "subscription-count.large": timing,
  "webhook.back-off": timing,
  "webhook.returns": timing,
};
