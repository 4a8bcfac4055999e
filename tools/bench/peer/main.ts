import { openFileLimit } from "../report.ts";
import { measureGhosts, measurePages } from "./absences.ts";
import { measureChurn } from "./churn.ts";
import { measureJoins } from "./joins.ts";
import { type Options, type Part, parts, readOptions, usage, UsageError } from "./options.ts";
import { PeerServer } from "./peer_server.ts";
import {
  type PeerResult,
  peerTable,
  readResult,
  reasonOf,
  type Row,
  unmeasured,
} from "./report.ts";
import { measureRestart } from "./restart.ts";

type Measure = (server: PeerServer, options: Options) => Promise<Row[]>;

const measures: Record<Part, Measure> = {
  joins: measureJoins,
  churn: measureChurn,
  ghosts: measureGhosts,
  pages: measurePages,
};

/**
 * Measures a server part after part. What cannot be measured becomes a row that says why.
 *
 * @param askForRestart asks for a restart by hand, and resolves after it.
 */
export async function measurePeer(
  options: Options,
  askForRestart: () => Promise<void>,
): Promise<PeerResult> {
  const rows: Row[] = [];
  const measure = async (name: string, part: Measure) => {
    using server = new PeerServer(options);
    rows.push(...await part(server, options).catch((error: unknown) => [unmeasured(name, error)]));
  };
  for (const part of parts) {
    if (options.only.includes(part)) await measure(part, measures[part]);
    else rows.push(unmeasured(part, "left out with --only"));
  }
  if (options.restart) {
    await measure("restart", (server) => measureRestart(server, options, askForRestart));
  } else rows.push(unmeasured("restart", "not asked for with --restart"));
  const { sizes, joins, rate, seconds, seen, settle, patience } = options;
  return {
    version: 1,
    label: options.label ?? options.url.host,
    measuredAt: new Date().toISOString(),
    settings: { sizes, joins, rate, seconds, seen, settle, patience },
    rows,
  };
}

/** How many open files the rooms and the churn need, if the limit here is below that. */
async function missingOpenFiles({ sizes, rate }: Options): Promise<number | undefined> {
  const needed = Math.max(...sizes, 4 * rate) + 200;
  return needed > await openFileLimit() ? needed : undefined;
}

/**
 * `deno task bench:peer`: what the presence channels of any server of the Pusher Channels protocol do,
 * measured from outside. It knows the truth, since it is all the users.
 */
async function run(words: string[]): Promise<void> {
  const options = readOptions(words, Deno.env.get("PUSHER_APP_SECRET"));
  if (!options) return console.log(usage);
  const compared = options.compare === undefined ? [] : [await readFile(options.compare)];
  const openFiles = await missingOpenFiles(options);
  if (openFiles) throw new UsageError(`Needs ${openFiles} open files: ulimit -n ${openFiles}`);
  await tryOut(options);
  const result = await measurePeer(options, askForRestart);
  console.log(peerTable([result, ...compared]));
  if (options.json !== undefined) {
    await Deno.writeTextFile(options.json, `${JSON.stringify(result, null, 2)}\n`);
  }
}

async function readFile(path: string) {
  const text = await Deno.readTextFile(path).catch((error) => {
    throw new UsageError(`--compare ${path} cannot be read: ${reasonOf(error)}`);
  });
  try {
    return readResult(text);
  } catch (error) {
    throw new UsageError(`--compare ${path} ${reasonOf(error)}`);
  }
}

/** Lets one user in, so that a wrong address or secret is said before minutes have passed. */
async function tryOut(options: Options): Promise<void> {
  using server = new PeerServer(options);
  try {
    await server.join(server.channel("first"), "first");
  } catch (error) {
    throw new Error(`No user can join at ${options.url}: ${reasonOf(error)}`, { cause: error });
  }
}

async function askForRestart(): Promise<void> {
  console.error("Restart the server now. When it is up again, press Enter.");
  // Not by prompt(), which would keep the users from coming back.
  await Deno.stdin.read(new Uint8Array(1_024));
}

if (import.meta.main) {
  try {
    await run(Deno.args);
    Deno.exit(0);
  } catch (error) {
    console.error(reasonOf(error));
    if (error instanceof UsageError) console.error("deno task bench:peer --help lists the options");
    Deno.exit(error instanceof UsageError ? 2 : 1);
  }
}
