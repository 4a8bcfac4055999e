import { join } from "node:path";
import { publishText } from "../database/durable_file.ts";
import { type KeptSecrets, newSecrets, parseSecrets } from "./kept_secrets.ts";

/** The name of the file in the data folder. */
export const secretsFileName = "secrets.json";

/**
 * The secrets of the installation with this data folder, generated on the first call.
 *
 * They are stored in `secrets.json` with mode 600. The file is written completely or not at all, and
 * processes that start at the same moment get the same secrets.
 *
 * @throws {SecretsError} when the file is damaged; see {@link parseSecrets}.
 */
export async function secretsInFolder(dataFolder: string): Promise<KeptSecrets> {
  const kept = await readSecretsFile(dataFolder);
  if (kept) return kept;
  await Deno.mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const path = join(dataFolder, secretsFileName);
  try {
    await publishText(path, JSON.stringify(newSecrets(), null, 2) + "\n", false);
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
  const created = await readSecretsFile(dataFolder);
  if (!created) throw new Error(`${path} vanished right after it was written`);
  return created;
}

/** Replaces the secret of the app of Rollcall's own pages in `secrets.json`. */
export async function replacePusherSecret(dataFolder: string, pusherSecret: string): Promise<void> {
  const secrets = { ...await secretsInFolder(dataFolder), pusherSecret };
  const path = join(dataFolder, secretsFileName);
  await publishText(path, JSON.stringify(secrets, null, 2) + "\n", true);
}

/**
 * The secrets in a data folder, or null if it has none. Writes nothing.
 *
 * @throws {SecretsError} when the file is damaged; see {@link parseSecrets}.
 */
export async function readSecretsFile(dataFolder: string): Promise<KeptSecrets | null> {
  const path = join(dataFolder, secretsFileName);
  try {
    return parseSecrets(path, await Deno.readTextFile(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
