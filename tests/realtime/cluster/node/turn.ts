/** Lets everything happen that waits for no time, as far as data in memory go. */
export async function turn(): Promise<void> {
  for (let ticks = 0; ticks < 60; ticks++) await undefined;
}
