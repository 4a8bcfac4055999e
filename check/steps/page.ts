import { isEncrypted } from "../connection.ts";
import { type Exchange, exchange } from "../exchange.ts";
import type { Step } from "../step.ts";
import { below, type Target } from "../target.ts";
import { codeOf, shownAddress } from "../printable.ts";
import { failed, ok, type Verdict } from "../verdict.ts";

/** What the pages answered. */
export interface ExchangedPage {
  /** The sign-in page, which everybody may see. */
  page: Exchange;
  /** Of `/up`. */
  up: Exchange;
}

/** A page of Rollcall comes. */
export const pageStep: Step = {
  name: "page",
  title: "Page",
  needs: ["tcp", "tls"],
  async run(journey) {
    const { target, patienceMs } = journey;
    try {
      const page = await exchange(below(target.pages, "/sign-in"), {
        headers: { accept: "text/html" },
      }, patienceMs);
      const up = await exchange(below(target.pages, "/up"), {}, patienceMs);
      journey.pages = { page, up };
      return pageVerdict(target, journey.pages);
    } catch (error) {
      return noAnswerVerdict(target, codeOf(error));
    }
  },
};

/** Judges what came as the sign-in page and as `/up`. */
export function pageVerdict(
  target: Pick<Target, "pages" | "port">,
  { page, up }: ExchangedPage,
): Verdict {
  const { status } = page;
  if (status >= 300 && status < 400) return redirectVerdict(target, page);
  if (status >= 502 && status <= 504) return unreachedVerdict(target, status);
  if (status === 401 || status === 403) {
    return failed(
      `The page is refused with status ${status} before Rollcall is asked.`,
      "Take the access rule off: `auth_basic` or `deny` in nginx, `Require` in Apache, or the rule " +
        "of a firewall for web applications.",
    );
  }
  if (!isOurs(page)) {
    return failed(
      `The answer (status ${status}) is no page of Rollcall: another program is at this address.`,
      ...passOn(target),
      ...(target.pages.pathname === "/"
        ? []
        : [`The path of APP_URL, ${target.pages.pathname}, has to be the one that is passed on.`]),
    );
  }
  return upVerdict(page, up);
}

function upVerdict(page: Exchange, up: Exchange): Verdict {
  if (up.status === 503 && up.body.startsWith("no database")) {
    return failed(
      "The pages come, but the database does not answer.",
      "See whether PostgreSQL runs and DATABASE_URL is right.",
    );
  }
  if (up.status === 503 && up.body.startsWith("draining")) {
    return failed("The server is stopping.", "Start it again, or wait until it has.");
  }
  const took = `A page comes after ${page.answeredAt - page.sentAt} ms`;
  if (up.status === 200) return ok(`${took}, and the server is up.`);
  return ok(
    `${took}. /up is answered with status ${up.status}, so it is not to be seen from here.`,
  );
}

function redirectVerdict({ pages }: Pick<Target, "pages">, page: Exchange): Verdict {
  const target = URL.parse(page.headers.location ?? "", pages);
  const shownTarget = shownAddress(page.headers.location ?? "", pages);
  const found = `The address leads to another one (status ${page.status}): ${shownTarget}.`;
  if (target?.origin === pages.origin) {
    return failed(found, "Pass the paths on as they are: no `rewrite`, `return` or `Redirect`.");
  }
  return failed(
    found,
    `If that is where people shall go, set APP_URL to it; otherwise take the redirect out ` +
      "(`return 301` in nginx, `Redirect` in Apache).",
  );
}

function unreachedVerdict(target: Pick<Target, "port">, status: number): Verdict {
  return failed(
    `A proxy answers, but does not reach Rollcall (status ${status}).`,
    "Start Rollcall if it does not run.",
    ...passOn(target),
  );
}

/** How a proxy is told where Rollcall is. */
function passOn({ port }: Pick<Target, "port">): string[] {
  const place = `127.0.0.1:${port}`;
  return [
    "Let the proxy pass this address on to where Rollcall listens.",
    `nginx: \`proxy_pass http://${place};\``,
    `Apache: \`ProxyPass / http://${place}/\``,
    `Caddy: \`reverse_proxy ${place}\``,
  ];
}

function isOurs({ status, body }: Exchange): boolean {
  return status === 200 && /<title>[^<]*Rollcall<\/title>/.test(body) &&
    body.includes('<meta name="csrf-token"');
}

/** Judges a request without an answer, by the code of what went wrong. */
export function noAnswerVerdict({ pages }: Pick<Target, "pages">, code: string): Verdict {
  if (code === "ETIMEDOUT") {
    return failed(
      "The connection is taken, but no page comes.",
      "See in the log of the proxy and of Rollcall where the request stays.",
    );
  }
  return failed(
    `The connection ends without an answer of HTTP (${code}).`,
    isEncrypted(pages.protocol)
      ? "See in the log of the proxy why."
      : "If TLS is spoken at this port, begin APP_URL with https://.",
  );
}
