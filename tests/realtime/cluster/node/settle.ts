/** Lets everything happen that waits for no time, as far as data in memory go. */
export async function settle(): Promise<void> {
  for (let ticks = 0; ticks < 60; ticks++) await undefined;
}
