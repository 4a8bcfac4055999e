import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { connectTls, hostOf, isEncrypted } from "../connection.ts";
import type { Step } from "../step.ts";
import { within } from "../timeout.ts";
import { codeOf, shown } from "../printable.ts";
import { failed, notTried, ok, type Verdict } from "../verdict.ts";
import type { Reach } from "./reach.ts";

/** What a server showed of itself. */
export interface SeenCertificate {
  host: string;
  /** In ms since 1970. */
  validFrom: number;
  validTo: number;
  /** Whether it is valid for the host; if not, the names that it is for. */
  isForHost: boolean;
  names: string;
  /** Why nobody vouches for it; null when somebody does. */
  distrust: string | null;
}

const dayMs = 86_400_000;

/** With so many days left, whoever renews certificates should have done it. */
const soonDays = 14;

/** The certificate is the right one for the name, and is believed. */
export function tlsStep({ names, title, plainSetting, urlOf }: Reach): Step {
  return {
    name: names.tls,
    title: title("TLS certificate"),
    needs: [names.tcp],
    async run({ target, patienceMs }) {
      const url = urlOf(target);
      if (!isEncrypted(url.protocol)) {
        return notTried("The address has no TLS: whoever is on the way can read along.");
      }
      try {
        return certificateVerdict(await seenAt(url, patienceMs), Date.now());
      } catch (error) {
        return handshakeVerdict(hostOf(url), codeOf(error), plainSetting);
      }
    },
  };
}

async function seenAt(url: URL, patienceMs: number): Promise<SeenCertificate> {
  const socket = await within(patienceMs, (signal) => connectTls(url, signal, { isLenient: true }));
  try {
    const certificate = socket.getPeerCertificate();
    const host = hostOf(url);
    return {
      host,
      validFrom: Date.parse(certificate.valid_from),
      validTo: Date.parse(certificate.valid_to),
      isForHost: checkServerIdentity(host, certificate) === undefined,
      names: namesOf(certificate),
      distrust: socket.authorized ? null : codeOf({ code: socket.authorizationError }),
    };
  } finally {
    socket.destroy();
  }
}

function namesOf({ subjectaltname, subject }: PeerCertificate): string {
  const names = subjectaltname?.replaceAll(/(DNS|IP Address):/g, "") ?? subject?.CN;
  return shown(String(names ?? "nobody"));
}

/** Judges a certificate at a time, in ms since 1970. */
export function certificateVerdict(seen: SeenCertificate, now: number): Verdict {
  const { host, validFrom, validTo, isForHost, names, distrust } = seen;
  if (validTo < now) {
    return failed(
      `The certificate expired on ${dayOf(validTo)}.`,
      "Renew it: `certbot renew`; Caddy does so by itself.",
      "Then load it: `nginx -s reload`, `apachectl graceful`, or a restart of Rollcall where it has " +
        "`TLS_CERT_FILE`.",
    );
  }
  if (validFrom > now) {
    return failed(
      `The certificate is valid from ${dayOf(validFrom)} on only.`,
      "Set the clock of this machine, or of the one that made the certificate.",
    );
  }
  if (!isForHost) {
    return failed(
      `The certificate is not for ${host}, but for ${names}.`,
      `Get one for ${host}, or put the right one where that name is served.`,
      `nginx: \`ssl_certificate\` beside \`server_name ${host};\``,
      `Apache: \`SSLCertificateFile\` beside \`ServerName ${host}\``,
      "Rollcall itself: `TLS_CERT_FILE`.",
    );
  }
  if (distrust !== null) return distrustVerdict(distrust);
  const days = Math.floor((validTo - now) / dayMs);
  const soon = days < soonDays ? " See that it gets renewed." : "";
  return ok(
    `The certificate is valid for ${host} until ${dayOf(validTo)}, ${daysText(days)}.${soon}`,
  );
}

function distrustVerdict(code: string): Verdict {
  if (code.includes("SELF_SIGNED")) {
    return failed(
      "The certificate is signed by itself, or by an authority that is not known here.",
      "Get one that browsers believe: certbot, Caddy, or your own authority's.",
      ownAuthority,
    );
  }
  return failed(
    `Nobody known vouches for the certificate (${code}).`,
    "Serve the whole chain, the certificate of the authority in between too: `fullchain.pem` in " +
      "`ssl_certificate` (nginx), `SSLCertificateFile` (Apache) or `TLS_CERT_FILE`.",
    ownAuthority,
  );
}

const ownAuthority =
  "If an authority of your own signed it, start Rollcall with `DENO_CERT=authority.pem`.";

/** Judges a handshake that came to nothing, by the code of what went wrong. */
export function handshakeVerdict(host: string, code: string, plainSetting: string): Verdict {
  if (code === "ETIMEDOUT") {
    return failed(
      `${host} takes the connection and then says nothing.`,
      "See whether what listens there hangs, or waits for another one (PROXY protocol).",
    );
  }
  return failed(
    `${host} does not speak TLS there (${code}).`,
    "Let the proxy do so (`listen 443 ssl;` in nginx), or give Rollcall `TLS_CERT_FILE` and " +
      `\`TLS_KEY_FILE\`. Without TLS it is ${plainSetting}.`,
  );
}

function dayOf(time: number): string {
  return Number.isNaN(time) ? "an unknown day" : new Date(time).toISOString().slice(0, 10);
}

function daysText(days: number): string {
  return days === 1 ? "1 day from now" : `${days} days from now`;
}
