/** A program that the tests drive, and the Debian package that brings it. */
interface Requirement {
  purpose: string;
  paths: string[];
  debianPackage: string;
  /** What the package starts whenever the machine does; the tests start their own. */
  service?: string;
}

/** What the tests need beyond Deno. */
const requirements: Requirement[] = [
  { purpose: "openssl", paths: ["/usr/bin/openssl"], debianPackage: "openssl" },
  { purpose: "a browser", paths: ["/usr/bin/chromium"], debianPackage: "chromium" },
  {
    purpose: "a PostgreSQL server",
    paths: postgresFolders().map((folder) => `${folder}/bin/initdb`),
    debianPackage: "postgresql",
  },
  {
    purpose: "nginx",
    paths: ["/usr/sbin/nginx"],
    debianPackage: "nginx",
    service: "nginx.service",
  },
  { purpose: "Apache", paths: ["/usr/sbin/apache2"], debianPackage: "apache2-bin" },
  {
    purpose: "Caddy",
    paths: ["/usr/bin/caddy"],
    debianPackage: "caddy",
    service: "caddy.service",
  },
  { purpose: "PHP", paths: ["/usr/bin/php"], debianPackage: "php-cli" },
  { purpose: "curl", paths: ["/usr/bin/curl"], debianPackage: "curl" },
  { purpose: "systemd-analyze", paths: ["/usr/bin/systemd-analyze"], debianPackage: "systemd" },
  { purpose: "a terminal", paths: ["/usr/bin/script"], debianPackage: "bsdutils" },
  { purpose: "kill, which systemd calls", paths: ["/bin/kill"], debianPackage: "procps" },
];

/** What Debian asks before it starts the service of a package; code 101 says no (invoke-rc.d(8)). */
const servicePolicy = "/usr/sbin/policy-rc.d";

/**
 * Installs what is missing where we are root on Debian.
 *
 * @throws {Error} with one line that says what to install, everywhere else.
 */
export async function installRequirements(): Promise<void> {
  const missing = requirements.filter((requirement) => !requirement.paths.some(exists));
  if (missing.length === 0) return;
  const packages = missing.map((requirement) => requirement.debianPackage);
  if (Deno.uid() !== 0 || !exists("/usr/bin/apt-get")) {
    const purposes = missing.map((requirement) => requirement.purpose).join(" and ");
    throw new Error(`The tests need ${purposes}: apt-get install ${packages.join(" ")}`);
  }
  console.log(`Installing ${packages.join(", ")} …`);
  await apt("update");
  await withoutServices(() => apt("install", "--yes", "--no-install-recommends", ...packages));
  const services = missing.flatMap(({ service }) => service ?? []);
  if (services.length > 0 && exists("/usr/bin/systemctl")) {
    await new Deno.Command("systemctl", { args: ["disable", ...services] }).output();
  }
}

/** Installs packages without their services being started. */
async function withoutServices(install: () => Promise<void>): Promise<void> {
  if (exists(servicePolicy)) return await install();
  await Deno.writeTextFile(servicePolicy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    await install();
  } finally {
    await Deno.remove(servicePolicy);
  }
}

function postgresFolders(): string[] {
  const root = "/usr/lib/postgresql";
  try {
    return [...Deno.readDirSync(root)].map((entry) => `${root}/${entry.name}`);
  } catch {
    return [];
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
