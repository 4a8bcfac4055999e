/** A program that tests drive, and the Debian package that brings it. */
export interface Program {
  /** It is there when one of these is. */
  paths: string[];
  debianPackage: string;
  /** A service that the package starts whenever the machine does; the tests start their own. */
  service?: string;
}

/** Debian asks this program before it starts a package's service; code 101 refuses (invoke-rc.d(8)). */
const servicePolicy = "/usr/sbin/policy-rc.d";

/**
 * Installs the programs that are missing. That takes root's rights on Debian.
 *
 * @throws {Error} with one line that says what to install, everywhere else.
 */
export async function installPrograms(programs: readonly Program[]): Promise<void> {
  const missing = programs.filter(({ paths }) => !paths.some(exists));
  if (missing.length === 0) return;
  const packages = missing.map(({ debianPackage }) => debianPackage).join(" ");
  if (Deno.uid() !== 0 || !exists("/usr/bin/apt-get")) {
    throw new Error(`These tests need programs that are not here: apt-get install ${packages}`);
  }
  console.log(`Installing ${packages} …`);
  await apt("update");
  await withoutServices(() =>
    apt("install", "--yes", "--no-install-recommends", ...packages.split(" "))
  );
  const services = missing.flatMap(({ service }) => service ?? []);
  if (services.length > 0 && exists("/usr/bin/systemctl")) {
    await new Deno.Command("systemctl", { args: ["disable", ...services] }).output();
  }
}

/** The folders of PostgreSQL's versions; Debian has its servers outside of `PATH`. */
export function postgresFolders(): string[] {
  const root = "/usr/lib/postgresql";
  try {
    return [...Deno.readDirSync(root)].map((entry) => `${root}/${entry.name}`);
  } catch {
    return [];
  }
}

/** Installs packages without starting their services. */
async function withoutServices(install: () => Promise<void>): Promise<void> {
  if (exists(servicePolicy)) return await install();
  await Deno.writeTextFile(servicePolicy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    await install();
  } finally {
    await Deno.remove(servicePolicy);
  }
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

async function apt(...args: string[]): Promise<void> {
  const output = await new Deno.Command("apt-get", {
    args: ["-q", ...args],
    env: { DEBIAN_FRONTEND: "noninteractive" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  if (output.success) return;
  const reason = new TextDecoder().decode(output.stderr).trim().split("\n").at(-1);
  throw new Error(`apt-get ${args[0]} failed: ${reason}`);
}
