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
        return upgradeVerdict(target, response, key);
      } catch (error) {
        return noUpgradeVerdict(errorCode(error));
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
  const observation = `The WebSocket request is answered with status ${status}`;
  if (status === 101) {
    const expected = createHash("sha1").update(key + handshakeId).digest("base64");
    return headers["sec-websocket-accept"] === expected ? ok("WebSocket opened.") : failed(
      "The WebSocket request is answered with 101, but by something that does not speak WebSocket.",
      ...forwardUpgrade,
    );
  }
  if (status >= 300 && status < 400) {
    const place = printableAddress(headers.location ?? "", sockets);
    return failed(
      `${observation}, a redirect to ${place}. Clients do not follow it.`,
      "Pass the paths below `/app/` on unchanged: no `rewrite`, `return` or `Redirect` for them.",
    );
  }
  if (status === 401 || status === 403) {
    return failed(
      `${observation} before it reaches Rollcall.`,
      "Configure the proxy or firewall to allow WebSocket for the paths below `/app/`.",
    );
  }
  if (status === 404) {
    return failed(
      `${observation}: it does not reach Rollcall.`,
      "Configure the proxy to forward the paths below `/app/` to Rollcall, like all others: look for a " +
        "`location` or `ProxyPass` that sends them elsewhere.",
    );
  }
  if (status >= 502 && status <= 504) {
    return failed(
      `${observation}: the proxy forwards pages, but not WebSockets.`,
      "Forward WebSockets to the same address as pages: one location for all paths.",
      "Apache, 2.4.47 or later: `upgrade=websocket` at the end of ProxyPass.",
    );
  }
  return failed(
    `${observation}, like a page: the Upgrade header was lost on the way.`,
    ...forwardUpgrade,
  );
}

const forwardUpgrade = [
  "Configure the proxy to forward Upgrade.",
  "nginx: `proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; " +
  'proxy_set_header Connection "upgrade";`',
  "Apache, 2.4.47 or later: `upgrade=websocket` at the end of ProxyPass.",
  "Caddy forwards it by default. In a CDN, turn on WebSockets.",
];

/** Judges a WebSocket request without a response, by the error's code. */
function noUpgradeVerdict(code: string): Verdict {
  if (code === "ETIMEDOUT") {
    return failed(
      "The WebSocket request gets no response: something on the way waits for the request to end.",
      ...forwardUpgrade,
    );
  }
  return failed(`The connection ends during the WebSocket request (${code}).`, ...forwardUpgrade);
}

/** An address that the check connects to: the address of the pages, or of another server's WebSockets. */
export interface Endpoint {
  /** The names of the steps to it. */
  names: { dns: string; tcp: string; tls: string };
  /** Completes the title of a step to it. */
  titleOf: (title: string) => string;
  /** The setting that contains the address. */
  setting: string;
  /** What to set for a connection without TLS. */
  plainSetting: string;
  urlOf: (target: Target) => URL;
}

/** The public address. */
export const publicEndpoint: Endpoint = {
  names: { dns: "dns", tcp: "tcp", tls: "tls" },
  titleOf: (title) => title,
  setting: "APP_URL",
  plainSetting: "an APP_URL that begins with http://",
  urlOf: ({ pages }) => pages,
};

/** The WebSockets of an external Pusher server. */
export const socketEndpoint: Endpoint = {
  names: { dns: "socket_dns", tcp: "socket_tcp", tls: "socket_tls" },
  titleOf: (title) => `${title} of the WebSocket server`,
  setting: "PUSHER_HOST or PUSHER_APP_CLUSTER",
  plainSetting: "PUSHER_SCHEME=http",
  urlOf: ({ sockets }) => sockets,
};

/** Passes when the headers that pages depend on arrive unchanged, in both directions. */
export const headersStep: Step = {
  name: "headers",
  title: "Headers",
  needs: ["installation"],
  run({ target, selfRequest, pages }) {
    const setsCookie = (required(pages).page.headers["set-cookie"] ?? [])
      .some((cookie) => /rollcall\S*csrf=/.test(cookie));
    return Promise.resolve(headersVerdict(target, required(selfRequest).received, setsCookie));
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
      `The server receives the host ${
        printable(host)
      } instead of ${pages.host}. Pages would open ` +
        "their WebSocket there.",
      "Configure the proxy to forward the Host header.",
      "nginx: `proxy_set_header Host $http_host;`",
      "Apache: `ProxyPreserveHost On`",
      "Caddy forwards it, unless `header_up Host` changes it.",
    );
  }
  if (!hasCookie || !setsCookie) {
    return failed(
      `Cookies do not reach ${hasCookie ? "the browser" : "the server"}: no one can sign in.`,
      "Configure the proxy to forward the headers Cookie and Set-Cookie, and no cache to answer for " +
        "Rollcall: no `proxy_cache` or `proxy_hide_header` in nginx, no `RequestHeader unset` or " +
        "`Header unset` in Apache, no caching in a CDN.",
    );
  }
  if (!hasOrigin && !(app.allowedOrigins ?? ["*"]).includes("*")) {
    return failed(
      "The Origin header does not reach the server: ALLOWED_ORIGINS has no effect.",
      "Configure the proxy to forward the Origin header.",
    );
  }
  return ok("Host and cookies pass through.");
}
