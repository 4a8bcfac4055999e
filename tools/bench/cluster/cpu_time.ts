/** Microseconds of CPU time of a process and its children so far; Linux counts in hundredths of a second. */
export async function cpuTimeOf(pid: number): Promise<number> {
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
  const [user, system] = stat.slice(stat.lastIndexOf(")")).split(" ").slice(12, 14).map(Number);
  const children = await Deno.readTextFile(`/proc/${pid}/task/${pid}/children`);
  const ofChildren = await Promise.all(
    children.split(" ").filter(Boolean).map((child) => cpuTimeOf(Number(child))),
  );
  return ofChildren.reduce((sum, cpu) => sum + cpu, (user + system) * 10_000);
}
