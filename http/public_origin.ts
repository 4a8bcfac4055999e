import { type Config, servesHttps } from "@/server/config/config.ts";

/**
 * The origin of links that are passed on: that of `APP_URL`. Where that is `localhost`, or not given, which
 * means the same, it is the one that the request was sent to.
 */
export function publicOrigin(config: Config, { host, protocol }: URL): string {
  const { appUrl } = config;
  if (appUrl.hostname !== "localhost") return appUrl.origin;
  return `${servesHttps(config) ? "https:" : protocol}//${host}`;
}
