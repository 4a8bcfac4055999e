/** What was measured while a stranger attacked. */
export interface Figures {
  name: string;
  /** The longest that `/up` took, in milliseconds. */
  up: number;
  /** The longest that an event from one bystander to another took, in milliseconds. */
  event: number;
  /** CPU seconds of the server per second. */
  cpu: number;
  /** The most memory that the server had, in megabytes. */
  memory: number;
  /** Why a bystander was not served, if so. */
  fault?: string;
}

/** What must not be exceeded, whatever one stranger does. */
export const bounds = { up: 500, event: 1_000, memory: 800 };

/** What exceeds its bound, in words. */
export function faultsOf({ up, event, memory, fault }: Figures): string[] {
  return [
    ...(up > bounds.up ? ["/up"] : []),
    ...(event > bounds.event ? ["event"] : []),
    ...(memory > bounds.memory ? ["memory"] : []),
    ...(fault === undefined ? [] : [fault]),
  ];
}

const head = ["attack", "worst /up", "worst event", "CPU", "memory", "result"];

/** The figures as lines of text, in columns. */
export function tableOf(all: readonly Figures[]): string {
  const rows = [head, ...all.map(cellsOf)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column])).join("  ").trim())
    .join("\n");
}

function cellsOf(figures: Figures): string[] {
  const { name, up, event, cpu, memory } = figures;
  const faults = faultsOf(figures);
  return [
    name,
    `${Math.round(up)} ms`,
    `${Math.round(event)} ms`,
    `${Math.round(cpu * 100)} %`,
    `${Math.round(memory)} MB`,
    faults.length === 0 ? "ok" : `FAILED: ${faults.join(", ")}`,
  ];
}
