import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import { actions, mayOpen, navigation, pages, sections } from "@/components/page/navigation.ts";
import { neededPermission } from "@/http/route_permissions.ts";
import { routePatterns } from "../../fixtures/route_files.ts";

const routes = new Set(routePatterns("routes"));
const all = [...pages, ...actions];

it("every page that the navigation and the search name exists, and needs what they say", () => {
  for (const { path, label, needs } of all) {
    const [route] = path.split("#");
    assert.ok(routes.has(route), `${label}: ${path}`);
    if (route.startsWith("/admin/")) assert.equal(neededPermission("GET", route), needs, label);
  }
});

it("the search has every page of the navigation, and no two pages of one name", () => {
  for (const page of [...navigation, ...Object.values(sections)]) {
    assert.ok(pages.includes(page), page.label);
  }
  assert.equal(new Set(all.map(({ label }) => label)).size, all.length);
});

it("a page is for those who have its permission and see what it shows", () => {
  const named = (label: string) => all.find((page) => page.label === label)!;
  const viewer = { role: "viewer", mayFollow: true, mayFollowEveryone: true } as const;
  const moderator = { ...viewer, role: "moderator" } as const;
  assert.ok(mayOpen(viewer, named("Live")));
  assert.ok(!mayOpen({ ...viewer, mayFollow: false }, named("Live")));
  assert.ok(mayOpen({ ...viewer, mayFollow: false }, named("Channels")));
  assert.ok(!mayOpen(viewer, named("Message everyone")));
  assert.ok(mayOpen(moderator, named("Message everyone")));
  assert.ok(!mayOpen({ ...moderator, mayFollowEveryone: false }, named("Message everyone")));
  assert.ok(!mayOpen(moderator, named("Team")));
  const admin = { ...viewer, role: "admin", usesExternalServer: true } as const;
  assert.ok(mayOpen(admin, named("Team")));
  assert.ok(!mayOpen(admin, named("Embeds")));
});
