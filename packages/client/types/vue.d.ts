import type { ShallowRef } from "vue";
import type { ClientSource, HookOptions, Member } from "./index.d.ts";

/** Joins a presence channel while the component is mounted. */
export function useRollcall<Info = unknown>(
  client: ClientSource,
  channel: string,
  options?: HookOptions<Info>,
): {
  /** The number of members; null until it is known. */
  count: ShallowRef<number | null>;
  members: ShallowRef<readonly Member<Info>[]>;
};
