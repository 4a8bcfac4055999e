import { type Exchange, exchange } from "../http_exchange.ts";
import { errorCode, failed, ok, printableAddress, type Step, type Verdict } from "../step.ts";
import { isEncrypted } from "../tcp_connection.ts";
import { addressBelow, type Target } from "../target.ts";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";

/** The responses of the pages that the page step loads. */
export interface PageExchanges {
  /** The sign-in page, which needs no session. */
  page: Exchange;
  /** The probe `/up`. */
  up: Exchange;
}

/** Passes when a page of Rollcall loads and `/up` reports no fault. */
export const pageStep: Step = {
  name: "page",
  get title() {
    return text`Page`;
  },
  needs: ["tcp", "tls"],
  async run(context) {
    const { target, timeoutMs } = context;
    try {
      const page = await exchange(addressBelow(target.pages, "/sign-in"), {
        headers: { accept: "text/html" },
      }, timeoutMs);
      const up = await exchange(addressBelow(target.pages, "/up"), {}, timeoutMs);
      const pages = context.pages = { page, up };
      return () => pageVerdict(target, pages);
    } catch (error) {
      return () => noResponseVerdict(target, errorCode(error));
    }
  },
};

/** Judges the responses to the sign-in page and `/up`. */
export function pageVerdict(
  target: Target,
  { page, up }: PageExchanges,
): Verdict {
  const { status } = page;
  if (status >= 300 && status < 400) return redirectVerdict(target, page);
  if (status >= 502 && status <= 504) return badGatewayVerdict(target, status);
  if (status === 401 || status === 403) {
    return failed(
      text`The page is refused with status ${status} before the request reaches Rollcall.`,
      longText(
        "Remove the access rule: `auth_basic` or `deny` in nginx, `Require` in Apache, or the rule of a ",
        "web application firewall.",
      ),
    );
  }
  if (!isRollcallPage(page)) {
    return failed(
      text`The response (status ${status}) is no page of Rollcall: another program is at this address.`,
      ...forwardToRollcall(target),
      ...(target.pages.pathname === "/"
        ? []
        : [text`The proxy has to forward the path of APP_URL, ${target.pages.pathname}.`]),
    );
  }
  return upVerdict(page, up);
}

/** How `/up` says that the server is partitioned, and how an older release said it. */
const partitionedFault = /^(?:partitioned|cut off):/;

/** How `/up` says that numbers are stale, and how an older release said it. */
const staleFault = /\b(?:stale|numbers stand still) since\b/;

function upVerdict(page: Exchange, up: Exchange): Verdict {
  if (up.status === 503 && up.body.startsWith("no database")) {
    return failed(
      text`Pages load, but the database does not answer.`,
      text`Check that PostgreSQL runs and that DATABASE_URL is right.`,
    );
  }
  if (up.status === 503 && up.body.startsWith("draining")) {
    return failed(text`The server is stopping.`, text`Start it, or wait until it has restarted.`);
  }
  if (up.status === 503 && partitionedFault.test(up.body)) {
    return failed(
      text`Pages load, but this server does not reach Redis, and other servers do.`,
      text`Check the network between this server and Redis.`,
    );
  }
  if (up.status === 200 && up.body.includes("no coordinator")) {
    return failed(
      longText(
        "Pages load, but the worker that answers does not reach the others: its numbers are not updating.",
      ),
      longText(
        "Check again: a coordinator that ended is started again within a second. Otherwise restart Rollcall.",
      ),
    );
  }
  if (up.status === 200 && staleFault.test(up.body)) {
    return failed(
      text`Pages load, but the server does not reach Redis: its numbers are not updating.`,
      text`Check that Redis runs and that REDIS_URL is right.`,
    );
  }
  const loaded = text`Page loaded in ${page.answeredAt - page.sentAt} ms.`;
  if (up.status === 200) return ok(loaded);
  return ok(
    `${loaded} ${text`/up has status ${up.status}, so the server's health is not visible here.`}`,
  );
}

function redirectVerdict({ pages }: Target, page: Exchange): Verdict {
  const location = page.headers.location ?? "";
  const observation = text`The address redirects (status ${page.status}) to ${
    printableAddress(location, pages)
  }.`;
  if (URL.parse(location, pages)?.origin === pages.origin) {
    return failed(
      observation,
      longText("Pass paths on unchanged: no `rewrite`, `return` or `Redirect`."),
    );
  }
  return failed(
    observation,
    longText(
      "If that is your public address, set APP_URL to it. Otherwise remove the redirect (`return 301` ",
      "in nginx, `Redirect` in Apache).",
    ),
  );
}

function badGatewayVerdict(target: Target, status: number): Verdict {
  return failed(
    text`A proxy answers, but can't reach Rollcall (status ${status}).`,
    text`Start Rollcall, if it is not running.`,
    ...forwardToRollcall(target),
  );
}

function forwardToRollcall({ port }: Target): string[] {
  const place = `127.0.0.1:${port}`;
  return [
    text`Configure the proxy to forward this address to Rollcall.`,
    `nginx: \`proxy_pass http://${place};\``,
    `Apache: \`ProxyPass / http://${place}/\``,
    `Caddy: \`reverse_proxy ${place}\``,
  ];
}

function isRollcallPage({ status, body }: Exchange): boolean {
  return status === 200 && /<title>[^<]*Rollcall<\/title>/.test(body) &&
    body.includes('<meta name="csrf-token"');
}

/** Judges a request without a response, by the error's code. */
export function noResponseVerdict({ pages }: Target, code: string): Verdict {
  if (code === "ETIMEDOUT") {
    return failed(
      text`Connected, but no page arrives.`,
      text`Check the proxy and Rollcall logs.`,
    );
  }
  return failed(
    text`The connection ends without an HTTP response (${code}).`,
    isEncrypted(pages.protocol)
      ? text`Check the proxy log.`
      : text`If this port speaks TLS, begin APP_URL with ${"https://"}.`,
  );
}
