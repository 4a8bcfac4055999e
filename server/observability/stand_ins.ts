import * as fresh from "fresh";
import * as cookie from "@std/http/cookie";

/**
 * The packages from JSR that stand-ins replace in this process; see docs/architecture.md. Only a stand-in
 * exports `isStandIn`.
 */
export const standIns: readonly string[] = standInsAmong({ fresh, "@std/http": cookie });

/** The names of the modules that are stand-ins. */
export function standInsAmong(modules: Record<string, object>): string[] {
  return Object.keys(modules).filter((name) => "isStandIn" in modules[name]);
}

/** What `rollcall --version` says of the packages. */
export function packagesText(standIns: readonly string[]): string {
  return standIns.length === 0 ? "packages from JSR" : `stand-ins for ${standIns.join(" and ")}`;
}
