import type { AnchorHTMLAttributes } from "preact";
import { href } from "@/shared/address.ts";

/**
 * A link to a page of the app that may be the current one or above it. Fresh marks every such link as
 * current unless it states otherwise; only navigation does.
 */
export function Link({ path, current = "false", ...rest }: {
  path: string;
  /** How navigation marks it. */
  current?: "page" | "true" | "false";
} & Omit<AnchorHTMLAttributes, "href" | "aria-current">) {
  return <a {...rest} href={href(path)} aria-current={current} />;
}
