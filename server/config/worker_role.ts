import { z } from "zod";

/** A variable that the supervisor gives a process: the supervisor's own process, and what the other one is. */
const roleVariable = "ROLLCALL_WORKER";

const roleSchema = z.object({
  /** The process that started it. */
  supervisor: z.int().positive(),
  /** What no other supervisor has, on any machine. */
  group: z.string(),
  /** From 1; 0 is the coordinator, which serves the workers. */
  number: z.int().nonnegative(),
  /** Whether it announces, for all workers, that Rollcall is ready. */
  announces: z.boolean(),
  /** Where the coordinator listens; absent: the workers share their users in Redis. */
  socketPath: z.string().optional(),
});

/** What a process is among the processes of its supervisor. */
export type WorkerRole = z.infer<typeof roleSchema>;

/** The number of the coordinator, and of its standby, among the processes of a supervisor. */
export const coordinatorNumber = 0;

/** What this process is for the supervisor that started it; undefined when none did. */
export const workerRole: WorkerRole | undefined = readRole(Deno.env.get(roleVariable));

/** The environment that gives a process its role. */
export function roleEnvironment(role: WorkerRole): Record<string, string> {
  return { [roleVariable]: JSON.stringify(role) };
}

function readRole(text: string | undefined): WorkerRole | undefined {
  return text === undefined ? undefined : roleSchema.parse(JSON.parse(text));
}

/** Resolves when the supervisor has ended, also by a kill: it holds the other end of stdin. */
export async function supervisorEnded(): Promise<void> {
  while (await supervisorCalls());
}

/** Resolves with true when the supervisor calls this process, and with false when it has ended. Never rejects. */
export async function supervisorCalls(): Promise<boolean> {
  // What cannot be read has no other end.
  return await Deno.stdin.read(new Uint8Array(64)).catch(() => null) !== null;
}
