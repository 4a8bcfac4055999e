import "../page/every_page_scripts.ts";
import { href, pathOf } from "@/shared/address.ts";
import type { SessionStatus } from "@/shared/client_settings.ts";
import { text } from "@/shared/language.ts";

/** How long the server may take to answer, in milliseconds. */
const timeoutMs = 10_000;

/** The pause before a server that did not answer is asked again, in milliseconds. */
const retryMs = 2_000;

/**
 * If the reader of a signed-in page is no longer signed in, puts a notice and a link to sign in again in
 * the place of the page, and loads it again once the reader has signed in, in another tab: when this one
 * gets the focus or becomes visible. Asks until the server answers: names must not stay on the screen because
 * one request failed. Never rejects.
 *
 * @param authEndpoint the address of the auth route; the session's is beside it.
 * @param reason a sentence for the reader.
 */
export async function leaveIfSignedOut(authEndpoint: string, reason: string): Promise<void> {
  const isOfUser = document.getElementById("account-menu") !== null;
  if (!isOfUser) return;
  const answer = await isSignedIn(authEndpoint);
  if (answer === null) {
    setTimeout(() => leaveIfSignedOut(authEndpoint, reason), retryMs);
    return;
  }
  if (answer) return;
  leave(reason);
  const look = async () => {
    if (!document.hidden && await isSignedIn(authEndpoint)) location.reload();
  };
  addEventListener("focus", look);
  document.addEventListener("visibilitychange", look);
}

/** Whether the browser is signed in; null when the server does not answer. */
async function isSignedIn(authEndpoint: string): Promise<boolean | null> {
  try {
    const response = await fetch(authEndpoint.replace(/[^/]+$/, "session"), {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.ok) return (await response.json() as SessionStatus).isSignedIn;
    await response.body?.cancel();
  } catch {
    // The network or the server failed.
  }
  return null;
}

/** Takes everything off the page, as names can be anywhere: in the header, a table, a message, the title. */
function leave(reason: string): void {
  const header = document.createElement("header");
  header.className = "site-header";
  header.append(...document.querySelectorAll(".brand"));
  const heading = Object.assign(document.createElement("h1"), { textContent: reason });
  const here = pathOf(location) + location.search;
  const link = Object.assign(document.createElement("a"), {
    className: "button",
    href: href(`/sign-in?return=${encodeURIComponent(here)}`),
    textContent: text`Sign in again`,
  });
  const notice = document.createElement("section");
  notice.className = "error-page";
  notice.role = "alert";
  notice.append(heading, link);
  const main = document.createElement("main");
  main.append(notice);
  document.title = `${text`Signed out`} · Rollcall`;
  document.body.replaceChildren(header, main);
  link.focus();
}
