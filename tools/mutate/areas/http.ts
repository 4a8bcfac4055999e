import { mutationsOf } from "../mutation.ts";

const folder = "tests/http";

/** Bodies, origins and paths of requests. */
export const http = mutationsOf({
  "http/accept_encoding.ts": `${folder}/accept_encoding_test.ts`,
  "http/body_reader.ts": `${folder}/body_reader_test.ts`,
  "http/prefixed_app.ts": `${folder}/prefixed_app_test.ts`,
  "http/public_origin.ts": `${folder}/public_origin_test.ts`,
  "http/request_source.ts": `${folder}/request_source_test.ts`,
}, {
  "http/accept_encoding.ts": [
    ["|| weightOf(best) === 0", "", "clients get what they refuse"],
    ['?? weights.get("*")', "", "clients that take anything get nothing compressed"],
    [
      'weightOf(best) >= (weights.get("identity") ?? 0) ? best : null',
      "best",
      "clients that want no compression get it",
    ],
    ["weightOf(other) - weightOf(one)", "0", "clients get a coding that they want less"],
  ],
  "http/body_reader.ts": [
    ["if (size > this.#limits.maxBytes) throw this.#tooLarge();", "", "a body of any size is read"],
    [
      'if (request.headers.has("transfer-encoding")) throw lengthRequired();',
      "",
      "a body without a length is taken",
    ],
    [
      "if (length + value.length > size) throw",
      "if (false) throw",
      "a body longer than announced is an internal error",
    ],
    [
      "if (isLate) throw new HttpError",
      "if (false) throw new HttpError",
      "half a body is taken as whole",
    ],
    [
      "      isLate = true;\n      reader.cancel().catch(() => {});",
      "      isLate = true;",
      "a body that never comes is awaited for ever",
    ],
    ["      cancelTimeout();\n", "", "a timer runs on for each body"],
    [".catch(throwEndedEarly)", "", "a client that breaks off is an internal error"],
    [
      "this.#arriving.run(client, () => this.#gather(body, size))",
      "this.#gather(body, size)",
      "one client sends any number of bodies at once",
    ],
    [
      "length === size ? bytes : throwEndedEarly()",
      "bytes",
      "a body that ends early is filled with zeros",
    ],
    ['if (announced === "0" || !body) return "";', "", "a request without a body is refused"],
    [
      "if (length < size) await this.#pause();",
      "",
      "a body of small pieces takes all of the processor",
    ],
  ],
  "http/prefixed_app.ts": [
    [
      'path === "/" ? basePath : basePath + path',
      "basePath + path",
      "the start page of an app with a path is not found",
    ],
    [
      'request.headers.get("upgrade")?.toLowerCase() === "websocket"',
      "false",
      "sockets cannot be opened in an app with a path",
    ],
  ],
  "http/public_origin.ts": [
    [
      'if (appUrl.hostname !== "localhost") return appUrl.origin;',
      "",
      "links to others have an address that only this client knows",
    ],
    [
      'servesHttps(config) ? "https:" : protocol',
      "protocol",
      "links are http behind a proxy with https",
    ],
  ],
  "http/request_source.ts": [
    [
      'site === "same-origin" || site === "none"',
      'site !== "cross-site"',
      "a page of a sibling domain posts forms",
    ],
    [
      "if (site !== null) return",
      "if (site !== null && false) return",
      "a form of another site is taken where only Sec-Fetch-Site tells",
    ],
    [
      "origin === null || origin === appUrl.origin",
      "origin === appUrl.origin",
      "programs without an origin are refused",
    ],
    ["?.host === url.host", "?.hostname === url.hostname", "a page on another port posts forms"],
    [
      "if (origin === null || origin === appUrl.origin) return true;",
      "if (origin === null) return true;",
      "a proxy that changes the host makes every form fail",
    ],
  ],
});
