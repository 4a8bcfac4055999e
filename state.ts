import { createDefine, type HttpError } from "fresh";
import type { Session } from "./accounts/accounts.ts";
import type { Visitor } from "./channels.ts";
import type { Services } from "./services.ts";

/** What the middleware has found out about a request by the time that a route handles it. */
export interface State extends Services {
  /** Where the request comes from; where proxies are trusted, not the last of them. */
  clientAddress: string;
  /** In the log, in the answer's `X-Request-Id` and on error pages. */
  requestId: string;
  session: Session | null;
  /** Whoever may be counted: the signed-in user, or a guest where guests are admitted. */
  visitor: Visitor | null;
  /** Whether it is a guest whom an admin does not let in; then there is no visitor. */
  isBlocked: boolean;
  /** What the page is called in tabs and bookmarks; set by the page's handler. */
  title: string;
  /** For the page's meta tag and the forms' hidden field. */
  csrfToken: string;
  /** The fields of a form or JSON body; empty for requests without one. Not yet validated. */
  input: Record<string, unknown>;
  /** What is wrong with the body, if it could not be read. */
  inputFault: HttpError | null;
}

/** Types handlers, pages and middleware with this app's state. */
export const define = createDefine<State>();
