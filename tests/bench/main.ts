import { Load } from "./load.ts";
import type { Usage } from "./server.ts";

/**
 * `deno task bench [ROUNDS] [NAME]`: what Rollcall costs beside a bare Deno loop that sends the same
 * frames to the same clients. Each server runs in a process of its own, new for every measurement;
 * the two take turns, and the medians are compared.
 */
type Kind = "rollcall" | "bare";

interface Measurement {
  name: string;
  unit: string;
  target: number;
  run: (load: Load, ask: Ask) => Promise<number>;
}

type Ask = (path: string) => Promise<Usage>;

const measurements: Measurement[] = [
  {
    name: "CPU per delivery, 500 subscribers",
    unit: "µs",
    target: 1.15,
    async run(load, ask) {
      const events = 600;
      await load.connect(500);
      await load.subscribe();
      await ask("/publish?count=100");
      const before = await ask("/usage");
      const after = await ask(`/publish?count=${events}`);
      return (after.cpu - before.cpu) / (events * 500);
    },
  },
  {
    name: "CPU per member_added, 1,000 join",
    unit: "µs",
    target: 1.15,
    async run(load, ask) {
      await load.connect(1_000);
      const before = await ask("/usage");
      await load.joinPresence();
      const after = await ask("/usage");
      return (after.cpu - before.cpu) / (1_000 * 999 / 2);
    },
  },
  {
    name: "memory per connection, 5,000 subscribers",
    unit: "KB",
    target: 1.3,
    async run(load, ask) {
      await load.connect(100);
      const before = await ask("/usage");
      await load.connect(5_100);
      await load.subscribe();
      const after = await ask("/usage");
      return (after.memory - before.memory) / 5_000 / 1_000;
    },
  },
];

async function measure(kind: Kind, { run }: Measurement): Promise<number> {
  const script = new URL("./server.ts", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--v8-flags=--expose-gc", script, kind],
    stdin: "null",
    stdout: "piped",
  }).spawn();
  const port = await firstLine(child.stdout);
  const ask: Ask = async (path) => await (await fetch(`http://127.0.0.1:${port}${path}`)).json();
  const load = new Load(port);
  try {
    return await run(load, ask);
  } finally {
    load.close();
    child.kill("SIGKILL");
    await child.status;
  }
}

async function firstLine(stdout: ReadableStream<Uint8Array>): Promise<number> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stdout) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("\n")) break;
  }
  return Number(text);
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

const rounds = Number(Deno.args[0] ?? "5");
const wanted = measurements.filter(({ name }) => name.includes(Deno.args[1] ?? ""));
for (const measurement of wanted) {
  const results: Record<Kind, number[]> = { rollcall: [], bare: [] };
  for (let round = 0; round < rounds; round++) {
    for (const kind of ["bare", "rollcall"] as const) {
      results[kind].push(await measure(kind, measurement));
    }
  }
  const [ours, bare] = [median(results.rollcall), median(results.bare)];
  const { name, unit, target } = measurement;
  console.log(
    `${name}: Rollcall ${ours.toFixed(2)} ${unit}, bare loop ${bare.toFixed(2)} ${unit}, ` +
      `ratio ${(ours / bare).toFixed(3)} (target ${target})`,
  );
}
Deno.exit();
