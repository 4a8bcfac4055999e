import { join } from "node:path";
import type { Browser } from "playwright-core";

/** Where clients connect, and how many of each kind. */
export interface Target {
  port: number;
  key: string;
  count: number;
}

/** One client of pusher-js. Times are by `performance.now()`. */
export interface Client {
  /** A state of pusher-js, or `subscribed`. */
  state: string;
  /** When it got the state. */
  since: number;
}

/** Clients of one version of pusher-js, in one runtime. */
export interface Clients extends AsyncDisposable {
  readonly name: string;
  readonly all: readonly Client[];
}

function newClients(count: number): Client[] {
  return Array.from({ length: count }, () => ({ state: "new", since: performance.now() }));
}

function change(client: Client, state: string): void {
  client.state = state;
  client.since = performance.now();
}

/** Starts clients in a process of Node. @param folder of the package */
export function nodeClients(name: string, folder: string, target: Target): Clients {
  const all = newClients(target.count);
  const program = new URL("node_clients.mjs", import.meta.url).pathname;
  const { port, key, count } = target;
  const child = new Deno.Command("node", {
    args: [program, folder, String(port), key, String(count)],
    stdin: "null",
    stdout: "piped",
  }).spawn();
  const reading = read(child.stdout, all);
  return {
    name,
    all,
    async [Symbol.asyncDispose]() {
      try {
        child.kill("SIGKILL");
      } catch {
        // It ended when its last client gave up.
      }
      await Promise.all([child.status, reading]);
    },
  };
}

async function read(output: ReadableStream<Uint8Array>, all: readonly Client[]): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of output) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      const [index, state] = line.split(" ");
      change(all[Number(index)], state);
    }
  }
}

/** Starts clients in pages of a browser. @param folder of the package */
export async function browserClients(
  browser: Browser,
  name: string,
  folder: string,
  target: Target,
): Promise<Clients> {
  const { port, key, count } = target;
  const context = await browser.newContext({ bypassCSP: true });
  await context.addInitScript(await Deno.readTextFile(join(folder, "dist/web/pusher.min.js")));
  const all = newClients(count);
  for (const client of all) {
    const page = await context.newPage();
    await page.exposeFunction("report", (state: string) => change(client, state));
    await page.goto(`http://127.0.0.1:${port}/up`);
    await page.evaluate(connect, { port, key });
  }
  return { name, all, [Symbol.asyncDispose]: () => context.close() };
}

/** Runs in the page. */
function connect({ port, key }: { port: number; key: string }): void {
  // The page's global variables.
  const { Pusher, report } = globalThis as unknown as {
    // deno-lint-ignore no-explicit-any -- the versions differ in their types
    Pusher: any;
    report: (state: string) => void;
  };
  const options = {
    wsHost: "127.0.0.1",
    wsPort: port,
    forceTLS: false,
    cluster: "self",
    enabledTransports: ["ws"],
  };
  const pusher = new Pusher(key, options);
  pusher.connection.bind("state_change", (states: { current: string }) => report(states.current));
  pusher.subscribe("news").bind("pusher:subscription_succeeded", () => report("subscribed"));
}
