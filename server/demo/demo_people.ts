import type { ReportedPage } from "@/realtime/protocol/incoming.ts";
import { Random } from "./random.ts";

/** What a shop that does not exist tells admins of a user. */
type Options = Record<"name" | "detail", string>;

/** Someone who looks at the shop. */
export interface DemoPerson {
  id: string;
  /** Absent for a guest. */
  options?: Options;
  device: NonNullable<ReportedPage["device"]>;
  /** The pages, those read most often several times. */
  paths: readonly string[];
}

const names = [
  ..."Amara Bao Chidi Dunya Elif Freya Goran Hana Ines Jonas Kaito Leila Mateo Nadia Omar".split(
    " ",
  ),
  ..."Priya Quentin Rosa Samir Tuva Umut Vera Wanjiru Ximena Yusuf Zofia".split(" "),
  "نور",
  "雪",
];
const surnames = [
  ..."Okafor Nguyen Eze Haddad Yıldız Lindqvist Petrović Sato Moreau Weber Tanaka".split(" "),
  ..."Rossi Kovács Silva Rahman Iyer Dubois Navarro Khalil Berg Jansen Mwangi Ruiz".split(" "),
];
const paths = [
  "/",
  "/pricing",
  "/docs/start",
  "/checkout",
  "/blog/how-we-count",
  "/account",
  "/jobs",
];
const devices = ["desktop", "desktop", "phone", "desktop", "tablet", "phone"] as const;

/** A user on a page of the shop, the same for the same number; 644 have different names. */
export function shopper(
  index: number,
): { id: string; options: Options; page: { path: string; device: DemoPerson["device"] } } {
  const name = names[index % names.length];
  const surname = surnames[(index * 7) % surnames.length];
  return {
    id: String(4_000 + index),
    options: { name: `${name} ${surname}`, detail: `user-${4_000 + index}@example.com` },
    page: {
      path: paths[Math.min((index * index) % 11, index % 7)],
      device: devices[index % devices.length],
    },
  };
}

/** The pages of the shop, by how often they are read: products are looked at more than the terms. */
const weights = {
  "/": 6,
  "/products": 5,
  "/products/lamp": 4,
  "/products/chair": 3,
  "/basket": 3,
  "/checkout": 2,
  "/blog/how-we-count": 2,
  "/account": 1,
  "/terms": 1,
};

const weightedPaths = Object.entries(weights)
  .flatMap(([path, weight]) => Array<string>(weight).fill(path));

/** The user of a number who reads the shop's pages, the same at each call. */
export function demoUser(index: number): DemoPerson & { options: Options } {
  const { id, options, page } = shopper(index);
  return { id, options, device: page.device, paths: weightedPaths };
}

/** The guest of a number: someone who has not signed in to the shop. */
export function demoGuest(index: number): DemoPerson {
  const random = new Random(9_001 + index);
  const digits = Array.from({ length: 32 }, () => random.whole(0, 15).toString(16)).join("");
  return { id: `guest-${digits}`, device: random.pick(devices), paths: weightedPaths };
}
