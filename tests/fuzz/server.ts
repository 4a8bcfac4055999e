import { HttpApi } from "../../realtime/http_api.ts";
import { type LogEntry, RealtimeServer } from "../../realtime/server.ts";
import { answerQuestions } from "../fixtures/questions.ts";
import { apps } from "./apps.ts";
import { SkippingClock } from "./skipping_clock.ts";

/**
 * The socket server and the HTTP API on one port, in a process of their own. Whatever is logged as an
 * error, and whatever nobody caught, stands on its standard error.
 */
const clock = new SkippingClock();
const log = ({ level, ...entry }: LogEntry) => console.error(level, entry);
const realtime = new RealtimeServer({
  apps,
  clock,
  log,
  maxChannels: 30,
  maxSubscriptionsPerConnection: 8,
});
const api = new HttpApi({ appOf: (id) => realtime.appChannels(id), log });

const { addr } = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request, info) => {
  const url = URL.parse(request.url);
  if (url && api.handles(url.pathname)) return api.answer(request);
  return realtime.upgrade(request, info.remoteAddr.hostname);
});

await answerQuestions(addr.port, {
  stats: () => realtime.stats(),
  skip: (milliseconds) => clock.skip(milliseconds),
});
