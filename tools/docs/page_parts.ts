import type { Field } from "@/server/config/setting.ts";

const end = "<!-- End of what is written. -->";

/**
 * A page with its generated parts; the rest of the page stays as it is.
 *
 * @param parts the Markdown of each part, by the file that the page says it is written from.
 */
export async function withParts(path: string, parts: Record<string, string>): Promise<string> {
  let page = await Deno.readTextFile(path);
  for (const [source, part] of Object.entries(parts)) {
    const begin = `<!-- Written by \`deno task docs\` from ${source}. -->`;
    const [before, rest] = page.split(begin);
    const [, ...after] = rest?.split(end) ?? [];
    if (after.length === 0) throw new Error(`${path} needs the lines ${begin} and ${end}`);
    page = `${before}${begin}\n\n${part}\n\n${end}${after.join(end)}`;
  }
  return await formatted(page);
}

/** A table of Markdown. */
export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Markdown as `deno fmt` leaves it, so that a generated file passes the check of the formatting. */
export async function formatted(markdown: string): Promise<string> {
  await using child = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--quiet", "--ext", "md", "-"],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const input = child.stdin.getWriter();
  await input.write(new TextEncoder().encode(markdown));
  await input.close();
  const { success, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`deno fmt failed: ${decoder.decode(stderr)}`);
  return decoder.decode(stdout);
}

/** A text that every field with a form of its own refuses. */
const refusedByAll = "\u0000";

/**
 * What a field accepts, in the words of the fault that a wrong value gets, without those about that value
 * after a semicolon; undefined for any text.
 */
export function valuesOf({ schema }: Field): string | undefined {
  const parsed = schema.safeParse(refusedByAll);
  return parsed.error?.issues[0].message.split("; ")[0];
}

/** The value of a field that is not given; undefined when there is none, or none that is fixed. */
export function defaultOf({ schema, default: stated }: Field): string | undefined {
  const value = stated ?? schema.safeParse(undefined).data;
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return undefined;
  return String(value);
}
