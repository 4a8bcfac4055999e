import { hitsText } from "../../browser/online/online_table_text.ts";

/** What stands below the online table: how many are listed, and whether all of them are here yet. */
export function OnlineTableFoot({ hits, total, search, problem, onRetry }: {
  hits: number;
  total: number;
  search: string;
  /** Why the list could not be loaded; empty when it was, or is on its way. */
  problem: string;
  /** Asks again; absent where that is of no use. */
  onRetry?: () => void;
}) {
  return (
    <div class="online-table-foot">
      <p class="soft">{hitsText(hits, total, search.trim() !== "")}</p>
      {problem && (
        <p class="notice notice-warning online-table-problem" role="status">
          {problem} {onRetry && (
            <>
              Trying again soon.{" "}
              <button class="button button-quiet" type="button" onClick={onRetry}>Try now</button>
            </>
          )}
        </p>
      )}
    </div>
  );
}
