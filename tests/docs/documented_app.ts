/** The app that the documents name, with a secret of its own in the place of the public one. */
export const documentedApp = {
  id: "48213",
  key: "a-key-of-your-own",
  secret: "2c1b7f6e5d4c3b2a190807f6e5d4c3b2a1",
};

/** Where Rollcall is in the documents. */
export const documentedHost = "rollcall.example.com";

const publicSecret = "a-long-secret-of-your-own";

/** A text with the secret of {@link documentedApp}, and with the addresses of a running server. */
export function readdressed(text: string, origin: string): string {
  const { host, hostname, port } = new URL(origin);
  return text.replaceAll(publicSecret, documentedApp.secret)
    .replaceAll(`https://${documentedHost}`, `http://${host}`)
    .replaceAll("useTLS: true", `useTLS: false, port: "${port}"`)
    .replaceAll("forceTLS: true", "forceTLS: false")
    .replaceAll("wsPort: 80", `wsPort: ${port}`)
    .replaceAll(documentedHost, hostname);
}
