import { randomBytes, randomInt } from "node:crypto";
import { z } from "zod";

const secretsSchema = z.strictObject({
  appSecret: z.string().regex(/^[0-9a-f]{64,}$/, "must be at least 64 lower-case hex digits"),
  pusherAppId: z.string().regex(/^[0-9]{1,20}$/, "must be 1 to 20 digits"),
  pusherKey: z.string().regex(/^[0-9a-f]{20}$/, "must be 20 lower-case hex digits"),
  pusherSecret: z.string().regex(/^[0-9a-f]{40,}$/, "must be at least 40 lower-case hex digits"),
});

/** The secrets that an installation generates on its first run and stores. */
export type KeptSecrets = z.infer<typeof secretsSchema>;

/** Stored secrets are damaged. The message is one line for the console. */
export class SecretsError extends Error {
  override name = "SecretsError";
}

/** Generates secrets. */
export function newSecrets(): KeptSecrets {
  return {
    appSecret: randomBytes(32).toString("hex"),
    pusherAppId: String(randomInt(100_000, 10_000_000)),
    pusherKey: randomBytes(10).toString("hex"),
    pusherSecret: randomBytes(20).toString("hex"),
  };
}

/**
 * Reads stored secrets from JSON. Damaged ones are not replaced: that would end every session and
 * disconnect every client.
 *
 * @param place where they are stored, for the error.
 * @throws {SecretsError} when they are damaged. The message names fields, and never contains a value.
 */
export function parseSecrets(place: string, text: string): KeptSecrets {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    // The parser's message quotes the text, which is secret.
    throw new SecretsError(damaged(place, "it is not JSON"));
  }
  const parsed = secretsSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) =>
    issue.path.length > 0 ? `${issue.path.join(".")}: ${issue.message}` : issue.message
  );
  throw new SecretsError(damaged(place, faults.join("; ")));
}

function damaged(place: string, fault: string): string {
  return `The secrets in ${place} are damaged (${fault}). ` +
    "Restore them from a backup, or delete them to generate new ones.";
}
