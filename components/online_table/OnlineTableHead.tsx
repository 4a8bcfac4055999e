import {
  type OnlineTableColumn,
  onlineTableColumns,
  type OnlineTableSort,
  sortAfter,
  sortName,
} from "@/shared/online_table.ts";

/**
 * The head of the online table, with a button in each column that sorts by it. Without script the
 * buttons send the search form.
 */
export function OnlineTableHead({ sort, formId, onSort }: {
  sort: OnlineTableSort;
  /** The form that the buttons belong to. */
  formId: string;
  onSort: (column: OnlineTableColumn) => void;
}) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {onlineTableColumns.map(({ column, label }) => (
          <th
            key={column}
            scope="col"
            class={`online-table-${column}`}
            aria-sort={column === sort.column ? directionOf(sort) : undefined}
          >
            <button
              type="submit"
              form={formId}
              name="sort"
              value={sortName(sortAfter(sort, column))}
              onClick={(event) => {
                event.preventDefault();
                onSort(column);
              }}
            >
              {label}
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}

function directionOf({ descending }: OnlineTableSort): "ascending" | "descending" {
  return descending ? "descending" : "ascending";
}
