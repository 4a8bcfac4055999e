/** A number of seconds as text: `1 second`, `30 seconds`. */
export function secondsText(seconds: number): string {
  return seconds === 1 ? "1 second" : `${seconds} seconds`;
}
