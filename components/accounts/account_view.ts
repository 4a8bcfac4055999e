import type { OpenSession } from "@/server/accounts/accounts.ts";
import type { Role } from "@/shared/online.ts";

/** A session of one's own account. */
export interface OwnSession extends OpenSession {
  /** Whether the page is of this session. */
  isThis: boolean;
  /** Whether a page of the session is connected now. */
  isOpen: boolean;
}

/** The data of the page of one's own account. */
export interface AccountView {
  csrfToken: string;
  /** As stored, or as it was sent and refused. */
  name: string;
  email: string;
  role: Role;
  /** This session first, then those seen last. */
  sessions: OwnSession[];
  /** The outcome of the last action, as a sentence; empty for none. */
  done: string;
  /** Why the last form was refused, and its invalid field. */
  refusal?: { message: string; field?: string };
}
