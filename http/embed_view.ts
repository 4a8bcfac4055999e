import type { EmbedInput, EmbedView } from "@/components/embed/EmbedPage.tsx";
import { onlineChannel } from "@/server/presence/channels.ts";
import { badge } from "@/server/embed/badge.ts";
import { embedCode } from "@/server/embed/embed_code.ts";
import type { Embed } from "@/server/embed/embed_links.ts";
import { href } from "@/shared/address.ts";
import type { Guide } from "@/shared/connect.ts";
import { type EmbedFormat, embedPath } from "@/shared/embed.ts";
import type { State } from "./state.ts";
import { publicOrigin } from "./public_origin.ts";
import { textField } from "./text_field.ts";

/** The data of an embed's page, with the outcome of a form that was submitted. */
export function embedView(
  { config, embeds, ownApp }: State,
  url: URL,
  embed: Embed,
  sent: { done?: string; input?: EmbedInput; refusal?: EmbedView["refusal"] } = {},
): { view: EmbedView; code: Guide[] } {
  const token = embeds.tokenOf(embed);
  const origin = publicOrigin(config, url);
  const at = (format: EmbedFormat) => origin + href(embedPath(token, format));
  const { id, name, label, origins, readers } = embed;
  const { users } = ownApp.presence.counts(onlineChannel);
  return {
    view: {
      ...{ id, name, done: "" },
      badges: [imageOf(badge({ users, label }, "light")), imageOf(badge({ users, label }, "dark"))],
      input: { name, label, origins: origins.join("\n"), readers },
      ...sent,
    },
    code: embedCode({ json: at("json"), svg: at("svg"), page: at("page") }),
  };
}

/** An image in the page itself: a request for it would count as a use. */
function imageOf(svg: string): string {
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** What was entered in the form of an embed. */
export function embedInputOf(fields: Record<string, unknown>): EmbedInput {
  const text = (name: string) => textField(fields, name);
  return {
    ...{ name: text("name"), label: text("label") },
    ...{ origins: text("origins"), readers: text("readers") },
  };
}
