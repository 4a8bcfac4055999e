import { page } from "fresh";
import { pathOf } from "@/shared/address.ts";
import { AuditPage } from "@/components/audit/AuditPage.tsx";
import { define } from "@/http/state.ts";
import { auditFilter, auditPath, readAuditQuery } from "@/server/audit/audit_log.ts";
import { text } from "@/shared/language.ts";

/** Entries of a page. */
const pageLength = 50;

/** The admin log: actions of admins, newest first, filtered by admin, action and target. */
export const handler = define.handlers({
  async GET(ctx) {
    ctx.state.title = text`Admin log`;
    const { auditLog } = ctx.state;
    const query = readAuditQuery(ctx.url.searchParams);
    const before = ctx.url.searchParams.get("before") ?? undefined;
    const { entries, next } = await auditLog.read({
      ...auditFilter(query),
      before,
      limit: pageLength,
    });
    return page({
      path: pathOf(ctx.url),
      query,
      entries,
      actors: await auditLog.actors(),
      older: next && auditPath(query, next),
      newest: before === undefined ? null : auditPath(query),
    });
  },
});

export default define.page<typeof handler>(({ data }) => <AuditPage {...data} />);
