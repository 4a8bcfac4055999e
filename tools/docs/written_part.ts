import { formatted } from "./formatted.ts";

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
