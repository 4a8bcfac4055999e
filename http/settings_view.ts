import type { SentAlert } from "@/components/alert/AlertCard.tsx";
import { alertInput } from "./alerts_view.ts";
import { tellsNoOne } from "./rules_view.ts";
import { publicOrigin, textField } from "./request.ts";
import { usesExternalServer } from "@/server/config/client_options.ts";
import { countedNames } from "./counted_view.ts";
import type { CountedChannel } from "@/server/live_view/counted_channel.ts";
import type { RefusedName } from "@/components/settings/LinksCard.tsx";
import type { State } from "./state.ts";
import { accountsById } from "@/server/presence/identity.ts";
import type { SettingsView } from "@/components/settings/SettingsPage.tsx";
import type { SiteTagView } from "@/components/site/SiteTags.tsx";
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

type MailView = NonNullable<SettingsView["mail"]>;

/** The outcome of a form of the settings page. */
export interface SentSettings {
  done?: string;
  refusedName?: RefusedName;
  refusedEmbed?: RefusedName;
  refusedSiteTag?: RefusedName;
  /** The channel whose alert is shown; default: the users online. */
  channel?: CountedChannel;
  /** The form of the alert, when it was refused or a test was sent. */
  alert?: SentAlert;
  /** How a test email ended. */
  mail?: MailView["outcome"];
}

/** The data of the settings page, with the outcome of a form that was submitted. */
export async function settingsView(
  state: State,
  sent: SentSettings = {},
): Promise<SettingsView> {
  const { accounts, alertReceivers, config, checks, embeds, siteTags, untrustedProxy, wallboards } =
    state;
  const { channel = state.counted[0] } = sent;
  const links = await wallboards.list();
  const receivers = await alertReceivers.list();
  const tags = await siteTags.list();
  const { state: stored, view } = channel.alert;
  const creators = await accountsById(
    (ids) => accounts.findAll(ids),
    [...links, ...embeds.list, ...tags].map(({ createdBy }) => createdBy),
  );
  const withCreator = <Made extends { createdBy: string }>(made: Made) => ({
    ...made,
    creator: creators.get(made.createdBy)?.name ?? null,
  });
  return {
    usesExternalServer: usesExternalServer(config.pusher),
    untrustedProxy: untrustedProxy.peer,
    address: { address: checks.address, report: await checks.latest() },
    alert: {
      channel: channel.key,
      channels: countedNames(state),
      isSet: stored !== null,
      view,
      input: alertInput(stored?.setting),
      ...sent.alert,
      receivers: receivers.map(({ id, name }) => ({ id, name })),
      tellsNoOne: tellsNoOne(stored?.setting, receivers),
      crossings: stored?.crossings ?? [],
    },
    links: links.map(withCreator),
    refusedName: sent.refusedName,
    embeds: embeds.list.map(withCreator),
    refusedEmbed: sent.refusedEmbed,
    siteTags: tags.map(withCreator),
    refusedSiteTag: sent.refusedSiteTag,
    mail: mailView(state, sent.mail),
    done: sent.done ?? "",
  };
}

/** What the settings page shows of the mail server; null without one. */
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
