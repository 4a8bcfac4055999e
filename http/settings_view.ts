import { publicOrigin, textField } from "./request.ts";
import { usesExternalServer } from "@/server/config/client_options.ts";
import type { State } from "./state.ts";
import { accountsById } from "@/server/presence/identity.ts";
import type { DisplaysView } from "@/components/settings/DisplaysPage.tsx";
import type { ServerView } from "@/components/settings/ServerPage.tsx";
import type { SiteTagsView, SiteTagView } from "@/components/site/SiteTags.tsx";
import { siteCode, type SiteTag } from "@/server/site/stored_site_tags.ts";
import { sitePath } from "@/shared/site.ts";
import type { EmbedView } from "@/components/embed/EmbedPage.tsx";
import { onlineChannel } from "@/server/presence/channels.ts";
import { badge, type ShownCount } from "@/server/embed/badge.ts";
import { embedCode } from "@/server/embed/embed_settings.ts";
import type { Embed } from "@/server/embed/embed_links.ts";
import { href } from "@/shared/address.ts";
import type { Guide } from "@/shared/connect.ts";
import { type EmbedFormat, embedPath } from "@/shared/wallboard.ts";
import { text } from "@/shared/language.ts";

type MailView = NonNullable<ServerView["mail"]>;

/** Adds the names of the creators to what admins made; null for those who were deleted. */
async function withCreators<Made extends { createdBy: string }>(
  { accounts }: State,
  all: readonly Made[],
): Promise<(Made & { creator: string | null })[]> {
  const creators = await accountsById(
    (ids) => accounts.findAll(ids),
    all.map(({ createdBy }) => createdBy),
  );
  return all.map((made) => ({ ...made, creator: creators.get(made.createdBy)?.name ?? null }));
}

/** The data of the page of the displays, with the outcome of a form that was submitted. */
export async function displaysView(
  state: State,
  sent: Partial<DisplaysView> = {},
): Promise<DisplaysView> {
  state.title = text`Displays`;
  return {
    usesExternalServer: usesExternalServer(state.config.pusher),
    links: await withCreators(state, await state.wallboards.list()),
    embeds: await withCreators(state, state.embeds.list),
    done: "",
    ...sent,
  };
}

/** The data of the page of the site tags, with the outcome of a form that was submitted. */
export async function siteTagsView(
  state: State,
  sent: Partial<SiteTagsView> = {},
): Promise<SiteTagsView> {
  state.title = text`Site tags`;
  return {
    usesExternalServer: usesExternalServer(state.config.pusher),
    tags: await withCreators(state, await state.siteTags.list()),
    done: "",
    ...sent,
  };
}

/** The data of the page of the server. @param outcome how a test email ended */
export async function serverView(
  state: State,
  outcome?: MailView["outcome"],
): Promise<ServerView> {
  state.title = text`Server`;
  const { checks, config, untrustedProxy } = state;
  return {
    untrustedProxy: untrustedProxy.peer,
    address: { address: checks.address, report: await checks.latest() },
    mail: mailView(state, outcome),
    health: usesExternalServer(config.pusher) ? null : await state.liveView.health.measure(),
    settings: config.given,
  };
}

/** What the page shows of the mail server; null without one. */
function mailView(
  { config, mailer, session }: State,
  outcome: MailView["outcome"],
): MailView | null {
  if (!mailer) return null;
  const { smtp: { host, port, tls }, from: { name, address } } = mailer.config;
  return {
    from: name === "" ? address : `${name} <${address}>`,
    server: `${host}:${port}`,
    isEncrypted: tls !== "off",
    links: config.appUrl.href.replace(/\/$/, ""),
    recipient: session?.user.email ?? "",
    lastFailure: mailer.lastFailure,
    outcome,
  };
}

/** The data of an embed's page, with the outcome of a form that was submitted. */
export function embedView(
  { config, embeds, ownApp }: State,
  url: URL,
  embed: Embed,
  sent: { done?: string; input?: EmbedView["input"]; refusal?: EmbedView["refusal"] } = {},
): { view: EmbedView; code: Guide[] } {
  const token = embeds.tokenOf(embed);
  const origin = publicOrigin(config, url);
  const at = (format: EmbedFormat) => origin + href(embedPath(token, format));
  const { id, name, label, origins, readers, activity } = embed;
  const { users, guests } = ownApp.presence.counts(onlineChannel);
  const shown: ShownCount = { users, ...guests && { guests }, label, freshness: { state: "live" } };
  return {
    view: {
      id,
      name,
      done: "",
      badges: [imageOf(badge(shown, "light")), imageOf(badge(shown, "dark"))],
      input: { name, label, origins: origins.join("\n"), readers, activity },
      ...sent,
    },
    code: embedCode({ json: at("json"), svg: at("svg"), page: at("page") }),
  };
}

/** The data of a site tag's page, with the outcome of a form that was submitted. */
export function siteTagView(
  { config, siteTags }: State,
  url: URL,
  tag: SiteTag,
  sent: { done?: string; input?: SiteTagView["input"]; refusal?: SiteTagView["refusal"] } = {},
): { view: SiteTagView; code: Guide[] } {
  const address = publicOrigin(config, url) + href(sitePath(siteTags.tokenOf(tag), "script"));
  const { id, name, origins } = tag;
  return {
    view: { id, name, done: "", input: { name, origins: origins.join("\n") }, ...sent },
    code: siteCode(address),
  };
}

/** What was entered in the form of a site tag. */
export function siteTagInputOf(fields: Record<string, unknown>): SiteTagView["input"] {
  return { name: textField(fields, "name"), origins: textField(fields, "origins") };
}

/** An image in the page itself: a request for it would count as a use. */
function imageOf(svg: string): string {
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** What was entered in the form of an embed. */
export function embedInputOf(fields: Record<string, unknown>): EmbedView["input"] {
  const text = (name: string) => textField(fields, name);
  return {
    name: text("name"),
    label: text("label"),
    origins: text("origins"),
    readers: text("readers"),
    activity: text("activity"),
  };
}
