/**
 * How many files and sockets a process may have open here, this one's children included; Infinity
 * where it cannot be asked.
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
