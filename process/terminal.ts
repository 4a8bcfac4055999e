const ofTerminal = Deno.stdin.isTerminal();

/** Whether the process was started from a terminal that is closed by now. */
export function terminalIsGone(): boolean {
  return ofTerminal && !Deno.stdin.isTerminal();
}
