/**
 * The pages of the app, for the navigation and for the search: a page that is added here is found, and one that the
 * reader may not open is in neither.
 *
 * @module
 */
import { may, type Permission, type Role } from "@/shared/permissions.ts";
import { keyText } from "@/shared/long_text.ts";

/** A page, or a part of one, and who may open it. */
export interface AppPage {
  path: string;
  /** In English; the navigation shows it in the reader's language. */
  label: string;
  needs: Permission;
  /** What the reader has to be able to see beside: a counted channel, or all users online. */
  sees?: "counted channel" | "everyone";
  /** Whether it is there only without an external Pusher server. */
  isOfOwnServer?: true;
  /** Other words by which it is found. */
  words?: string;
}

/** What decides which pages a reader may open. */
export interface PageReader {
  role: Role;
  /** Whether the reader may follow a counted channel: not one who is limited to others. */
  mayFollow: boolean;
  /** Whether the reader may follow the users online. */
  mayFollowEveryone?: boolean;
  usesExternalServer?: boolean;
}

/** Whether a reader may open a page. */
export function mayOpen(
  { role, mayFollow, mayFollowEveryone, usesExternalServer }: PageReader,
  { needs, sees, isOfOwnServer }: AppPage,
): boolean {
  if (!may(role, needs) || isOfOwnServer && usesExternalServer) return false;
  if (sees === "everyone") return mayFollowEveryone === true;
  return sees === undefined || mayFollow;
}

/** Whether a path is that of a page, or of one below it. */
export function isBelow(path: string, page: string): boolean {
  return path === page || path.startsWith(`${page}/`);
}

/** The `aria-current` of the link to a page, on the page of a path: that page, or one that it stands for. */
export function currentOf(
  path: string,
  { path: own, also = [] }: { path: string; also?: readonly string[] },
): "page" | "true" | "false" {
  if (path === own) return "page";
  return [own, ...also].some((page) => isBelow(path, page)) ? "true" : "false";
}

/** A page with a mark, shown on phones: the outline of a drawing 24 units wide and high. */
type MarkedPage = AppPage & { mark: string };

/** The pages that the navigation names. */
export const navigation: readonly MarkedPage[] = [
  {
    path: "/admin/online",
    label: keyText("Live"),
    needs: "view",
    sees: "counted channel",
    words: "current users online people",
    mark: "M5 20v-7m7 7V4m7 16v-10",
  },
  {
    path: "/admin/activity",
    label: keyText("Activity"),
    needs: "view",
    sees: "counted channel",
    words: "joins leaves log",
    mark: "M3 13h4l3 7 4-16 3 9h4",
  },
  {
    path: "/admin/channels",
    label: keyText("Channels"),
    needs: "view",
    words: "apps events",
    mark: "M5 9h15M4 15h15M10 4 8 20m8-16-2 16",
  },
];

/** The settings, whose entry phones have in the navigation, and others in the menu of one's own. */
export const settingsPage: MarkedPage = {
  path: "/admin/settings",
  label: keyText("Settings"),
  needs: "manage",
  mark:
    "M3 7h10m6 0h2M3 17h2m6 0h10M16 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 20a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z",
};

/** The sections of the settings, and the paths of pages of each that are not below its own. */
export const sections = {
  connect: {
    path: "/admin/settings/connect",
    label: keyText("Connect & apps"),
    needs: "manage",
    words: "settings keys secrets guides",
    also: ["/admin/settings/api", "/admin/settings/sites"],
  },
  alerts: {
    path: "/admin/settings/alerts",
    label: keyText("Alerts"),
    needs: "manage",
    isOfOwnServer: true,
    words: "settings threshold rules receivers slack email webhook ntfy",
    also: ["/admin/settings/alert"],
  },
  displays: {
    path: "/admin/settings/displays",
    label: keyText("Displays"),
    needs: "manage",
    isOfOwnServer: true,
    words: "settings wallboards embeds",
    also: ["/admin/settings/embeds", "/admin/settings/wallboards"],
  },
  team: {
    path: "/admin/settings/team",
    label: keyText("Team"),
    needs: "manage",
    words: "settings users accounts invitations blocked",
  },
  server: {
    path: "/admin/settings/server",
    label: keyText("Server"),
    needs: "manage",
    words: "settings health servers version",
    also: ["/admin/settings/check", "/admin/settings/mail"],
  },
  you: {
    path: "/account",
    label: keyText("You"),
    needs: "view",
    words: "account profile name sessions",
  },
} as const satisfies Record<string, AppPage & { also?: readonly string[] }>;

/** All pages that the search finds by their names: those of the navigation, and what is below them. */
export const pages: readonly AppPage[] = [
  ...navigation.slice(0, 2),
  {
    path: "/admin/activity/numbers",
    label: keyText("Numbers over time"),
    needs: "view",
    sees: "counted channel",
    words: "history peak days weeks marks",
  },
  { path: "/admin/activity/admins", label: keyText("Admin log"), needs: "manage", words: "audit" },
  ...navigation.slice(2),
  ...Object.values(sections),
  ...settings(
    ["/admin/settings/displays#wallboards", keyText("Wallboards"), "displays screens links", true],
    ["/admin/settings/displays#embeds", keyText("Embeds"), "displays badges", true],
    ["/admin/settings/sites", keyText("Site tags"), "visitors scripts", true],
    ["/admin/settings/api", keyText("API and tokens"), "bearer", true],
    ["/admin/settings/server#mail", keyText("Email"), "smtp mail test", false],
    ["/admin/settings/check", keyText("Check of the public URL"), "address proxy", false],
  ),
  { path: "/docs", label: keyText("Documentation"), needs: "view", words: "help guide" },
  {
    path: "/account#password-card",
    label: keyText("Your password"),
    needs: "view",
    words: "change account",
  },
  {
    path: "/account/second-factor",
    label: keyText("Your second factor"),
    needs: "view",
    words: "passkeys one-time codes account",
  },
];

function settings(...rows: [path: string, label: string, words: string, own: boolean][]) {
  return rows.map(([path, label, words, own]): AppPage => (
    { path, label, needs: "manage", words: `settings ${words}`, ...own && { isOfOwnServer: true } }
  ));
}

/** What an admin does now and then, by the page on which it begins. */
export const actions: readonly AppPage[] = [
  {
    path: "/admin/messages",
    label: keyText("Message everyone"),
    needs: "act",
    sees: "everyone",
    isOfOwnServer: true,
    words: "send announce",
  },
  {
    path: "/admin/settings/displays#wallboards",
    label: keyText("Create a wallboard"),
    needs: "manage",
    isOfOwnServer: true,
    words: "add screen",
  },
  {
    path: "/admin/settings/displays#embeds",
    label: keyText("Add an embed"),
    needs: "manage",
    isOfOwnServer: true,
    words: "create badge copy code",
  },
  {
    path: "/admin/settings/team#invite",
    label: keyText("Invite to the team"),
    needs: "manage",
    words: "add user account",
  },
];
