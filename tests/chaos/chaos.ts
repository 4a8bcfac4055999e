import type { Bounds } from "./bounds.ts";
import { Crowd } from "./crowd/crowd.ts";
import { MachineWatch, Pulse } from "./machine_watch.ts";
import { Witness } from "./crowd/witness.ts";
import { drawn, planned } from "./faults/drawing.ts";
import type { FaultKind, PlannedFault, Simulation } from "./faults/fault.ts";
import { Installation } from "./installation/installation.ts";
import type { Server } from "./installation/server.ts";
import { Publisher } from "./publisher.ts";
import { settle } from "./quiet.ts";
import { StoredActivity } from "./stored_activity.ts";
import { crowdFacts, OwnMemory, Report } from "./report.ts";
import { Random } from "@/server/demo/random.ts";
import { Starts } from "./starts.ts";
import { secondsText, wait } from "./time.ts";
import { promises, type Violation, Violations } from "./truth/promises.ts";
import { judge } from "./truth/verdicts.ts";

/** How a run is made. */
export interface ChaosOptions {
  readonly minutes: number;
  readonly seed: number;
  readonly servers: number;
  /** Whether they are workers of one machine without Redis. */
  readonly areWorkers?: boolean;
  /** The folder of a built older release, of which the first half of the servers is until it is started again. */
  readonly olderRelease?: string;
  /** How many tabs there are. */
  readonly sockets: number;
  readonly kinds: readonly FaultKind[];
  readonly bounds: Bounds;
  readonly print: (line: string) => void;
  /** Ends the run at once, with a report. */
  readonly signal?: AbortSignal;
  /** Is called with what was found until each quiet moment. */
  readonly save?: (report: Report) => void;
}

/** How often violations that are complete are printed, in milliseconds. */
const everyMs = 200;

/** Injects faults into an installation under load until the time is over, and judges all that was sent. */
export async function chaos(options: ChaosOptions): Promise<Report> {
  await using installation = await Installation.start(options.servers, options.bounds, options);
  const witness = new Witness(options.bounds);
  const random = new Random(options.seed);
  // One of its own: when users come and go depends on the machine, and faults do not.
  const crowdRandom = new Random(random.whole(0, 2 ** 32 - 1));
  await using crowd = await Crowd.gather(options.sockets, crowdRandom, installation, witness);
  using run = new Run(options, installation, witness, crowd, random);
  await run.run(crowdRandom);
  return run.report;
}

class Run implements Disposable {
  readonly report = new Report();
  readonly #options: ChaosOptions;
  readonly #simulation: Simulation;
  readonly #activity: StoredActivity;
  readonly #random: Random;
  readonly #start = performance.now();
  readonly #pulse: Pulse;
  readonly #machine: MachineWatch;
  readonly #timer: ReturnType<typeof setInterval>;
  /** For messages. */
  readonly #underWay = new Set<string>();
  #round = 0;
  readonly #starts: Starts;
  readonly #memory = new OwnMemory();
  readonly #violations = new Violations();
  #isOver = false;
  #slowestQuietMs = 0;
  #publisher: Publisher | undefined;

  constructor(
    options: ChaosOptions,
    installation: Installation,
    witness: Witness,
    crowd: Crowd,
    random: Random,
  ) {
    this.#options = options;
    this.#random = random;
    this.#activity = new StoredActivity(installation);
    const { bounds } = options;
    this.#starts = new Starts(witness, (line) => this.#print(line));
    const start = (server: Server) => this.#starts.start(server);
    this.#simulation = { installation, witness, crowd, bounds, start };
    witness.onViolation = (violation) => this.#violated(violation);
    installation.onEnd = (server, output) => {
      crowd.serverEnded(server, "server killed");
      witness.serverEnds(server.name, "server killed");
      witness.violation(promises.processes, `${server.name} ended by itself with ${output}`);
      start(server);
    };
    this.#pulse = new Pulse(installation, witness);
    this.#machine = new MachineWatch(installation, witness, (line) => this.#print(line));
    this.#timer = setInterval(() => this.#take(performance.now()), everyMs);
  }

  /** Until the time is over, or the run is ended. */
  async run(crowdRandom: Random): Promise<void> {
    const { signal } = this.#options;
    const ended = Promise.withResolvers<void>();
    if (signal?.aborted) ended.resolve();
    signal?.addEventListener("abort", () => ended.resolve(), { once: true });
    const rounds = this.#rounds(crowdRandom).catch((error) => {
      const text = `it failed: ${error instanceof Error ? error.stack : error}`;
      this.#violated({ promise: promises.faults, text });
    });
    await Promise.race([rounds, ended.promise]);
    this.#take();
    this.#end();
    this.#state();
    if (!signal?.aborted) return;
    this.report.facts.set(
      "Ended early",
      `by ${signal.reason} in round ${this.#round}, of which no list is judged`,
    );
  }

  async #rounds(crowdRandom: Random): Promise<void> {
    const { bounds, kinds, minutes, sockets } = this.#options;
    const { crowd, installation } = this.#simulation;
    const publisher = new Publisher(installation, crowd, crowdRandom);
    this.#publisher = publisher;
    const kindsInTurn = drawn(kinds, this.#random);
    crowd.begin();
    await this.#quiet();
    while (!this.#isOver && performance.now() - this.#start < minutes * 60_000) {
      this.#round++;
      const faults = planned(kindsInTurn, this.#random.whole(1, 4), this.#simulation, this.#random);
      const offsets = faults.map(() => this.#random.between(0, 0.8) * bounds.leaseMs);
      crowd.resume(sockets / 12);
      publisher.begin();
      await wait(500);
      await Promise.all(faults.map((fault, index) => this.#inject(fault, offsets[index])));
      await wait(500);
      crowd.pause();
      publisher.pause();
      await this.#quiet();
    }
  }

  /** Writes down the facts of the run until now. */
  #state(): void {
    const { crowd, witness } = this.#simulation;
    const { published = 0, refused = 0, sent = 0 } = this.#publisher ?? {};
    const facts = {
      "Seed": String(this.#options.seed),
      "Minutes": ((performance.now() - this.#start) / 60_000).toFixed(1),
      "Servers": this.#servers(),
      ...crowdFacts(crowd, witness),
      "Changes and lists judged": String(this.report.judged),
      "Events published, refused, sent by clients": `${published}, ${refused}, ${sent}`,
      "Slowest empty answer of a running server": secondsText(this.#pulse.worstMs),
      "Leases that servers lost": String(this.#machine.lostLeases),
      "Starts refused without Redis or PostgreSQL": String(this.#starts.refused),
      "Joins and leaves stored": `${this.#activity.entries}, after ${
        secondsText(this.#activity.slowestMs)
      } at most`,
      "Quiet moments": String(this.report.quietMoments),
      "Longest way to a quiet moment": secondsText(this.#slowestQuietMs),
      "Memory of the fault test": this.#memory.text,
    };
    for (const [name, value] of Object.entries(facts)) this.report.facts.set(name, value);
  }

  #servers(): string {
    const { olderRelease, servers } = this.#options;
    const older = this.#simulation.installation.servers.filter(({ isOlder }) => isOlder).length;
    const said = `, ${Math.floor(servers / 2)} of them of the older release, ${older} at the end`;
    return `${servers} at first${olderRelease === undefined ? "" : said}`;
  }

  async #inject({ name, run, text }: PlannedFault, offsetMs: number): Promise<void> {
    await wait(offsetMs);
    this.#print(`${name}: ${text}`);
    this.report.fault(name);
    const line = `${name} (${text})`;
    this.#underWay.add(line);
    try {
      await run();
    } catch (error) {
      this.#violated({ promise: promises.faults, text: `${line} failed: ${error}` });
    }
    this.#underWay.delete(line);
  }

  /** Waits until nothing is on its way, and judges what was. */
  async #quiet(): Promise<void> {
    const { bounds, witness } = this.#simulation;
    const ms = await settle(this.#simulation);
    this.#slowestQuietMs = Math.max(this.#slowestQuietMs, ms);
    await this.#activity.settle(witness, 2 * bounds.leaseMs + 3 * bounds.slackMs);
    const { judged, measured, violations } = judge(witness.history, bounds);
    this.report.quietMoments++;
    this.report.judged += judged;
    for (const one of [...measured, ...witness.measured]) this.report.measured(one);
    for (const violation of violations) this.#violated(violation);
    for (const [channel, order] of witness.orders) {
      const events = order.contradiction();
      if (events.length > 0) {
        const text = `${channel}: clients received in different orders: ${events.slice(0, 8)}`;
        this.#violated({ promise: promises.events, text });
      }
    }
    witness.begin();
    this.#take();
    this.#memory.measure();
    this.#state();
    this.#options.save?.(this.report);
    const connected = this.#simulation.crowd.connected.length;
    this.#print(
      `quiet after ${secondsText(ms)}: ${connected} clients, ${judged} judged, ` +
        `${this.report.violationCount} violations so far`,
    );
  }

  #violated(violation: Violation): void {
    if (this.#isOver) return;
    const during = [...this.#underWay].join(" + ");
    const context = during ? `; during ${during}` : "";
    this.#violations.add({ ...violation, context }, performance.now());
  }

  /** Prints and keeps violations that are complete by a time. */
  #take(now = Infinity): void {
    for (const { at, promise, text } of this.#violations.take(now)) {
      this.report.violated({ at: at - this.#start, promise, text });
      if (this.report.violationCount <= 200) this.#print(`VIOLATION: ${text}`);
    }
  }

  #print(line: string): void {
    const seconds = ((performance.now() - this.#start) / 1_000).toFixed(1).padStart(7);
    this.#options.print(`${seconds} s  ${this.#round}  ${line}`);
  }

  #end(): void {
    this.#isOver = true;
    this.#starts.isOver = true;
    this.#publisher?.pause();
  }

  [Symbol.dispose](): void {
    this.#end();
    clearInterval(this.#timer);
    this.#machine[Symbol.dispose]();
    this.#pulse[Symbol.dispose]();
  }
}
