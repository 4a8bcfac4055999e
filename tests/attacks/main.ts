import { Rollcall } from "../fixtures/rollcall.ts";
import { withTimeout } from "../fixtures/with_timeout.ts";
import { HttpVisitor } from "../fixtures/http_visitor.ts";
import { ada } from "../fixtures/people.ts";
import type { Attack, Target } from "./attack.ts";
import { attacks } from "./attacks.ts";
import { faultsOf, type Figures, tableOf } from "./figures.ts";
import { refusedToNewcomer } from "./bystander.ts";
import { EventPulse, UpPulse } from "./pulse.ts";
import { Program } from "./program.ts";
import { ServerLoad } from "./server_load.ts";

/**
 * `deno task attack [NAME…]`: each attack, or the ones whose name contains a NAME, by one stranger against
 * the built app with 300 users online. Ends with 1 when bystanders were not served within the bounds.
 */
const seconds = 12;
const usersOnline = 300;
const app = { id: "own", key: "key-of-the-attacked", secret: "secret-of-the-attacked-pages" };
const settings = {
  APPS: JSON.stringify([app]),
  ADMIT_GUESTS: "true",
  CLIENT_EVENTS: "true",
  CLIENT_EVENTS_PER_SECOND: "0",
  TRUSTED_PROXIES: "127.0.0.1",
  LOG_LEVEL: "error",
  DRAIN_MS: "0",
};

async function measure(attack: Attack): Promise<Figures> {
  const limit = attack.openFiles ? `ulimit -n ${attack.openFiles}; ` : "";
  const serve = `${limit}exec ${Deno.execPath()} run -A cli/serve.ts`;
  const environment = { ...settings, ...attack.environment };
  await using server = await Rollcall.startCommand(["sh", "-c", serve], environment);
  const port = Number(new URL(server.origin).port);
  await new HttpVisitor(`http://127.0.0.1:${port}`).setUp(await server.setupToken(), ada);
  await using crowd = new Program("crowd.ts", { port, app, count: usersOnline });
  await crowd.isReady();
  const target: Target = { port, key: app.key, email: ada.email };
  const load = await ServerLoad.start(server.pid);
  const keepsConnection = attack.openFiles !== undefined;
  const [up, events] = [new UpPulse(port, { keepsConnection }), await EventPulse.start(port, app)];
  await using stranger = new Program("stranger.ts", { name: attack.name, target });
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  if (keepsConnection) {
    await stranger[Symbol.asyncDispose]();
    await isReachable(port);
  }
  const refused = await withTimeout(refusedToNewcomer(port, app, ada), "a newcomer got in", 20_000)
    .catch(String);
  await Promise.all([up.stop(), events.stop()]);
  const usage = await Promise.all([load.cpu(), load.memory()]).catch(() => [NaN, NaN]);
  server.kill();
  return {
    name: attack.name,
    up: up.worst,
    event: events.worst,
    cpu: usage[0],
    memory: usage[1],
    fault: up.fault ?? events.fault ?? refused,
  };
}

/** Waits until the server accepts connections again, for ten seconds. */
async function isReachable(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const answer = await fetch(`http://127.0.0.1:${port}/up`).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const chosen = attacks.filter(({ name }) =>
  Deno.args.length === 0 || Deno.args.some((part) => name.includes(part))
);
const all: Figures[] = [];
for (const attack of chosen) {
  const figures = await measure(attack);
  all.push(figures);
  console.log(tableOf([figures]).split("\n")[1]);
}
console.log(`\n${tableOf(all)}`);
Deno.exit(all.every((figures) => faultsOf(figures).length === 0) ? 0 : 1);
