import * as fresh from "fresh";
import * as cookie from "@std/http/cookie";

/**
 * The packages from JSR that shims replace in this process; see docs/internals/architecture.md. Only a shim
 * exports `isShim`.
 */
export const shims: readonly string[] = shimsAmong({ fresh, "@std/http": cookie });

/** The names of the modules that are shims. */
export function shimsAmong(modules: Record<string, object>): string[] {
  return Object.keys(modules).filter((name) => "isShim" in modules[name]);
}

/** What `rollcall --version` says of the packages. */
export function packagesText(shims: readonly string[]): string {
  return shims.length === 0 ? "packages from JSR" : `shims for ${shims.join(" and ")}`;
}
