import { createDefine, type HttpError } from "fresh";
import type { Session } from "@/server/accounts/accounts.ts";
import type { Visitor } from "@/server/presence/channels.ts";
import type { Services } from "@/server/services.ts";

/** `ctx.state` in routes: the services, and what middleware has found out about the request. */
export interface State extends Services {
  /** The address of the client, which trusted proxies forward. */
  clientAddress: string;
  /** Shown in the log, on error pages and in the response's `X-Request-Id`. */
  requestId: string;
  session: Session | null;
  /** The person to count: the signed-in user, or a guest if guests are admitted. */
  visitor: Visitor | null;
  /** Whether the visitor is an admin who watches in this browser without being counted. */
  isObserver: boolean;
  /** Whether an admin has blocked this guest; `visitor` is then null. */
  isBlocked: boolean;
  /** The title of the page; set by its handler. */
  title: string;
  /** The token for the page's meta tag and the hidden fields of forms. */
  csrfToken: string;
  /** The fields of a form or JSON body, not validated; empty for requests without a body. */
  input: Record<string, unknown>;
  /** Why the body could not be parsed; null if it could. */
  inputFault: HttpError | null;
}

/** Defines handlers, pages and middleware with the types of this app's state. */
export const define = createDefine<State>();
