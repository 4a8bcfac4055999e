import { Counter, Gauge, type Registry } from "prom-client";

/** A value with the labels that it belongs to. */
export interface Reading<L extends string = string> {
  labels: Partial<Record<L, string>>;
  value: number;
}

/** What a metric is called, and what it tells. */
interface Naming<L extends string> {
  /** By Prometheus' conventions: base units, and `_total` at the end of a counter. */
  name: string;
  help: string;
  labelNames?: readonly L[];
}

/** A metric whose values are kept elsewhere and read whenever somebody asks. */
type Read<L extends string> = () => number | Reading<L>[];

/** Tells what goes up and down. */
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

/** Tells what only goes up. */
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
