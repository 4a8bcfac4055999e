import { HttpVisitor } from "../fixtures/http_visitor.ts";
import { ada } from "../fixtures/people.ts";
import { Churn } from "./churn.ts";
import { type Figures, grows, lineOf, toleranceOf } from "./figures.ts";
import { WebhookReceiver } from "./peers.ts";
import { drawSeries } from "./picture.ts";
import { type SoakedServer, startOneProcess, startWorkers } from "./soaked_server.ts";

/**
 * `deno task soak MINUTES [LEAK] [--workers=N] [--picture=FILE]`: the built app under all that clients do,
 * with what it holds over time. Ends with 1 and a line that says which figure grew in the second half, or is
 * not 0 when all clients are gone. LEAK, `memory` or `map`, makes the server leak, to see it found. With
 * `--workers`, it runs as that many processes; `--picture` draws the figures into an SVG.
 */
const [words, flags] = [false, true].map((flag) =>
  Deno.args.filter((word) => word.startsWith("--") === flag)
);
const valueOf = (flag: string) =>
  flags.find((word) => word.startsWith(`--${flag}=`))?.split("=")[1];
const minutes = Number(words[0] ?? 20);
const leak = words[1] ?? "";
const workers = Number(valueOf("workers") ?? 0);
if (!(minutes > 0) || !["", "memory", "map"].includes(leak) || !(workers >= 0) || leak && workers) {
  console.error(
    "deno task soak MINUTES [LEAK] [--workers=N] [--picture=FILE]: " +
      "MINUTES is above 0, LEAK is memory or map and of one process",
  );
  Deno.exit(2);
}

/** The number of measurements; a line is printed at every tenth or each minute. */
const measurements = 200;
const intervalMs = minutes * 60_000 / measurements;
const lineEvery = Math.max(1, Math.round(Math.min(60_000 / intervalMs, measurements / 20)));

/** How long the server may take to release everything once its clients are gone: pauses take 5 s. */
const timeoutMs = 15_000;

async function soak(): Promise<string | undefined> {
  await using receiver = new WebhookReceiver();
  await using server = workers > 0
    ? await startWorkers(receiver.url, workers)
    : await startOneProcess(receiver.url, leak);
  const admin = new HttpVisitor(`http://127.0.0.1:${server.port}`);
  await admin.setUp(server.setupToken, ada);
  const churn = new Churn(server.port, server.pusherApp, admin);
  const running = churn.run();
  const series = await Promise.race([watch(server), running.then(() => [])]);
  churn.stop();
  await running;
  console.log(`Done: ${lineOf(churn.counts)}`);
  console.log(`Webhook requests: ${receiver.requests}`);
  console.log(`Refused: ${lineOf(await server.refusals())}`);
  const picture = valueOf("picture");
  if (picture) await Deno.writeTextFile(picture, drawSeries(series, minutes));
  return growthIn(series) ?? await leftIn(server) ?? server.complaint();
}

/** Measures at even intervals until the time is over. */
async function watch(server: SoakedServer): Promise<Figures[]> {
  const series: Figures[] = [];
  const start = performance.now();
  while (series.length < measurements) {
    const due = start + (series.length + 1) * intervalMs - performance.now();
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due)));
    const figures = await server.measure();
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

async function leftIn(server: SoakedServer): Promise<string | undefined> {
  const end = performance.now() + timeoutMs;
  while (true) {
    const left = await server.leftovers();
    if (left.length === 0) return undefined;
    if (performance.now() > end) return `all clients are gone, but ${left.join(", ")}`;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const fault = await soak().catch((error) => {
  console.error(error);
  return `a client was not served: ${error}`;
});
console.log(fault ? `FAILED: ${fault}` : `Nothing grew in ${minutes} minutes, and nothing is left`);
Deno.exit(fault ? 1 : 0);
