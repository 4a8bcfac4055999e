/** The answer of `GET /broadcasting/session`. */
export interface SessionStatus {
  isSignedIn: boolean;
}
