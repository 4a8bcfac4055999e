import { join } from "node:path";
import { launchBrowser } from "@/tests/fixtures/browser.ts";
import { keepPort } from "@/tests/fixtures/reserved_port.ts";
import { Rollcall } from "@/tests/fixtures/rollcall.ts";
import { browserClients, type Client, type Clients, nodeClients, type Target } from "./clients.ts";

/**
 * `deno task reconnect`: how long clients of each version of pusher-js take to come back to their
 * channels after a restart of the server. It needs Node, npm, Chromium and `deno task build`, and prints
 * the table of `docs/reconnecting.md`.
 */
const versions = ["4.4.0", "5.1.1", "6.0.3", "7.6.0", "8.0.2", "8.6.0"];
const inChromium = ["4.4.0", "7.6.0", "8.6.0"];

/** Clients of each kind. */
const count = 5;

/** After this time without a subscription, a client counts as lost, in milliseconds. */
const timeoutMs = 90_000;

/** How the server stops. */
const stops = [
  { name: "SIGTERM", signal: "SIGTERM", nextWaits: false },
  { name: "SIGTERM, next server waiting", signal: "SIGTERM", nextWaits: true },
  { name: "SIGKILL", signal: "SIGKILL", nextWaits: false },
] as const;
type Stop = typeof stops[number];

const app = { PUSHER_APP_ID: "1", PUSHER_APP_KEY: "reconnect", PUSHER_APP_SECRET: newSecret() };

const packages = await install();
const columns: Map<string, string>[] = [];
for (const stop of stops) columns.push(await measure(stop));
console.log(row(["pusher-js", ...stops.map(({ name }) => name)]));
console.log(row(["---", ...stops.map(() => "---")]));
for (const name of columns[0].keys()) {
  console.log(row([name, ...columns.map((column) => column.get(name) ?? "")]));
}
await Deno.remove(packages, { recursive: true });

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function newSecret(): string {
  return crypto.randomUUID();
}

/** Installs every version into a new folder. */
async function install(): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "rollcall-reconnect-" });
  const named = versions.map((version) => [version, `npm:pusher-js@${version}`]);
  const dependencies = Object.fromEntries(
    named.map(([version, source]) => [`v${version}`, source]),
  );
  await Deno.writeTextFile(join(folder, "package.json"), JSON.stringify({ dependencies }));
  const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts"];
  const { success } = await new Deno.Command("npm", { args, cwd: folder, stdout: "null" }).output();
  if (!success) throw new Error("npm could not install pusher-js");
  return folder;
}

function folderOf(version: string): string {
  return join(packages, "node_modules", `v${version}`);
}

/** How long the clients of each kind take to be back, in words. */
async function measure({ name, signal, nextWaits }: Stop): Promise<Map<string, string>> {
  const before = await Rollcall.start(app);
  const port = Number(new URL(before.origin).port);
  const environment = { ...app, PORT: String(port) };
  await using started = new AsyncDisposableStack();
  const clients = await connectAll({ port, key: app.PUSHER_APP_KEY, count }, started);
  await allBack(clients, -Infinity);
  const start = performance.now();
  const after = nextWaits ? Rollcall.start(environment, before.dataFolder) : undefined;
  await keepPort(port);
  before.signal(signal);
  await before.ended();
  const ended = performance.now();
  const next = started.use(await (after ?? Rollcall.start(environment, before.dataFolder)));
  console.log(
    `${name}: ended after ${seconds(ended - start)}, next server after ${
      seconds(performance.now() - start)
    } (${next.origin})`,
  );
  await allBack(clients, ended);
  return new Map(clients.map(({ name, all }) => [name, outcome(all, start, ended)]));
}

async function connectAll(target: Target, started: AsyncDisposableStack): Promise<Clients[]> {
  const inNode = versions.map((version) =>
    started.use(nodeClients(`${version} in Node`, folderOf(version), target))
  );
  const browser = await launchBrowser();
  started.defer(() => browser.close());
  const inPages: Clients[] = [];
  for (const version of inChromium) {
    const name = `${version} in Chromium`;
    inPages.push(started.use(await browserClients(browser, name, folderOf(version), target)));
  }
  return [...inNode, ...inPages];
}

/** Waits until every client has subscribed since a time, or the timeout. */
async function allBack(clients: readonly Clients[], since: number): Promise<void> {
  const end = performance.now() + timeoutMs;
  const all = clients.flatMap(({ all }) => all);
  while (!all.every((client) => isBack(client, since) || client.state === "failed")) {
    if (performance.now() > end) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function isBack({ state, since }: Client, after: number): boolean {
  return state === "subscribed" && since > after;
}

function outcome(all: readonly Client[], start: number, ended: number): string {
  const back = all.filter((client) => isBack(client, ended));
  const times = back.map(({ since }) => since - start).sort((one, other) => one - other);
  const lost = all.filter((client) => !isBack(client, ended)).map(({ state }) => state);
  const range = times.length > 0 ? `${tenths(times[0])} to ${seconds(times.at(-1)!)}` : "none";
  return lost.length > 0 ? `${range}; lost: ${lost.join(", ")}` : range;
}

function tenths(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(1);
}

function seconds(milliseconds: number): string {
  return `${tenths(milliseconds)} s`;
}
