import { define } from "@/http/state.ts";
import type { SessionStatus } from "@/shared/client_settings.ts";

/** Whether the browser is signed in, for a page whose connection was refused. */
export const handler = define.handlers({
  GET({ state: { session } }) {
    return Response.json({ isSignedIn: session !== null } satisfies SessionStatus);
  },
});
