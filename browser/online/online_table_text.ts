import type { Person } from "../../shared/online.ts";

/** What somebody is, in a word. */
export function roleText({ kind, role }: Pick<Person, "kind" | "role">): string {
  if (kind === "guest") return "Guest";
  if (kind === "foreign") return "Other application";
  return role === "admin" ? "Admin" : "User";
}

/** How many are listed: `12 people`, or `3 of 12 people match`. */
export function hitsText(hits: number, total: number, searched: boolean): string {
  const people = `${number(total)} ${total === 1 ? "person" : "people"}`;
  if (!searched) return people;
  return `${number(hits)} of ${people} ${hits === 1 ? "matches" : "match"}`;
}

/** `42 users · 57 connections`, each part for itself. */
export function totalsText(users: number, connections: number): [string, string] {
  return [
    `${number(users)} ${users === 1 ? "user" : "users"}`,
    `${number(connections)} ${connections === 1 ? "connection" : "connections"}`,
  ];
}

/** In the language of the page, so that server and browser write the same. */
const numbers = new Intl.NumberFormat("en");

function number(count: number): string {
  return numbers.format(count);
}
