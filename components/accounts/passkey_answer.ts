/** Reads options as the server writes them; browsers since 2024 have both (WebAuthn, level 3). */
interface JsonCredentials {
  parseCreationOptionsFromJSON(options: unknown): PublicKeyCredentialCreationOptions;
  parseRequestOptionsFromJSON(options: unknown): PublicKeyCredentialRequestOptions;
}

/**
 * Has the browser ask for a passkey.
 *
 * @param options JSON, as the server asks.
 * @returns the JSON of the answer; null when the person gave none, or the browser cannot: it needs https.
 */
export async function passkeyAnswer(
  kind: "create" | "get",
  options: string,
): Promise<string | null> {
  try {
    const json = JSON.parse(options);
    // TypeScript's own types of the browser do not have them yet.
    const parse = PublicKeyCredential as unknown as JsonCredentials;
    const credential = kind === "create"
      ? await navigator.credentials.create({ publicKey: parse.parseCreationOptionsFromJSON(json) })
      : await navigator.credentials.get({ publicKey: parse.parseRequestOptionsFromJSON(json) });
    return credential && JSON.stringify(credential);
  } catch {
    return null;
  }
}
