import type { ServerReport, ServerReports } from "../database/server_reports.ts";
import type { Clock } from "@/realtime/timing/clock.ts";
import type { Servers } from "../presence/servers.ts";

/** For how many leases it has to be so that other servers reach Redis and this one does not. */
const leasesAlone = 2;

/** How many times a server reports in a lease. */
const reportsALease = 3;

/**
 * Whether a server has been without Redis for two leases while another one has reached it, and does: after
 * an outage for all, one is back before the other, which is no reason to send clients away.
 */
export function isPartitioned(
  reports: readonly ServerReport[],
  { id, leaseMs }: { id: string; leaseMs: number },
): boolean {
  const isSo = ({ forMs }: ServerReport) => forMs >= leasesAlone * leaseMs;
  const own = reports.find((report) => report.id === id);
  if (!own || own.seesRedis || !isSo(own)) return false;
  return reports.some((report) => report.seesRedis && isSo(report) && report.ageMs <= leaseMs);
}

/** What a {@link PartitionWatch} is made with. */
export interface PartitionWatchOptions {
  /** The id of this server in the reports. */
  id: string;
  reports: ServerReports;
  servers: Servers;
  /** Is called when this server was found to be partitioned, and when it no longer is. */
  changed: (isPartitioned: boolean) => void;
  /** Is called with the last report of each server, whenever they were read. */
  read: (reports: readonly ServerReport[]) => void;
  /** The reports could be neither stored nor read; called once until that works again. */
  failed: (error: unknown) => void;
  clock: Clock;
}

/**
 * Reports whether this server reaches Redis, and finds out from the reports of the others whether it is
 * the only one that does not. While their database does not answer, it is not known to be partitioned.
 */
export class PartitionWatch {
  readonly #options: PartitionWatchOptions;
  readonly #stopListening: () => void;
  #reporting: Promise<void> | undefined;
  #cancel = () => {};
  /** What the last stored report was made of; null: there is none. */
  #reported: { staleSince: number | undefined } | null = null;
  #isPartitioned = false;
  #hasFailed = false;
  #isStopped = false;

  /** Starts with a first report. */
  constructor(options: PartitionWatchOptions) {
    this.#options = options;
    this.#stopListening = options.servers.onChange(() => this.#changed());
    this.#report();
  }

  /** Removes the report of this server, and judges no more. Never rejects. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopListening();
    this.#cancel();
    await this.#reporting;
    // Without this, the report is out of date after a lease.
    await this.#options.reports.remove().catch(() => {});
  }

  #changed(): void {
    const { staleSince } = this.#options.servers;
    if (this.#reported?.staleSince === staleSince) return;
    if (staleSince === undefined) this.#judge(false);
    this.#report();
  }

  #report(): void {
    if (this.#reporting || this.#isStopped) return;
    this.#cancel();
    const { clock, servers } = this.#options;
    this.#reporting = this.#exchange().finally(() => {
      this.#reporting = undefined;
      if (this.#isStopped) return;
      this.#cancel = clock.after(servers.leaseMs / reportsALease, () => this.#report());
    });
  }

  /** Never rejects. */
  async #exchange(): Promise<void> {
    const { failed, id, read, reports, servers } = this.#options;
    try {
      const reported = this.#reported;
      if (!reported) await reports.deleteOld();
      const { leaseMs, staleSince } = servers;
      const isChanged = !reported || reported.staleSince !== staleSince;
      await reports.report(staleSince === undefined, isChanged);
      this.#reported = { staleSince };
      const all = await reports.read();
      this.#hasFailed = false;
      read(all);
      // What has changed meanwhile is not reported yet.
      const isOfNow = servers.staleSince === staleSince;
      this.#judge(isOfNow && isPartitioned(all, { id, leaseMs }));
    } catch (error) {
      this.#judge(false);
      if (!this.#hasFailed) failed(error);
      this.#hasFailed = true;
    }
  }

  #judge(isPartitioned: boolean): void {
    if (this.#isStopped || isPartitioned === this.#isPartitioned) return;
    this.#isPartitioned = isPartitioned;
    this.#options.changed(isPartitioned);
  }
}
