/** Resolves after some milliseconds. */
export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Milliseconds as seconds, such as `1.5 s`. */
export function secondsText(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
