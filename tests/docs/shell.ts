import { programCommand } from "../fixtures/program.ts";
import { inherited, Rollcall } from "../fixtures/rollcall.ts";
import { withTimeout } from "../fixtures/with_timeout.ts";

/** How long a block may take, in milliseconds. */
const timeoutMs = 240_000;

/** What the commands that ask for a password are answered. */
const password = "correct horse battery";

/** Where the documents put backups. */
const backupFolder = "/var/backups/rollcall";

/** A shell in which the programs that the documents call are this checkout's. */
export class Shell implements AsyncDisposable {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(): Promise<Shell> {
    const shell = new Shell(await Deno.makeTempDir({ prefix: "rollcall-shell-" }));
    const deno = Deno.execPath();
    await shell.#write("deno", `exec ${deno} "$@"`);
    const program = programCommand([]).join(" ");
    await shell.#write("rollcall", `echo '${password}' | ${program} "$@"`);
    // What npx downloads is the Deno that runs the tests.
    const isDeno = `case "$1 $2" in "--yes deno@"*) ;; *) exit 3 ;; esac`;
    await shell.#write("npx", `${isDeno}\nshift 2\nexec ${deno} "$@"`);
    return shell;
  }

  /** Runs the text of a block in the folder of the checkout; answers what it printed. */
  async run(text: string, environment: Record<string, string>): Promise<string> {
    await using child = new Deno.Command("bash", {
      args: ["-euo", "pipefail", "-c", this.#localized(text)],
      clearEnv: true,
      env: { ...this.#environment(), ...environment },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const { code, stdout, stderr } = await withTimeout(child.output(), `ended: ${text}`, timeoutMs);
    const decoder = new TextDecoder();
    const printed = decoder.decode(stdout) + decoder.decode(stderr);
    if (code !== 0) throw new Error(`Exit code ${code} of\n${text}\n${printed}`);
    return printed;
  }

  /** Starts a block that serves, and waits until it listens. */
  serve(text: string, environment: Record<string, string> = {}): Promise<Rollcall> {
    const command = ["bash", "-c", this.#localized(text).trim()];
    return Rollcall.startCommand(command, { ...this.#environment(), ...environment });
  }

  /** Starts a block that goes on, waits until it prints this, and ends it. */
  async follow(
    text: string,
    environment: Record<string, string>,
    pattern: RegExp,
  ): Promise<RegExpMatchArray> {
    const child = new Deno.Command("bash", {
      args: ["-c", this.#localized(text).trim()],
      clearEnv: true,
      env: { ...this.#environment(), ...environment },
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    try {
      return await withTimeout(firstMatch(child.stdout, pattern), `printed ${pattern}`, timeoutMs);
    } finally {
      child.kill("SIGINT");
      await withTimeout(child.status, `ended: ${text}`, timeoutMs);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.#folder, { recursive: true });
  }

  #localized(text: string): string {
    return text.replaceAll(backupFolder, this.#folder);
  }

  #environment(): Record<string, string> {
    const { PATH = "", ...others } = inherited();
    return { ...others, NO_COLOR: "1", PATH: `${this.#folder}:${PATH}` };
  }

  async #write(name: string, script: string): Promise<void> {
    await Deno.writeTextFile(`${this.#folder}/${name}`, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
}

/** The first match in what a stream brings; the rest is not read. */
async function firstMatch(
  stream: ReadableStream<Uint8Array>,
  pattern: RegExp,
): Promise<RegExpMatchArray> {
  const decoder = new TextDecoder();
  let printed = "";
  for await (const bytes of stream) {
    printed += decoder.decode(bytes, { stream: true });
    const match = printed.match(pattern);
    if (match) return match;
  }
  throw new Error(`The output ended without ${pattern}:\n${printed}`);
}

/** What of Laravel the blocks need to be run: classes that remember what they are given. */
const laravel = `
class User
{
    public function __construct(public string $public_id) {}
}

class Broadcast
{
    public static array $rules = [];

    public static function channel(string $name, callable $rule): void
    {
        self::$rules[$name] = $rule;
    }
}
`;

/**
 * Checks the syntax of a block; methods stand in a class.
 *
 * @throws {Error} with what PHP says.
 */
export async function lintPhp(text: string): Promise<void> {
  await php(["-l"], isMethod(text) ? `<?php class Block\n{\n${text}}\n` : `<?php\n${text}`);
}

/** Runs a block, then a line that prints; answers what it printed. */
export function runPhp(
  text: string,
  print: string,
  environment: Record<string, string> = {},
): Promise<string> {
  const block = isMethod(text) ? `class Block extends User\n{\n${text}}\n` : text;
  return php([], `<?php\n${laravel}\n${block}\n${print}\n`, environment);
}

function isMethod(text: string): boolean {
  return /^(public|protected|private) function/.test(text);
}

async function php(
  args: string[],
  script: string,
  environment: Record<string, string> = {},
): Promise<string> {
  await using child = new Deno.Command("php", {
    args: ["-d", "display_errors=stderr", ...args],
    env: environment,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const input = child.stdin.getWriter();
  await input.write(new TextEncoder().encode(script));
  await input.close();
  const { code, stdout, stderr } = await withTimeout(child.output(), "PHP had ended", timeoutMs);
  const decoder = new TextDecoder();
  const faults = decoder.decode(stderr);
  if (code !== 0 || faults !== "") throw new Error(`PHP: ${faults}${decoder.decode(stdout)}`);
  return decoder.decode(stdout);
}
