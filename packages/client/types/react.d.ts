import type { ClientSource, HookOptions, Online } from "./index.d.ts";

/** Joins a presence channel while the component is shown. */
export function useRollcall<Info = unknown>(
  client: ClientSource,
  channel: string,
  options?: HookOptions<Info>,
): Online<Info>;
