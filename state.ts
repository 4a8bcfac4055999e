import { createDefine, type HttpError } from "fresh";
import type { Session } from "./accounts/accounts.ts";
import type { Visitor } from "./channels.ts";
import type { Services } from "./services.ts";

/** What the middleware sets on a request before a route handles it. */
export interface State extends Services {
  /** The client's address; behind trusted proxies, not that of a proxy. */
  clientAddress: string;
  /** In the log, in the answer's `X-Request-Id` and on error pages. */
  requestId: string;
  session: Session | null;
  /** Who is counted: the signed-in user, or a guest where guests are admitted. Null for others. */
  visitor: Visitor | null;
  /** Whether the request is from a blocked guest; then there is no visitor. */
  isBlocked: boolean;
  /** The page's title in tabs and bookmarks, set by its handler. */
  title: string;
  /** For the page's meta tag and the forms' hidden field. */
  csrfToken: string;
  /** The fields of a form or JSON body; empty for requests without one. Not yet validated. */
  input: Record<string, unknown>;
  /** Why the body could not be read, if it could not. */
  inputFault: HttpError | null;
}

/** Types handlers, pages and middleware with this app's state. */
export const define = createDefine<State>();
