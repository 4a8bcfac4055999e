import { randomBytes } from "node:crypto";
import { sign } from "../accounts/signature.ts";
import { isSameText } from "@/realtime/protocol/constant_time.ts";

const purpose = "embed";

/** 128 bits in base64url. */
const idLength = 22;

/** The id of a new embed, which cannot be guessed. */
export function newEmbedId(): string {
  return randomBytes(16).toString("base64url");
}

/** The token of an embed: its id and the signature of that, so that it can be shown again at any time. */
export function embedToken(secret: string, id: string): string {
  return id + sign(secret, purpose, id);
}

/** The id in a token; null when the token is not signed with the secret. */
export function signedEmbedId(secret: string, token: string): string | null {
  const id = token.slice(0, idLength);
  return isSameText(token.slice(idLength), sign(secret, purpose, id)) ? id : null;
}
