/** A cookie as RFC 6265 (and its SameSite and Partitioned successors) describes it. */
export interface Cookie {
  name: string;
  value: string;
  /** When the browser forgets it; a number is milliseconds since the epoch. */
  expires?: Date | number;
  /** Seconds that the browser keeps it; an integer, 0 or more. */
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
 * The cookies of a request. Values come as they were sent, not decoded; of two cookies with one name
 * the later wins.
 */
export function getCookies(headers: Headers): Record<string, string> {
  const header = headers.get("Cookie");
  if (header === null) return {};
  // fromEntries defines own properties, so that a cookie named __proto__ is a cookie like others.
  return Object.fromEntries(header.split(";").map(nameAndValue));
}

/**
 * Adds a `Set-Cookie` header. Throws a SyntaxError that names the bad part when the cookie could not
 * be read back as it is, so that no value can smuggle in an attribute. Names that start with
 * `__Secure-` or `__Host-` get the attributes that browsers demand of them.
 */
export function setCookie(headers: Headers, cookie: Cookie): void {
  headers.append("Set-Cookie", serialize(withPrefixRules(cookie)));
}

/** Makes the browser forget a cookie; the attributes must be those that it was set with. */
export function deleteCookie(headers: Headers, name: string, attributes?: CookieScope): void {
  setCookie(headers, { ...attributes, name, value: "", expires: new Date(0) });
}

function nameAndValue(pair: string): [string, string] {
  const [name, ...rest] = pair.split("=");
  return [name.trim(), rest.join("=").trim()];
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
  if (cookie.maxAge !== undefined) parts.push(`Max-Age=${cookie.maxAge}`);
  if (cookie.domain) parts.push(`Domain=${cookie.domain}`);
  if (cookie.sameSite) parts.push(`SameSite=${cookie.sameSite}`);
  if (cookie.path) parts.push(`Path=${cookie.path}`);
  if (cookie.expires !== undefined) {
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
  if (maxAge !== undefined && !(Number.isInteger(maxAge) && maxAge >= 0)) {
    throw new RangeError(`Max-Age of the cookie "${name}" must be an integer >= 0, not ${maxAge}`);
  }
  if (path !== undefined && forbiddenInAttribute.test(path)) {
    throw new SyntaxError(`Invalid path of the cookie "${name}": "${path}"`);
  }
  if (domain && (forbiddenInAttribute.test(domain) || /^-|[.-]$/.test(domain))) {
    throw new SyntaxError(`Invalid domain of the cookie "${name}": "${domain}"`);
  }
}
