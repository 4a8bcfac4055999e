import { AskedProcess } from "../fixtures/asked_process.ts";
import { HttpVisitor } from "../fixtures/http_visitor.ts";
import { ada } from "../fixtures/people.ts";
import { leftovers, type Sizes } from "../fixtures/sizes.ts";
import type { WholeAppReady } from "../fixtures/whole_app.ts";
import { Churn } from "./churn.ts";
import { type Figures, grows, kept, lineOf, measure, toleranceOf } from "./figures.ts";
import { WebhookReceiver } from "./peers.ts";

/**
 * `deno task soak MINUTES [LEAK]`: the built app under all that clients do, with what it holds over
 * time. Ends with 1 and a line that says which figure grew in the second half, or is not 0 when
 * all clients are gone. LEAK, `memory` or `map`, makes the server leak, to see it found.
 */
const minutes = Number(Deno.args[0] ?? 20);
const leak = Deno.args[1] ?? "";
if (!(minutes > 0) || !["", "memory", "map"].includes(leak)) {
  console.error("deno task soak MINUTES [LEAK]: MINUTES is above 0, LEAK is memory or map");
  Deno.exit(2);
}

/** The number of measurements; a line is printed at every tenth or each minute. */
const measurements = 200;
const intervalMs = minutes * 60_000 / measurements;
const lineEvery = Math.max(1, Math.round(Math.min(60_000 / intervalMs, measurements / 20)));

/** How long the server may take to release everything once its clients are gone: pauses take 5 s. */
const timeoutMs = 15_000;

async function soak(): Promise<string | undefined> {
  const dataFolder = await Deno.makeTempDir({ prefix: "rollcall-soak-" });
  const script = new URL("./server.ts", import.meta.url);
  await using receiver = new WebhookReceiver();
  const { process, ready } = await AskedProcess.start<WholeAppReady>(
    script,
    [receiver.url, leak],
    { DATA_DIR: dataFolder, LOG_FORMAT: "text" },
  );
  try {
    return await soakServer(process, ready, receiver);
  } finally {
    await process[Symbol.asyncDispose]();
    await Deno.remove(dataFolder, { recursive: true });
  }
}

async function soakServer(
  server: AskedProcess,
  { port, pusherApp, setupToken }: WholeAppReady,
  receiver: WebhookReceiver,
): Promise<string | undefined> {
  const before = await server.ask<Sizes>("sizes");
  const admin = new HttpVisitor(`http://127.0.0.1:${port}`);
  await admin.setUp(setupToken, ada);
  const churn = new Churn(port, pusherApp, admin);
  const running = churn.run();
  const series = await Promise.race([watch(server), running.then(() => [])]);
  churn.stop();
  await running;
  console.log(`Done: ${lineOf(churn.counts)}`);
  console.log(`Webhook requests: ${receiver.requests}`);
  console.log(`Refused: ${lineOf(await server.ask<Figures>("refusals"))}`);
  return growthIn(series) ?? await leftIn(server, before) ?? complaintOf(server);
}

/** Measures at even intervals until the time is over. */
async function watch(server: AskedProcess): Promise<Figures[]> {
  const series: Figures[] = [];
  const start = performance.now();
  while (series.length < measurements) {
    const due = start + (series.length + 1) * intervalMs - performance.now();
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due)));
    const figures = await measure(server);
    series.push(figures);
    const minute = ((performance.now() - start) / 60_000).toFixed(1);
    if (series.length % lineEvery === 0) console.log(`${minute} min: ${lineOf(figures)}`);
  }
  return series;
}

function growthIn(series: Figures[]): string | undefined {
  const growing = Object.keys(series[0]).filter((name) =>
    grows(series.map((figures) => figures[name]), toleranceOf(name))
  );
  return growing.length > 0 ? `${growing.join(" and ")} grew in the second half` : undefined;
}

async function leftIn(server: AskedProcess, before: Sizes): Promise<string | undefined> {
  const end = performance.now() + timeoutMs;
  while (true) {
    const left = leftovers(await server.ask<Sizes>("sizes"), before, kept);
    if (left.length === 0) return undefined;
    if (performance.now() > end) return `all clients are gone, but ${left.join(", ")}`;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The output of the server without warnings, as clients exceed limits all the time. */
function complaintOf({ errors }: AskedProcess): string | undefined {
  const lines = errors.split("\n").filter((line) => line !== "" && !/^\S+ WARN /.test(line));
  return lines.length === 0 ? undefined : `the server printed: ${lines.slice(0, 20).join("\n")}`;
}

const fault = await soak().catch((error) => {
  console.error(error);
  return `a client was not served: ${error}`;
});
console.log(fault ? `FAILED: ${fault}` : `Nothing grew in ${minutes} minutes, and nothing is left`);
Deno.exit(fault ? 1 : 0);
