import { z } from "zod";

/** A variable that the supervisor gives a worker: the supervisor's process, and what the worker is. */
const roleVariable = "ROLLCALL_WORKER";

/** The signal with which the worker that announces reports that it has done so. */
export const readySignal = "SIGUSR2";

const roleSchema = z.object({
  /** The process that started it. */
  supervisor: z.int().positive(),
  /** From 1. */
  number: z.int().positive(),
  /** Whether it announces, for all workers, that Rollcall is ready. */
  announces: z.boolean(),
});

/** What a worker is among those of its supervisor. */
export type WorkerRole = z.infer<typeof roleSchema>;

/** The flag without which Deno does not let processes share a port. */
const portSharing = "--unstable-net";

/** Adds the flag to a command line of Deno's; a compiled program has it from its compilation. */
export function withPortSharing(words: string[]): string[] {
  if (words.includes(portSharing)) return words;
  return words[0] === "run" ? ["run", portSharing, ...words.slice(1)] : [portSharing, ...words];
}

/** What this process is for the supervisor that started it; undefined when none did. */
export const workerRole: WorkerRole | undefined = readRole(Deno.env.get(roleVariable));

/** The environment that makes a process a worker. */
export function workerEnvironment(role: WorkerRole): Record<string, string> {
  return { [roleVariable]: JSON.stringify(role) };
}

function readRole(text: string | undefined): WorkerRole | undefined {
  return text === undefined ? undefined : roleSchema.parse(JSON.parse(text));
}

/** Reports to the supervisor, if this worker announces, that it has done so. */
export function reportReady(): void {
  const { supervisor, announces } = workerRole ?? {};
  // Another process may have its number meanwhile.
  if (announces && supervisor === Deno.ppid) Deno.kill(supervisor, readySignal);
}

/** Resolves when the supervisor has ended, also by a kill: it holds the other end of stdin. */
export async function supervisorEnded(): Promise<void> {
  const bytes = new Uint8Array(64);
  try {
    while (await Deno.stdin.read(bytes) !== null);
  } catch {
    // What cannot be read has no other end.
  }
}
