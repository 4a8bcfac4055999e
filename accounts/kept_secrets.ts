import { randomBytes, randomInt } from "node:crypto";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const fileName = "secrets.json";

const secretsSchema = z.strictObject({
  appSecret: z.string().regex(/^[0-9a-f]{64,}$/, "must be at least 64 lower-case hex digits"),
  pusherAppId: z.string().regex(/^[0-9]{1,20}$/, "must be 1 to 20 digits"),
  pusherKey: z.string().regex(/^[0-9a-f]{20}$/, "must be 20 lower-case hex digits"),
  pusherSecret: z.string().regex(/^[0-9a-f]{40,}$/, "must be at least 40 lower-case hex digits"),
});

/** The secrets that an installation makes for itself on its first run. */
export type KeptSecrets = z.infer<typeof secretsSchema>;

/**
 * The secrets of the installation that keeps its data in `dataFolder`, made on the first call.
 *
 * They live in `secrets.json` with mode 600. The file appears whole or not at all, and of several
 * processes that start at once all get the secrets of the one that came first.
 *
 * @throws {Error} when the file is there but damaged. The message names the field and what is
 * allowed, never a value: a silent replacement would end every session and break every client.
 */
export async function keptSecrets(dataFolder: string): Promise<KeptSecrets> {
  const path = join(dataFolder, fileName);
  const kept = await readSecrets(path);
  if (kept) return kept;
  await Deno.mkdir(dataFolder, { recursive: true, mode: 0o700 });
  await createOnce(path, JSON.stringify(newSecrets(), null, 2) + "\n");
  const created = await readSecrets(path);
  if (!created) throw new Error(`${path} vanished right after it was written`);
  return created;
}

function newSecrets(): KeptSecrets {
  return {
    appSecret: randomBytes(32).toString("hex"),
    pusherAppId: String(randomInt(100_000, 10_000_000)),
    pusherKey: randomBytes(10).toString("hex"),
    pusherSecret: randomBytes(20).toString("hex"),
  };
}

async function readSecrets(path: string): Promise<KeptSecrets | null> {
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
  return parseSecrets(path, text);
}

function parseSecrets(path: string, text: string): KeptSecrets {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, which is secret.
    throw new Error(damaged(path, "it is not JSON"));
  }
  const parsed = secretsSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) =>
    issue.path.length > 0 ? `${issue.path.join(".")}: ${issue.message}` : issue.message
  );
  throw new Error(damaged(path, faults.join("; ")));
}

function damaged(path: string, fault: string): string {
  return `The secrets kept in ${path} are damaged (${fault}). ` +
    "Restore the file from a backup, or remove it to have new secrets made.";
}

/** Writes the file unless it exists. A hard link fails on an existing name, which a rename does not. */
async function createOnce(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await writeDurably(temporary, text);
    await Deno.link(temporary, path);
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  } finally {
    await Deno.remove(temporary);
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
