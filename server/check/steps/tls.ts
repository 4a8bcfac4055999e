import { X509Certificate } from "node:crypto";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import {
  code,
  errorCode,
  failed,
  ok,
  printable,
  skipped,
  type Step,
  type Verdict,
} from "../step.ts";
import { connectTls, hostOf, isEncrypted } from "../tcp_connection.ts";
import { within } from "../http_exchange.ts";
import type { Endpoint } from "./upgrade.ts";
import { reader, text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";
import { countText } from "@/shared/text.ts";

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
    get title() {
      return titleOf(text`TLS certificate`);
    },
    needs: [names.tcp],
    async run({ target, timeoutMs }) {
      const url = urlOf(target);
      if (!isEncrypted(url.protocol)) return () => skipped(text`Not encrypted (http).`);
      try {
        const certificate = await certificateAt(url, timeoutMs);
        const now = Date.now();
        return () => certificateVerdict(certificate, now);
      } catch (error) {
        return () => handshakeVerdict(hostOf(url), errorCode(error), plainSetting());
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
      text`The certificate expired on ${dayOf(validTo)}.`,
      longText("Renew it: `certbot renew`. Caddy renews it by itself."),
      longText(
        "Then load it: `nginx -s reload`, `apachectl graceful`, or restart Rollcall if it uses ",
        "`TLS_CERT_FILE`.",
      ),
    );
  }
  if (validFrom > now) {
    return failed(
      text`The certificate is not valid before ${dayOf(validFrom)}.`,
      text`Correct the clock of this machine, or of the one that made the certificate.`,
    );
  }
  if (!isForHost) {
    return failed(
      text`The certificate is not for ${host}, but for ${names}.`,
      text`Get a certificate for ${host}, or use the right one for that name.`,
      text`nginx: ${code("ssl_certificate")} beside ${code(`server_name ${host};`)}`,
      text`Apache: ${code("SSLCertificateFile")} beside ${code(`ServerName ${host}`)}`,
      text`Rollcall itself: ${code("TLS_CERT_FILE")}.`,
    );
  }
  if (distrust !== null) return isGiven ? givenVerdict() : distrustVerdict(distrust);
  const days = Math.floor((validTo - now) / dayMs);
  const renewal = days < renewalDays ? ` ${text`Check that it gets renewed.`}` : "";
  const left = countText(days, "day");
  return ok(text`Valid for ${host} until ${dayOf(validTo)} (${left} left).` + renewal);
}

/** Deno trusts authorities, and not a server's own certificate. */
function givenVerdict(): Verdict {
  return failed(
    longText(
      "The certificate is the one that `DENO_CERT` names, but it signed itself and is no authority's.",
    ),
    longText(
      "Make an authority, have it sign a certificate for the server, as `mkcert` does, and set ",
      "`DENO_CERT` to the authority's file: `$(mkcert -CAROOT)/rootCA.pem`.",
    ),
    text`Or use a publicly trusted certificate (certbot, Caddy).`,
  );
}

function distrustVerdict(distrust: string): Verdict {
  if (distrust.includes("SELF_SIGNED")) {
    return failed(
      text`Self-signed certificate, or an authority that is unknown here.`,
      text`Use a publicly trusted certificate (certbot, Caddy), or one of your own authority.`,
      ownAuthority(),
    );
  }
  return failed(
    text`The certificate's authority is not trusted (${distrust}).`,
    longText(
      "Serve the full chain, with intermediate certificates: `fullchain.pem` in `ssl_certificate` ",
      "(nginx), `SSLCertificateFile` (Apache) or `TLS_CERT_FILE`.",
    ),
    ownAuthority(),
  );
}

function ownAuthority(): string {
  return longText(
    "If an authority of your own signed it, start Rollcall with `DENO_CERT=authority.pem`.",
  );
}

/** Judges a failed TLS handshake, by the error's code. */
export function handshakeVerdict(host: string, fault: string, plainSetting: string): Verdict {
  if (fault === "ETIMEDOUT") {
    return failed(
      text`${host} accepts the connection, but does not answer the TLS handshake.`,
      text`Check whether the program that listens there hangs, or expects the PROXY protocol.`,
    );
  }
  return failed(
    text`${host} does not speak TLS on this port (${fault}).`,
    text`Turn on TLS in the proxy (${code("listen 443 ssl;")} in nginx), or give Rollcall ${
      code("TLS_CERT_FILE")
    } and ${code("TLS_KEY_FILE")}. Without TLS, use ${plainSetting}.`,
  );
}

function dayOf(time: number): string {
  if (Number.isNaN(time)) return text`an unknown day`;
  const { language } = reader;
  if (!language) return new Date(time).toISOString().slice(0, 10);
  const format = { dateStyle: "medium", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat(language.tag, format).format(time);
}
