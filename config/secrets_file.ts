import { join } from "node:path";
import { publishText } from "../database/durable_file.ts";
import { type KeptSecrets, newSecrets, parseSecrets } from "./kept_secrets.ts";

/** Where the secrets are, in the data folder. */
export const secretsFileName = "secrets.json";

/**
 * The secrets of the installation that keeps its data in `dataFolder`, made on the first call.
 *
 * They live in `secrets.json` with mode 600. The file appears whole or not at all, and of several
 * processes that start at once all get the secrets of the one that came first.
 *
 * @throws {SecretsError} when the file is there but damaged; see {@link parseSecrets}.
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

/**
 * The secrets in a data folder, or null when none are kept there. Writes nothing.
 *
 * @throws {SecretsError} when the file is there but damaged; see {@link parseSecrets}.
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
