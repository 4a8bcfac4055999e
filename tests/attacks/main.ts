import { Rollcall } from "../fixtures/rollcall.ts";
import { withTimeout } from "../fixtures/with_timeout.ts";
import { HttpVisitor } from "../fixtures/http_visitor.ts";
import { makeSiteTag } from "../fixtures/admin_forms.ts";
import { ada } from "../fixtures/people.ts";
import type { Attack, Target } from "./attack.ts";
import { attacks } from "./attacks.ts";
import { EventPulse, refusedToNewcomer, UpPulse } from "./bystander.ts";
import { Program, ServerLoad } from "./program.ts";

/** What was measured while a stranger attacked. */
interface Figures {
  name: string;
  /** The longest that `/up` took, in milliseconds. */
  up: number;
  /** The longest that an event from one bystander to another took, in milliseconds. */
  event: number;
  /** CPU seconds of the server per second. */
  cpu: number;
  /** The most memory that the server had, in megabytes. */
  memory: number;
  /** Why a bystander was not served, if so. */
  fault?: string;
}

/** What must not be exceeded, whatever one stranger does. */
const bounds = { up: 500, event: 1_000, memory: 800 };

/** What exceeds its bound, in words. */
function faultsOf({ up, event, memory, fault }: Figures): string[] {
  return [
    ...(up > bounds.up ? ["/up"] : []),
    ...(event > bounds.event ? ["event"] : []),
    ...(memory > bounds.memory ? ["memory"] : []),
    ...(fault === undefined ? [] : [fault]),
  ];
}

const head = ["attack", "worst /up", "worst event", "CPU", "memory", "result"];

/** The figures as lines of text, in columns. */
function tableOf(all: readonly Figures[]): string {
  const rows = [head, ...all.map(cellsOf)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column])).join("  ").trim())
    .join("\n");
}

function cellsOf(figures: Figures): string[] {
  const { name, up, event, cpu, memory } = figures;
  const faults = faultsOf(figures);
  return [
    name,
    `${Math.round(up)} ms`,
    `${Math.round(event)} ms`,
    `${Math.round(cpu * 100)} %`,
    `${Math.round(memory)} MB`,
    faults.length === 0 ? "ok" : `FAILED: ${faults.join(", ")}`,
  ];
}

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
  const admin = new HttpVisitor(`http://127.0.0.1:${port}`);
  await admin.setUp(await server.setupToken(), ada);
  const siteTag = await makeSiteTag(admin);
  await using crowd = new Program("crowd.ts", { port, app, count: usersOnline });
  await crowd.isReady();
  const target: Target = { port, key: app.key, email: ada.email, siteTag };
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
