/**
 * Microseconds of CPU time that the threads of a process and of its children used so far. Linux has
 * nanoseconds of each thread that lives, and only hundredths of a second of the whole process.
 */
export async function cpuTimeOf(pid: number): Promise<number> {
  const tasks = `/proc/${pid}/task`;
  let nanoseconds = 0;
  for await (const { name } of Deno.readDir(tasks)) {
    nanoseconds += Number((await read(`${tasks}/${name}/schedstat`)).split(" ")[0]);
  }
  const children = (await read(`${tasks}/${pid}/children`)).split(" ").filter(Boolean);
  const ofChildren = await Promise.all(children.map((child) => cpuTimeOf(Number(child))));
  return ofChildren.reduce((sum, cpu) => sum + cpu, nanoseconds / 1_000);
}

/** The text of a file; of a thread that has ended meanwhile, an empty one. */
async function read(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch {
    return "";
  }
}
