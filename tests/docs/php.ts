import { withTimeout } from "../fixtures/with_timeout.ts";
/** How long a script may take, in milliseconds. */
const timeoutMs = 180_000;

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
