/** A visible page asks a server that sent nothing for this long whether it is there, in milliseconds. */
const quietMs = 5_000;

/** How long the answer may take before the page says that the server is silent, in milliseconds. */
const answerMs = 5_000;

/** The part of pusher-js that {@link askForLife} uses. */
export interface Askable {
  connection: { state: string; bind(event: string, callback: () => void): unknown };
  send_event(name: string, data: unknown): unknown;
}

/** Whether readers see the page, and when that changes. */
export interface Visibility {
  hidden: boolean;
  addEventListener(type: "visibilitychange", listener: () => void): void;
}

/**
 * Asks an open connection for a sign of life when it is quiet, so that a frozen server is noticed ten
 * seconds after its last frame; pusher-js itself takes thirty, and then connects again. A hidden page
 * does not ask.
 *
 * @param silent is called when a question got no answer. The connection stays open: a server that goes on
 * answers at once.
 */
export function askForLife(
  pusher: Askable,
  silent: () => void,
  page: Visibility,
): void {
  let receivedAt = Date.now();
  let askedAt: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const wait = (milliseconds: number, then: () => void) => {
    clearTimeout(timer);
    timer = setTimeout(then, milliseconds);
  };
  const lookAgain = () => {
    askedAt = null;
    if (pusher.connection.state !== "connected" || page.hidden) return clearTimeout(timer);
    // A clock that was set back would make the wait longer.
    const quiet = Math.max(0, Date.now() - receivedAt);
    if (quiet < quietMs) return wait(quietMs - quiet, lookAgain);
    askedAt = Date.now();
    pusher.send_event("pusher:ping", {});
    wait(answerMs, lookForAnswer);
  };
  const lookForAnswer = () => {
    if (askedAt === null || receivedAt >= askedAt) return lookAgain();
    if (pusher.connection.state === "connected") silent();
  };

  pusher.connection.bind("message", () => {
    // A silent server is back: no timer runs.
    const wasSilent = askedAt !== null && Date.now() - askedAt >= answerMs;
    receivedAt = Date.now();
    if (wasSilent) lookAgain();
  });
  pusher.connection.bind("connected", lookAgain);
  page.addEventListener("visibilitychange", lookAgain);
}
