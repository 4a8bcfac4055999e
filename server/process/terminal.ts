const ofTerminal = Deno.stdin.isTerminal();

/** Whether the process was started from a terminal that has been closed. */
export function terminalIsGone(): boolean {
  return ofTerminal && !Deno.stdin.isTerminal();
}
