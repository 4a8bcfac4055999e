import type { Bounds } from "./bounds.ts";
import { Crowd } from "./crowd/crowd.ts";
import { Pulse } from "./crowd/pulse.ts";
import { Witness } from "./crowd/witness.ts";
import { drawn, planned } from "./faults/drawing.ts";
import { type FaultKind, type PlannedFault, wait, type World } from "./faults/fault.ts";
import { Installation } from "./installation/installation.ts";
import type { Server } from "./installation/server.ts";
import { Publisher } from "./publisher.ts";
import { settle } from "./quiet.ts";
import { StoredActivity } from "./stored_activity.ts";
import { Random } from "./random.ts";
import { Report } from "./report.ts";
import { judge } from "./truth/verdicts.ts";

/** How a run is made. */
export interface ChaosOptions {
  readonly minutes: number;
  readonly seed: number;
  readonly servers: number;
  /** How many tabs there are. */
  readonly sockets: number;
  readonly kinds: readonly FaultKind[];
  readonly bounds: Bounds;
  readonly print: (line: string) => void;
}

/** How often the machine is asked whether it is too busy for the tool itself, in milliseconds. */
const watchMs = 200;

/** Injects faults into an installation under load until the time is over, and judges all that was sent. */
export async function chaos(options: ChaosOptions): Promise<Report> {
  await using installation = await Installation.start(options.servers, options.bounds);
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
  readonly #world: World;
  readonly #activity: StoredActivity;
  readonly #random: Random;
  readonly #start = performance.now();
  readonly #pulse: Pulse;
  readonly #watch: ReturnType<typeof setInterval>;
  /** Faults under way, for messages. */
  readonly #underWay = new Set<string>();
  #episode = 0;
  #lostLeases = 0;
  #slowestQuietMs = 0;

  constructor(
    options: ChaosOptions,
    installation: Installation,
    witness: Witness,
    crowd: Crowd,
    random: Random,
  ) {
    this.#options = options;
    this.#random = random;
    this.#activity = new StoredActivity(installation.postgres.address);
    const { bounds } = options;
    const start = (server: Server) => this.#startServer(server);
    this.#world = { installation, witness, crowd, bounds, start };
    witness.onViolation = (text) => this.#violated(text);
    installation.onEnd = (server, output) => {
      crowd.serverEnded(server);
      witness.serverEnds(server.name, "server killed");
      this.#violated(`${server.name} ended by itself with ${output}`);
      start(server);
    };
    this.#pulse = new Pulse(installation, witness);
    let last = performance.now();
    this.#watch = setInterval(() => last = this.#look(last), watchMs);
  }

  async run(crowdRandom: Random): Promise<void> {
    const { bounds, kinds, minutes, servers, sockets } = this.#options;
    const { crowd, installation, witness } = this.#world;
    const publisher = new Publisher(installation, crowd, crowdRandom);
    const kindsInTurn = drawn(kinds, this.#random);
    crowd.begin();
    await this.#quiet();
    while (performance.now() - this.#start < minutes * 60_000) {
      this.#episode++;
      const faults = planned(kindsInTurn, this.#random.whole(1, 4), this.#world, this.#random);
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
    const facts = {
      "Seed": String(this.#options.seed),
      "Minutes": ((performance.now() - this.#start) / 60_000).toFixed(1),
      "Servers": `${servers} at first`,
      "Clients": `${crowd.tabs.length}, ${
        crowd.tabs.filter((tab) => tab.isPusherJs).length
      } of them pusher-js`,
      "Joins, leaves, reloads, moves": Object.values(crowd.counts).join(", "),
      "Frames that clients received": String(witness.frames),
      "Changes and lists judged": String(this.report.judged),
      "Events published, refused, sent by clients":
        `${publisher.published}, ${publisher.refused}, ${publisher.sent}`,
      "Events received": String(witness.events),
      "Slowest empty answer of a running server": `${(this.#pulse.worstMs / 1_000).toFixed(1)} s`,
      "Leases that servers lost": String(this.#lostLeases),
      "Joins and leaves stored in PostgreSQL": `${this.#activity.entries}, after ${
        (this.#activity.slowestMs / 1_000).toFixed(1)
      } s at most`,
      "Quiet moments": String(this.report.quietMoments),
      "Longest way to a quiet moment": `${(this.#slowestQuietMs / 1_000).toFixed(1)} s`,
      "Connections that ended without the client": String(witness.closes),
    };
    for (const [name, value] of Object.entries(facts)) this.report.facts.set(name, value);
  }

  /** Notes what is no fault of the servers, and no fault that was drawn. @returns now */
  #look(last: number): number {
    const { bounds, installation, witness } = this.#world;
    const now = performance.now();
    if (now - last > watchMs + 700) {
      witness.disturbances.push({ name: "the machine was busy", from: last, until: now });
      this.#print(`The machine was too busy for ${((now - last) / 1_000).toFixed(1)} s`);
    }
    for (const server of installation.servers) {
      const lost = server.newLostLeases();
      if (lost === 0) continue;
      this.#lostLeases += lost;
      const from = now - bounds.leaseMs - bounds.slackMs;
      const what = { name: "lost lease", server: server.name, mayEndLease: true };
      witness.disturbances.push({ ...what, from, until: now });
    }
    return now;
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
      this.#violated(`${line} failed: ${error}`);
    }
    this.#underWay.delete(line);
  }

  /** Waits until nothing is on its way, and judges what was. */
  async #quiet(): Promise<void> {
    const { bounds, witness } = this.#world;
    const ms = await settle(this.#world);
    this.#slowestQuietMs = Math.max(this.#slowestQuietMs, ms);
    await this.#activity.settle(witness, 2 * bounds.leaseMs + 3 * bounds.slackMs);
    const { judged, measured, violations } = judge(witness.history, bounds);
    this.report.quietMoments++;
    this.report.judged += judged;
    for (const one of measured) this.report.measured(one);
    for (const text of violations) this.#violated(text);
    for (const [channel, order] of witness.orders) {
      const events = order.contradiction();
      if (events.length > 0) {
        this.#violated(`${channel}: clients received in different orders: ${events.slice(0, 8)}`);
      }
    }
    witness.begin();
    const connected = this.#world.crowd.connected.length;
    this.#print(
      `quiet after ${(ms / 1_000).toFixed(1)} s: ${connected} clients, ${judged} judged, ` +
        `${this.report.violations.length} violations so far`,
    );
  }

  /** What a start needs may be away, and nothing restarts it. */
  async #startServer(server: Server): Promise<void> {
    for (let attempt = 1;; attempt++) {
      try {
        return await server.start();
      } catch (error) {
        this.#print(`${server.name} did not start: ${error}`);
        if (attempt < 10) await wait(1_000);
        else return this.#violated(`${server.name} does not start: ${error}`);
      }
    }
  }

  #violated(text: string): void {
    const at = performance.now() - this.#start;
    const during = [...this.#underWay].join(" + ");
    const context = during ? `; during ${during}` : "";
    this.report.violations.push({ at, text: `${text}${context}` });
    if (this.report.violations.length <= 200) this.#print(`VIOLATION: ${text}${context}`);
  }

  #print(line: string): void {
    const seconds = ((performance.now() - this.#start) / 1_000).toFixed(1).padStart(7);
    this.#options.print(`${seconds} s  ${this.#episode}  ${line}`);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#watch);
    this.#pulse[Symbol.dispose]();
  }
}
