import type { ReadFile } from "./setting.ts";

/** A certificate with its key, as PEM. */
export interface Tls {
  cert: string;
  key: string;
}

/** The paths of the files. */
interface TlsSettings {
  TLS_CERT_FILE?: string;
  TLS_KEY_FILE?: string;
}

/**
 * Reads certificate and key, if both are given.
 *
 * @param problems receives one line for each fault.
 */
export function readTls(
  { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }: TlsSettings,
  readFile: ReadFile,
  problems: string[],
): Tls | undefined {
  if (!certFile && !keyFile) return undefined;
  const fileText = (name: string, path: string | undefined, label: string): string => {
    if (!path) {
      problems.push(`${name}: not given, but the other TLS file is; expected both or neither`);
      return "";
    }
    try {
      const text = readFile(path);
      if (text.includes(`-----BEGIN`) && text.includes(label)) return text;
      problems.push(`${name}: ${JSON.stringify(path)} is not allowed; expected a PEM ${label}`);
    } catch {
      problems.push(`${name}: ${JSON.stringify(path)} is not allowed; expected a readable file`);
    }
    return "";
  };
  return {
    cert: fileText("TLS_CERT_FILE", certFile, "CERTIFICATE"),
    key: fileText("TLS_KEY_FILE", keyFile, "PRIVATE KEY"),
  };
}
