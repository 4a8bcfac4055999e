import { cpus } from "node:os";
import { median, openFileLimit } from "../report.ts";
import { type Figures, kneeMs, measureDeliveries } from "./deliveries.ts";
import { measureConnections, measureRooms } from "./rooms.ts";
import { type ServerColumn, serverColumns } from "./servers.ts";

/**
 * `deno task bench:capacity [ROUNDS] [COLUMN]`: what the built app carries as one process and as workers, and how
 * soon events and joins are seen at which load, beside loops of Deno and of uWebSockets that only send.
 * Everything is measured from outside, over sockets and HTTP; clients have the same cores. Prints a table
 * in Markdown, of medians; COLUMN chooses servers by a part of their names.
 */
const rounds = Number(Deno.args[0] ?? "5");
const openFiles = 12_000;
const limit = await openFileLimit();
if (!(rounds >= 1) || limit < openFiles) {
  console.error(
    `deno task bench:capacity [ROUNDS] [COLUMN]; needs ${openFiles} open files (ulimit -n), the limit is ${limit}`,
  );
  Deno.exit(2);
}

const columns = (await serverColumns()).filter(({ name }) => name.includes(Deno.args[1] ?? ""));
const measured = new Map<ServerColumn, Figures[]>(columns.map((column) => [column, []]));
for (let round = 1; round <= rounds; round++) {
  for (const [column, results] of measured) {
    console.error(`Round ${round}, ${column.name}; load ${Deno.loadavg()[0].toFixed(1)} …`);
    results.push(await measure(column));
  }
}
console.log(tableOf(measured));
console.log(
  `\nMedians of ${rounds} rounds on ${cpus().length} × ${
    cpus()[0].model
  }; the knee is the highest ` +
    `tried rate at which 99 of 100 deliveries take at most ${kneeMs} ms.`,
);
Deno.exit(0);

/** Each part has a new server, so that none has what another left. */
async function measure({ knowsMembers, start }: ServerColumn): Promise<Figures> {
  const parts = [measureDeliveries, ...knowsMembers ? [measureRooms] : [], measureConnections];
  const figures: Figures = {};
  for (const part of parts) {
    await using server = await start();
    try {
      Object.assign(figures, await part(server));
    } catch (error) {
      console.error(`Not measured: ${error instanceof Error ? error.message : error}`);
    }
  }
  return figures;
}

function tableOf(measured: Map<ServerColumn, Figures[]>): string {
  const names = new Set([...measured.values()].flat().flatMap((figures) => Object.keys(figures)));
  const cells = (name: string) =>
    [...measured.values()].map((rounds) => {
      const values = rounds.map((figures) => figures[name]).filter((value) => value !== undefined);
      return values.length > 0 ? amount(median(values)) : "–";
    });
  const row = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [
    row(["", ...columns.map(({ name }) => name)]),
    row(["---", ...columns.map(() => "---:")]),
    ...[...names].map((name) => row([name, ...cells(name)])),
  ].join("\n");
}

function amount(value: number): string {
  const maximumFractionDigits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString("en", { maximumFractionDigits });
}
