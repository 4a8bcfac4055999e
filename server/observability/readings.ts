import { Counter, Gauge, type Registry } from "prom-client";

/** A value of a metric, with its labels. */
export interface Reading<L extends string = string> {
  labels: Partial<Record<L, string>>;
  value: number;
}

/** The name and description of a metric. */
interface Naming<L extends string> {
  /** By Prometheus' conventions: base units, and `_total` at the end of a counter. */
  name: string;
  help: string;
  labelNames?: readonly L[];
}

/** Reads the current values of a metric; called at each scrape. */
type Read<L extends string> = () => number | Reading<L>[];

/** Adds a gauge whose values are read at each scrape. */
export function readGauge<L extends string>(
  registry: Registry,
  naming: Naming<L>,
  read: Read<L>,
): void {
  new Gauge<L>({
    ...withLabels(naming),
    registers: [registry],
    collect() {
      this.reset();
      for (const { labels, value } of readingsOf(read())) this.set(labels, value);
    },
  });
}

/** Adds a counter whose values are read at each scrape. */
export function readCounter<L extends string>(
  registry: Registry,
  naming: Naming<L>,
  read: Read<L>,
): void {
  new Counter<L>({
    ...withLabels(naming),
    registers: [registry],
    collect() {
      this.reset();
      for (const { labels, value } of readingsOf(read())) this.inc(labels, value);
    },
  });
}

function withLabels<L extends string>({ name, help, labelNames = [] }: Naming<L>) {
  return { name, help, labelNames };
}

function readingsOf<L extends string>(read: number | Reading<L>[]): Reading<L>[] {
  return typeof read === "number" ? [{ labels: {}, value: read }] : read;
}
