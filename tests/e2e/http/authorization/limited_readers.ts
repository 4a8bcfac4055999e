import type { HttpVisitor } from "../../../fixtures/http_visitor.ts";
import { isWithin, type Limit } from "@/shared/permissions.ts";

/** The app of Rollcall's own pages. */
export const own = { id: "4711", key: "key-of-the-own-app", secret: "a-secret-of-the-own-app" };
/** Another app. */
export const shop = { id: "4712", key: "key-of-the-shop", secret: "a-secret-of-the-shop-alone" };
/** The name of the other app. */
export const shopName = "Quuxshop";

/** A channel, with a mark that is in all that only its readers may see. */
export interface Marked {
  app: typeof own;
  channel: string;
  mark: string;
  isCounted: boolean;
}

/** The channels of both apps. */
export const channels: Marked[] = [
  { app: own, channel: "presence-chart", mark: "zarkonia", isCounted: true },
  { app: own, channel: "presence-desk", mark: "yelvator", isCounted: true },
  { app: shop, channel: "presence-support", mark: "wiffling", isCounted: true },
  { app: own, channel: "presence-backroom", mark: "vundelas", isCounted: false },
  { app: shop, channel: "presence-orders", mark: "umbraxis", isCounted: false },
];
/** The counted ones. */
export const [chart, desk, support] = channels;

const parts: Limit[] = [
  { app: own.id, channel: null },
  { app: shop.id, channel: null },
  ...[chart, desk, support].map(({ app, channel }) => ({ app: app.id, channel })),
];

/** All choices that an admin has, and a channel that was chosen while it was counted: with it alone, none is. */
export const choices = [
  ...Array.from(
    { length: 2 ** parts.length - 1 },
    (_, number) => parts.filter((_, index) => (number + 1) >> index & 1),
  ),
  [{ app: own.id, channel: channels[3].channel }],
];

/** A limited account. */
export interface Reader {
  what: string;
  limits: Limit[];
  role: "viewer" | "moderator";
  visitor: HttpVisitor;
}

/** Whether a reader may see a channel. */
export const sees = ({ limits }: Reader, { app, channel }: Marked) =>
  isWithin(limits, { appId: app.id, channel });
const seesApp = ({ limits }: Reader, { id }: typeof own) =>
  isWithin(limits, { appId: id, channel: null });
/** The key of a channel, as addresses have it. */
export const keyOf = ({ app, channel }: Marked) => app === own ? channel : `${app.id}/${channel}`;

/** A request, and what it is answered with. */
interface Cell {
  /** As the files of the routes have it. */
  route: string;
  path: string;
  fields?: Record<string, string>;
  status: number;
  location?: RegExp;
}

/** Every request that a viewer or a moderator may send, with what a limited one gets. */
export function cellsOf(reader: Reader, ids: { pia: string }): Cell[] {
  const mayAct = reader.role === "moderator";
  const follows = channels.some((one) => one.isCounted && sees(reader, one));
  const page = (path: string): Cell => ({ route: `GET ${path}`, path, status: 200 });
  const act = (route: string, path: string, cell: Partial<Cell> = {}): Cell => {
    const granted = { fields: { confirmed: "" }, status: 200, ...cell };
    return { route, path, ...granted, ...!mayAct && { status: 403, location: undefined } };
  };
  const onCounted = channels.filter(({ isCounted }) => isCounted).flatMap((one): Cell[] => {
    const query = `channel=${encodeURIComponent(keyOf(one))}`;
    const status = sees(reader, one) ? 200 : 404;
    const get = (path: string, more = ""): Cell => (
      { route: `GET /admin/${path}`, path: `/admin/${path}?${query}${more}`, status }
    );
    return [
      get("activity"),
      get("online"),
      get("online/activity"),
      get("online/history", `&range=hour&midnight=${Math.floor(Date.now() / 9e5) * 9e5}`),
      get("online/rows", "&offset=0&limit=9"),
      get("online/seen", `&ids=${one.mark}-id`),
      get("online/snapshot"),
    ];
  });
  const onChannel = channels.flatMap((one): Cell[] => {
    const query = `app=${one.app.id}&name=${one.channel}`;
    const status = sees(reader, one) ? 200 : 404;
    return ["channel", "events", "status"].map((name) => (
      { route: `GET /admin/channels/${name}`, path: `/admin/channels/${name}?${query}`, status }
    ));
  });
  const people = [chart, desk, channels[3], support].map((one) => ({
    id: `${one.mark}-id`,
    isSeen: one.app === own && one.isCounted && sees(reader, one),
  }));
  const onPeople = [...people, { id: ids.pia, isSeen: sees(reader, chart) }].flatMap(
    ({ id, isSeen }): Cell[] => {
      const path = `/admin/people/${id}`;
      const isAccount = id === ids.pia;
      const isKnown = isSeen || isAccount && seesApp(reader, own);
      const blocked = seesApp(reader, own) ? {} : { status: 303, location: /problem=limited/ };
      const unknown = { status: 404 };
      const unblocked = { status: 303, location: /people\/[^?]+$/ };
      return [
        { route: "GET /admin/people/[id]", path, status: isKnown ? 200 : 404 },
        { route: "GET /admin/people/[id]/now", path: `${path}/now`, status: isKnown ? 200 : 404 },
        { route: "GET /admin/people/[id]/view", path: `${path}/view`, status: isKnown ? 200 : 404 },
        act("POST /admin/people/[id]/block", `${path}/block`, isKnown ? blocked : unknown),
        act("POST /admin/people/[id]/disconnect", `${path}/disconnect`, isKnown ? {} : unknown),
        act("POST /admin/people/[id]/unblock", `${path}/unblock`, isKnown ? unblocked : unknown),
        act("POST /admin/people/[id]/message", `${path}/message`, {
          fields: { text: "Hello" },
          ...!isKnown
            ? unknown
            : isAccount
            ? { status: 303, location: /done=sent/ }
            : { status: 409 },
        }),
      ];
    },
  );
  const find = (text: string): Cell => (
    { route: "GET /admin/find/list", path: `/admin/find/list?q=${text}`, status: 200 }
  );
  const toAll = sees(reader, chart) ? {} : { status: 403 };
  return [
    {
      route: "GET /admin",
      path: "/admin",
      status: 302,
      location: follows ? /\/admin\/online$/ : /\/admin\/channels$/,
    },
    { ...page("/admin/activity"), status: follows ? 200 : 404 },
    { ...page("/admin/activity"), path: "/admin/activity?who=a", status: follows ? 200 : 404 },
    { ...page("/admin/activity/numbers"), status: follows ? 200 : 404 },
    { ...page("/admin/activity/numbers.csv"), status: follows ? 200 : 404 },
    page("/admin/channels"),
    page("/admin/channels/list"),
    { ...page("/admin/online"), status: follows ? 200 : 404 },
    { ...page("/admin/online/snapshot"), status: follows ? 200 : 404 },
    ...onCounted,
    ...onChannel,
    ...["", "ann", "pia", "presence", "e"].map(find),
    ...channels.flatMap(({ mark }) => [find(mark), find(`${mark}-id`), find(`Ann ${mark}`)]),
    { ...page("/admin/find"), path: "/admin/find?q=ann" },
    ...onPeople,
    act("GET /admin/messages", "/admin/messages", { fields: undefined, ...toAll }),
    act("POST /admin/messages", "/admin/messages", {
      fields: { text: "Hi", confirmed: "" },
      ...toAll,
    }),
    {
      route: "POST /admin/online/counted",
      path: "/admin/online/counted",
      fields: { counted: "yes" },
      status: 303,
    },
  ];
}
