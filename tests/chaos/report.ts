import { version } from "@/shared/version.ts";
import { redisProgram } from "../fixtures/redis.ts";
import type { Bounds } from "./bounds.ts";
import { secondsText } from "./time.ts";
import { promises } from "./truth/promises.ts";
import type { Measured } from "./truth/verdicts.ts";
import type { Crowd } from "./crowd/crowd.ts";
import type { Witness } from "./crowd/witness.ts";

/** A violation, with where in the run it was. */
export interface ReportedViolation {
  /** Since the start of the run, in milliseconds. */
  readonly at: number;
  readonly promise: string;
  readonly text: string;
}

/** How many violations are kept with their texts. */
const maxViolations = 300;

/** How long things of one kind took. */
interface Worst {
  count: number;
  worstMs: number;
  boundMs: number;
  broken: number;
}

/** What a run found, and how it is shown. */
export class Report {
  readonly faults = new Map<string, number>();
  /** The first ones. */
  readonly violations: ReportedViolation[] = [];
  readonly #broken = new Map<string, number>();
  readonly #durations = new Map<string, Worst>();
  /** Facts in the order of their names. */
  readonly facts = new Map<string, string>();
  quietMoments = 0;
  judged = 0;

  fault(name: string): void {
    this.faults.set(name, (this.faults.get(name) ?? 0) + 1);
  }

  /** All violations. */
  get violationCount(): number {
    return [...this.#broken.values()].reduce((sum, count) => sum + count, 0);
  }

  violated(violation: ReportedViolation): void {
    const { promise } = violation;
    this.#broken.set(promise, (this.#broken.get(promise) ?? 0) + 1);
    if (this.violations.length < maxViolations) this.violations.push(violation);
  }

  measured({ boundMs, kind, ms }: Measured): void {
    const worst = this.#durations.get(kind) ??
      { count: 0, worstMs: 0, boundMs, broken: 0 };
    this.#durations.set(kind, worst);
    worst.count++;
    worst.worstMs = Math.max(worst.worstMs, ms);
    worst.boundMs = Math.max(worst.boundMs, boundMs);
    if (ms > boundMs) worst.broken++;
  }

  /** Tables in Markdown. */
  markdown(bounds: Bounds): string {
    const faults = [...this.faults].toSorted(([one], [other]) => one < other ? -1 : 1);
    const measured = [...this.#durations].toSorted(([one], [other]) => one < other ? -1 : 1);
    const total = faults.reduce((sum, [, count]) => sum + count, 0);
    return [
      `Lease ${secondsText(bounds.leaseMs)}, heartbeat ${secondsText(bounds.heartbeatMs)}, ` +
      `grace ${secondsText(bounds.graceMs)}, slack ${
        secondsText(bounds.slackMs)
      }. Bounds are the promises and the ` +
      `slack, with ${secondsText(bounds.drainMs)} more where a server stops.`,
      "",
      ...table(["", ""], [...this.facts]),
      "",
      ...table(["Fault", "Times"], [
        ...faults.map(([name, count]) => [name, String(count)]),
        ["**All**", `**${total}**`],
      ]),
      "",
      ...table(["Promise", "Broken"], [
        ...Object.values(promises).map((promise) => {
          const broken = this.#broken.get(promise) ?? 0;
          return [promise, broken === 0 ? "kept" : `${broken} times`];
        }),
      ]),
      "",
      ...table(
        ["What clients were sent", "Times", "Worst", "Bound", "Later than that"],
        measured.map(([name, { boundMs, broken, count, worstMs }]) => [
          name,
          String(count),
          secondsText(worstMs),
          secondsText(boundMs),
          String(broken),
        ]),
      ),
      "",
      ...(this.violations.length === 0 ? ["No promise was broken."] : [
        `${this.violationCount} violations, of which the first:`,
        "",
        ...this.violations.slice(0, 50).map(({ at, text }) => `- ${secondsText(at)}: ${text}`),
      ]),
      "",
    ].join("\n");
  }
}

function table(head: string[], rows: string[][]): string[] {
  const widths = head.map((text, column) =>
    Math.max(text.length, 3, ...rows.map((row) => row[column].length))
  );
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [line(head), rule, ...rows.map(line)];
}

/** What the crowd did and received, for the report. */
export function crowdFacts(crowd: Crowd, witness: Witness): Record<string, string> {
  const ofLibrary = crowd.tabs.filter((tab) => tab.isPusherJs).length;
  return {
    "Clients": `${crowd.tabs.length}, ${ofLibrary} of them pusher-js`,
    "Joins, leaves, reloads, moves": Object.values(crowd.counts).join(", "),
    "Frames that clients received": String(witness.frames),
    "Events received": String(witness.events),
    "Connections that ended without the client": String(witness.closes),
    "Of them, closed by a server that alone was without Redis": String(witness.sentAway),
  };
}

/** The memory of the fault test itself, which must not grow with the length of a run. */
export class OwnMemory {
  #first = 0;
  #last = 0;

  measure(): void {
    this.#last = Deno.memoryUsage().rss;
    this.#first ||= this.#last;
  }

  get text(): string {
    return `${megabytes(this.#first)} after the first quiet moment, ` +
      `${megabytes(this.#last)} after the last one`;
  }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`;
}

/** What a run was made with, by name. A program that does not answer is left out. */
export async function versions(): Promise<[name: string, version: string][]> {
  const asked = await Promise.all([
    printed("git", "rev-parse", "--short", "HEAD"),
    printed(redisProgram(), "--version"),
    printed("psql", "--version"),
    printed("uname", "-sr"),
  ]);
  const [commit, redis, postgres, system] = asked;
  const found: [string, string | undefined][] = [
    ["Rollcall", commit ? `${version}, commit ${commit}` : version],
    ["Deno", Deno.version.deno],
    [/^\w+/.exec(redis ?? "")?.[0] ?? "Redis", /v=(\S+)/.exec(redis ?? "")?.[1]],
    ["PostgreSQL", /\d[\d.]*/.exec(postgres ?? "")?.[0]],
    ["System", system && `${system}, ${navigator.hardwareConcurrency} cores`],
  ];
  return found.flatMap(([name, text]) => text === undefined ? [] : [[name, text]]);
}

async function printed(program: string, ...args: string[]): Promise<string | undefined> {
  try {
    const { stdout, success } = await new Deno.Command(program, { args, stderr: "null" }).output();
    return success ? new TextDecoder().decode(stdout).trim() : undefined;
  } catch {
    return undefined;
  }
}
