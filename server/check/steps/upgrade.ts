import { createHash, randomBytes } from "node:crypto";
import { type Exchange, exchange } from "../http_exchange.ts";
import {
  errorCode,
  failed,
  ok,
  printable,
  printableAddress,
  required,
  type Step,
  type Verdict,
} from "../step.ts";
import { socketAddress } from "../protocol_client.ts";
import type { Target } from "../target.ts";
import type { ReceivedRequest } from "../self_request.ts";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";

/** Appended to the key to prove that the server speaks WebSocket (RFC 6455, 1.3). */
const handshakeId = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** Passes when a WebSocket request is answered with 101. */
export function upgradeStep(needs: readonly string[]): Step {
  return {
    name: "upgrade",
    title: "WebSocket",
    needs,
    async run({ target, timeoutMs }) {
      const key = randomBytes(16).toString("base64");
      try {
        const response = await exchange(socketAddress(target), {
          headers: {
            connection: "Upgrade",
            upgrade: "websocket",
            origin: target.pages.origin,
            "sec-websocket-version": "13",
            "sec-websocket-key": key,
          },
        }, timeoutMs);
        return () => upgradeVerdict(target, response, key);
      } catch (error) {
        return () => noUpgradeVerdict(errorCode(error));
      }
    },
  };
}

/** Judges the response to a WebSocket request. */
function upgradeVerdict(
  { sockets }: Target,
  { status, headers }: Exchange,
  key: string,
): Verdict {
  if (status === 101) {
    const expected = createHash("sha1").update(key + handshakeId).digest("base64");
    return headers["sec-websocket-accept"] === expected ? ok(text`WebSocket opened.`) : failed(
      longText(
        "The WebSocket request is answered with 101, but by something that does not speak WebSocket.",
      ),
      ...forwardUpgrade(),
    );
  }
  if (status >= 300 && status < 400) {
    const place = printableAddress(headers.location ?? "", sockets);
    return failed(
      text`The WebSocket request is answered with status ${status}, a redirect to ${place}. Clients do not follow it.`,
      longText(
        "Pass the paths below `/app/` on unchanged: no `rewrite`, `return` or `Redirect` for them.",
      ),
    );
  }
  if (status === 401 || status === 403) {
    return failed(
      text`The WebSocket request is answered with status ${status} before it reaches Rollcall.`,
      longText("Configure the proxy or firewall to allow WebSocket for the paths below `/app/`."),
    );
  }
  if (status === 404) {
    return failed(
      text`The WebSocket request is answered with status ${status}: it does not reach Rollcall.`,
      longText(
        "Configure the proxy to forward the paths below `/app/` to Rollcall, like all others: look for a ",
        "`location` or `ProxyPass` that sends them elsewhere.",
      ),
    );
  }
  if (status >= 502 && status <= 504) {
    return failed(
      text`The WebSocket request is answered with status ${status}: the proxy forwards pages, but not WebSockets.`,
      text`Forward WebSockets to the same address as pages: one location for all paths.`,
      apacheUpgrade(),
    );
  }
  return failed(
    text`The WebSocket request is answered with status ${status}, like a page: the Upgrade header was lost on the way.`,
    ...forwardUpgrade(),
  );
}

function forwardUpgrade(): string[] {
  return [
    text`Configure the proxy, CDN or firewall in between to forward Upgrade.`,
    "nginx: `proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; " +
    'proxy_set_header Connection "upgrade";`',
    apacheUpgrade(),
    text`Caddy forwards it by default. In a CDN, turn on WebSockets.`,
  ];
}

function apacheUpgrade(): string {
  return longText("Apache, 2.4.47 or later: `upgrade=websocket` at the end of ProxyPass.");
}

/** Judges a WebSocket request without a response, by the error's code. */
function noUpgradeVerdict(code: string): Verdict {
  if (code === "ETIMEDOUT") {
    return failed(
      longText(
        "The WebSocket request gets no response: something on the way waits for the request to end.",
      ),
      ...forwardUpgrade(),
    );
  }
  return failed(
    text`The connection ends during the WebSocket request (${code}).`,
    ...forwardUpgrade(),
  );
}

/** An address that the check connects to: the address of the pages, or of another server's WebSockets. */
export interface Endpoint {
  /** The names of the steps to it. */
  names: { dns: string; tcp: string; tls: string };
  /** Completes the title of a step to it. */
  titleOf: (title: string) => string;
  /** The setting that contains the address. */
  setting: () => string;
  /** What to set for a connection without TLS. */
  plainSetting: () => string;
  urlOf: (target: Target) => URL;
}

/** The public address. */
export const publicEndpoint: Endpoint = {
  names: { dns: "dns", tcp: "tcp", tls: "tls" },
  titleOf: (title) => title,
  setting: () => "APP_URL",
  plainSetting: () => text`an APP_URL that begins with ${"http://"}`,
  urlOf: ({ pages }) => pages,
};

/** The WebSockets of an external Pusher server. */
export const socketEndpoint: Endpoint = {
  names: { dns: "socket_dns", tcp: "socket_tcp", tls: "socket_tls" },
  titleOf: (title) => text`${title} of the WebSocket server`,
  setting: () => text`${"PUSHER_HOST"} or ${"PUSHER_APP_CLUSTER"}`,
  plainSetting: () => "PUSHER_SCHEME=http",
  urlOf: ({ sockets }) => sockets,
};

/** Passes when the headers that pages depend on arrive unchanged, in both directions. */
export const headersStep: Step = {
  name: "headers",
  get title() {
    return text`Headers`;
  },
  needs: ["installation"],
  run({ target, selfRequest, pages }) {
    const setsCookie = (required(pages).page.headers["set-cookie"] ?? [])
      .some((cookie) => /rollcall\S*csrf=/.test(cookie));
    const { received } = required(selfRequest);
    return Promise.resolve(() => headersVerdict(target, received, setsCookie));
  },
};

/**
 * Judges the headers that the server received.
 *
 * @param setsCookie whether the sign-in page arrived with the cookie that every new visitor gets.
 */
function headersVerdict(
  { pages, app }: Target,
  { host, hasCookie, hasOrigin }: ReceivedRequest,
  setsCookie: boolean,
): Verdict {
  if (URL.parse(`${pages.protocol}//${host}`)?.host !== pages.host) {
    return failed(
      text`The server receives the host ${
        printable(host)
      } instead of ${pages.host}. Pages would open their WebSocket there.`,
      text`Configure the proxy to forward the Host header.`,
      "nginx: `proxy_set_header Host $http_host;`",
      "Apache: `ProxyPreserveHost On`",
      longText("Caddy forwards it, unless `header_up Host` changes it."),
    );
  }
  if (!hasCookie || !setsCookie) {
    return failed(
      hasCookie
        ? text`Cookies do not reach the browser: no one can sign in.`
        : text`Cookies do not reach the server: no one can sign in.`,
      longText(
        "Configure the proxy to forward the headers Cookie and Set-Cookie, and no cache to answer for ",
        "Rollcall: no `proxy_cache` or `proxy_hide_header` in nginx, no `RequestHeader unset` or ",
        "`Header unset` in Apache, no caching in a CDN.",
      ),
    );
  }
  if (!hasOrigin && !(app.allowedOrigins ?? ["*"]).includes("*")) {
    return failed(
      text`The Origin header does not reach the server: ALLOWED_ORIGINS has no effect.`,
      text`Configure the proxy to forward the Origin header.`,
    );
  }
  return ok(text`Host and cookies pass through.`);
}
