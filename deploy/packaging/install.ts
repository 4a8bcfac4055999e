import { fileURLToPath } from "node:url";

const projectFolder = fileURLToPath(new URL("../../", import.meta.url));

/** How long JSR may take to answer, in milliseconds. */
const timeoutMs = 20_000;

/**
 * Installs the packages for production: where JSR can be reached, its own in place of the shims, which
 * changes `deno.json`, `deno.lock` and, for tests, `deno.dev.json`; otherwise what these say.
 */
async function main(): Promise<number> {
  const manifest = JSON.parse(await Deno.readTextFile(`${projectFolder}/deno.json`));
  const links: string[] = manifest.links ?? [];
  const shims = links.filter((link) => link.startsWith("./packages/jsr/"));
  if (shims.length === 0) return await deno("install", "--frozen");
  const reason = await whyUnreachable();
  if (reason !== null) {
    console.warn(`JSR cannot be reached (${reason}): Rollcall will run on its shims`);
    return await deno("install", "--frozen");
  }
  console.log("JSR can be reached: its packages take the place of the shims");
  // Not frozen: the lock file cannot have these packages, as they are not what `deno.json` links.
  await unlinkInTests();
  return await deno("unlink", ...shims) || await deno("install", "--frozen=false");
}

/** Has tests run on the packages of JSR as well: `deno unlink` changes `deno.json` only. */
async function unlinkInTests(): Promise<void> {
  const path = `${projectFolder}/deno.dev.json`;
  const text = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, text.replace(/"links":\s*\[[^\]]*\],\s*/, ""));
}

async function whyUnreachable(): Promise<string | null> {
  const registry = Deno.env.get("JSR_URL") ?? "https://jsr.io/";
  try {
    const response = await fetch(new URL("/@fresh/core/meta.json", registry), {
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    return response.ok ? null : `status ${response.status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function deno(...args: string[]): Promise<number> {
  const command = new Deno.Command(Deno.execPath(), { args, cwd: projectFolder });
  return (await command.spawn().status).code;
}

Deno.exit(await main());
