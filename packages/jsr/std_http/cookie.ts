/** Tells this shim from the package, which has no such export. */
export const isShim = true;

/** A cookie as RFC 6265 (and its SameSite and Partitioned successors) describes it. */
export interface Cookie {
  name: string;
  value: string;
  /** When the browser forgets it; a number is milliseconds since the epoch, and 0 is left out. */
  expires?: Date | number;
  /** Seconds that the browser keeps it, 0 or more; a fraction is left out. */
  maxAge?: number;
  domain?: string;
  path?: string;
  /** Sent over https only. */
  secure?: boolean;
  /** Hidden from scripts. */
  httpOnly?: boolean;
  partitioned?: boolean;
  sameSite?: "Strict" | "Lax" | "None";
  /** Further attributes, written as they are. */
  unparsed?: string[];
}

/** The attributes that distinguish a cookie from another of the same name. */
export type CookieScope = Pick<
  Cookie,
  "path" | "domain" | "secure" | "httpOnly" | "partitioned"
>;

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const valueCharacters = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;
const forbiddenInAttribute = /[^\x20-\x7e]|;/;

/**
 * The cookies of a request, in an object without prototype. Values come as they were sent, not decoded;
 * of two cookies with one name the later wins.
 *
 * @throws {SyntaxError} at a pair without a name, such as the empty one after a last `;`.
 */
export function getCookies(headers: Headers): Partial<Record<string, string>> {
  const cookies: Partial<Record<string, string>> = Object.create(null);
  for (const pair of headers.get("Cookie")?.split(";") ?? []) {
    const [name, ...value] = pair.split("=");
    if (name === "") throw new SyntaxError(`A cookie has no name: "${pair}"`);
    cookies[name.trim()] = value.join("=");
  }
  return cookies;
}

/**
 * Adds a `Set-Cookie` header, unless the name is empty. Throws a SyntaxError that names the bad part
 * when the cookie could not be read back as it is, so that no value can smuggle in an attribute. Names
 * that start with `__Secure-` or `__Host-` get the attributes that browsers demand of them.
 */
export function setCookie(headers: Headers, cookie: Cookie): void {
  if (cookie.name !== "") headers.append("Set-Cookie", serialize(withPrefixRules(cookie)));
}

/** Makes the browser forget a cookie; the attributes must be those that it was set with. */
export function deleteCookie(headers: Headers, name: string, attributes?: CookieScope): void {
  setCookie(headers, { ...attributes, name, value: "", expires: new Date(0) });
}

function withPrefixRules(cookie: Cookie): Cookie {
  if (cookie.name.startsWith("__Secure-")) return { ...cookie, secure: true };
  if (cookie.name.startsWith("__Host-")) {
    return { ...cookie, secure: true, path: "/", domain: undefined };
  }
  return cookie;
}

function serialize(cookie: Cookie): string {
  check(cookie);
  const parts = [`${cookie.name}=${cookie.value}`];
  if (cookie.secure) parts.push("Secure");
  if (cookie.httpOnly) parts.push("HttpOnly");
  if (cookie.partitioned) parts.push("Partitioned");
  if (Number.isInteger(cookie.maxAge)) parts.push(`Max-Age=${cookie.maxAge}`);
  if (cookie.domain) parts.push(`Domain=${cookie.domain}`);
  if (cookie.sameSite) parts.push(`SameSite=${cookie.sameSite}`);
  if (cookie.path) parts.push(`Path=${cookie.path}`);
  if (cookie.expires) {
    parts.push(`Expires=${new Date(cookie.expires).toUTCString()}`);
  }
  return [...parts, ...cookie.unparsed ?? []].join("; ");
}

function check({ name, value, maxAge, path, domain }: Cookie): void {
  if (!token.test(name)) {
    throw new SyntaxError(`Invalid cookie name: "${name}"`);
  }
  if (!valueCharacters.test(value)) {
    throw new SyntaxError(`Invalid value of the cookie "${name}": "${value}"`);
  }
  if (Number.isInteger(maxAge) && maxAge! < 0) {
    throw new RangeError(`Max-Age of the cookie "${name}" must be at least 0, not ${maxAge}`);
  }
  if (path !== undefined && forbiddenInAttribute.test(path)) {
    throw new SyntaxError(`Invalid path of the cookie "${name}": "${path}"`);
  }
  if (domain && (forbiddenInAttribute.test(domain) || /^-|[.-]$/.test(domain))) {
    throw new SyntaxError(`Invalid domain of the cookie "${name}": "${domain}"`);
  }
}
