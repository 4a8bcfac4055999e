import type * as declared from "../types/svelte.d.ts";
import type { ClientSource, HookOptions, Online } from "../types/index.d.ts";
import { follow, unknown } from "./online.ts";

/** See the types. Svelte takes for a store whatever has `subscribe`, so nothing of it is imported. */
export const online = ((client: ClientSource, channel: string, options: HookOptions = {}) => ({
  subscribe(run: (online: Online) => void) {
    run(unknown);
    // A server that renders subscribes for a moment.
    if (typeof document === "undefined") return () => {};
    return follow(client, channel, options, run);
  },
})) as typeof declared.online;
