import type { Member } from "@/tests/fixtures/member_sockets.ts";

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

/** A user of a shop, the same for the same number. */
export function shopper(index: number): Member {
  const name = names[index % names.length];
  const surname = surnames[(index * 7) % surnames.length];
  return {
    id: String(4_000 + index),
    profile: { name: `${name} ${surname}`, detail: `user-${4_000 + index}@example.com` },
    page: {
      path: paths[Math.min((index * index) % 11, index % 7)],
      device: devices[index % devices.length],
    },
  };
}
