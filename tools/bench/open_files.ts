/**
 * The limit of open files and sockets of a process here, which child processes share; Infinity where
 * it is unknown.
 */
export async function openFileLimit(): Promise<number> {
  try {
    const { stdout } = await new Deno.Command("sh", { args: ["-c", "ulimit -n"] }).output();
    const text = new TextDecoder().decode(stdout).trim();
    return /^\d+$/.test(text) ? Number(text) : Infinity;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return Infinity;
    throw error;
  }
}
