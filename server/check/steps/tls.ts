import { X509Certificate } from "node:crypto";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { errorCode, failed, ok, printable, skipped, type Step, type Verdict } from "../step.ts";
import { connectTls, hostOf, isEncrypted } from "../tcp_connection.ts";
import { within } from "../http_exchange.ts";
import type { Endpoint } from "./upgrade.ts";

/** A certificate that a server presented. */
export interface SeenCertificate {
  host: string;
  /** In ms since 1970. */
  validFrom: number;
  validTo: number;
  /** Whether it is valid for `host`. */
  isForHost: boolean;
  /** The names that it is valid for. */
  names: string;
  /** The code of why it is not trusted; null when it is. */
  distrust: string | null;
  /** Whether it is the certificate that `DENO_CERT` names. */
  isGiven: boolean;
}

const dayMs = 86_400_000;

/** Automatic renewal should have happened when fewer days are left. */
const renewalDays = 14;

/** Passes when the certificate is valid for the host and trusted. Skipped for http. */
export function tlsStep({ names, titleOf, plainSetting, urlOf }: Endpoint): Step {
  return {
    name: names.tls,
    title: titleOf("TLS certificate"),
    needs: [names.tcp],
    async run({ target, timeoutMs }) {
      const url = urlOf(target);
      if (!isEncrypted(url.protocol)) return skipped("Not encrypted (http).");
      try {
        return certificateVerdict(await certificateAt(url, timeoutMs), Date.now());
      } catch (error) {
        return handshakeVerdict(hostOf(url), errorCode(error), plainSetting);
      }
    },
  };
}

async function certificateAt(url: URL, timeoutMs: number): Promise<SeenCertificate> {
  const socket = await within(timeoutMs, (signal) => connectTls(url, signal, { isLenient: true }));
  try {
    const certificate = socket.getPeerCertificate();
    const host = hostOf(url);
    return {
      host,
      validFrom: Date.parse(certificate.valid_from),
      validTo: Date.parse(certificate.valid_to),
      isForHost: checkServerIdentity(host, certificate) === undefined,
      names: namesOf(certificate),
      distrust: socket.authorized ? null : errorCode({ code: socket.authorizationError }),
      isGiven: await isGiven(certificate.fingerprint256),
    };
  } finally {
    socket.destroy();
  }
}

async function isGiven(fingerprint: string): Promise<boolean> {
  const file = Deno.env.get("DENO_CERT");
  if (file === undefined) return false;
  const text = await Deno.readTextFile(file).catch(() => "");
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.some((block) => new X509Certificate(block).fingerprint256 === fingerprint);
}

function namesOf({ subjectaltname, subject }: PeerCertificate): string {
  const names = subjectaltname?.replaceAll(/(DNS|IP Address):/g, "") ?? subject?.CN;
  return printable(String(names ?? "no name"));
}

/**
 * Judges a certificate.
 *
 * @param now in ms since 1970.
 */
export function certificateVerdict(seen: SeenCertificate, now: number): Verdict {
  const { host, validFrom, validTo, isForHost, names, distrust, isGiven } = seen;
  if (validTo < now) {
    return failed(
      `The certificate expired on ${dayOf(validTo)}.`,
      "Renew it: `certbot renew`. Caddy renews it by itself.",
      "Then load it: `nginx -s reload`, `apachectl graceful`, or restart Rollcall if it uses " +
        "`TLS_CERT_FILE`.",
    );
  }
  if (validFrom > now) {
    return failed(
      `The certificate is not valid before ${dayOf(validFrom)}.`,
      "Correct the clock of this machine, or of the one that made the certificate.",
    );
  }
  if (!isForHost) {
    return failed(
      `The certificate is not for ${host}, but for ${names}.`,
      `Get a certificate for ${host}, or use the right one for that name.`,
      `nginx: \`ssl_certificate\` beside \`server_name ${host};\``,
      `Apache: \`SSLCertificateFile\` beside \`ServerName ${host}\``,
      "Rollcall itself: `TLS_CERT_FILE`.",
    );
  }
  if (distrust !== null) return isGiven ? givenVerdict() : distrustVerdict(distrust);
  const days = Math.floor((validTo - now) / dayMs);
  const renewal = days < renewalDays ? " Check that it gets renewed." : "";
  return ok(`Valid for ${host} until ${dayOf(validTo)} (${daysText(days)} left).${renewal}`);
}

/** Deno trusts authorities, and not a server's own certificate. */
function givenVerdict(): Verdict {
  return failed(
    "The certificate is the one that `DENO_CERT` names, but it signed itself and is no authority's.",
    "Make an authority, have it sign a certificate for the server, as `mkcert` does, and set " +
      "`DENO_CERT` to the authority's file: `$(mkcert -CAROOT)/rootCA.pem`.",
    "Or use a publicly trusted certificate (certbot, Caddy).",
  );
}

function distrustVerdict(code: string): Verdict {
  if (code.includes("SELF_SIGNED")) {
    return failed(
      "Self-signed certificate, or an authority that is unknown here.",
      "Use a publicly trusted certificate (certbot, Caddy), or one of your own authority.",
      ownAuthority,
    );
  }
  return failed(
    `The certificate's authority is not trusted (${code}).`,
    "Serve the full chain, with intermediate certificates: `fullchain.pem` in `ssl_certificate` " +
      "(nginx), `SSLCertificateFile` (Apache) or `TLS_CERT_FILE`.",
    ownAuthority,
  );
}

const ownAuthority =
  "If an authority of your own signed it, start Rollcall with `DENO_CERT=authority.pem`.";

/** Judges a failed TLS handshake, by the error's code. */
export function handshakeVerdict(host: string, code: string, plainSetting: string): Verdict {
  if (code === "ETIMEDOUT") {
    return failed(
      `${host} accepts the connection, but does not answer the TLS handshake.`,
      "Check whether the program that listens there hangs, or expects the PROXY protocol.",
    );
  }
  return failed(
    `${host} does not speak TLS on this port (${code}).`,
    "Turn on TLS in the proxy (`listen 443 ssl;` in nginx), or give Rollcall `TLS_CERT_FILE` and " +
      `\`TLS_KEY_FILE\`. Without TLS, use ${plainSetting}.`,
  );
}

function dayOf(time: number): string {
  return Number.isNaN(time) ? "an unknown day" : new Date(time).toISOString().slice(0, 10);
}

function daysText(days: number): string {
  return days === 1 ? "1 day" : `${days} days`;
}
