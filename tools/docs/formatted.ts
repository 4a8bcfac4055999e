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
