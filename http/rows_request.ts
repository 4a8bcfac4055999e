import { z } from "zod";
import { ConcurrencyLimit } from "@/server/net/concurrency_limit.ts";
import { maxUserIdLength } from "@/realtime/protocol/users.ts";
import { maxAnchors, maxRows } from "@/shared/large_channel.ts";
import { maxSearchLength, sortOf } from "@/shared/online_table.ts";

/** A row that stays where it is: its number, a colon, and the id of its person. */
const anchorSchema = z.string().regex(/^\d{1,9}:./s).max(10 + maxUserIdLength)
  .transform((text) => {
    const [row] = text.split(":");
    return { row: Number(row), id: text.slice(row.length + 1) };
  });

const number = z.string().regex(/^\d{1,9}$/).transform(Number);

const requestSchema = z.object({
  offset: number,
  limit: number.pipe(z.number().min(1).max(maxRows)),
  search: z.string().max(maxSearchLength),
  sort: z.string().transform(sortOf),
  anchors: z.array(anchorSchema).max(maxAnchors),
});

/** What {@link readRowsRequest} understands, as a sentence. */
export const rowsRequestText = `offset, limit (1 to ${maxRows}), q (up to ${maxSearchLength} ` +
  `characters), sort, and up to ${maxAnchors} anchors like 7:ID are understood.`;

/** The rows of the online table that an address asks for; null when it is malformed. */
export function readRowsRequest(
  { searchParams }: Pick<URL, "searchParams">,
): z.infer<typeof requestSchema> | null {
  const read = requestSchema.safeParse({
    offset: searchParams.get("offset"),
    limit: searchParams.get("limit"),
    search: searchParams.get("q") ?? "",
    sort: searchParams.get("sort") ?? "",
    anchors: searchParams.getAll("anchor"),
  });
  return read.success ? read.data : null;
}

/** A page asks again once it has an answer, and an admin has few pages open. */
export const rowsLimit = new ConcurrencyLimit({
  max: 100,
  maxPerClient: 6,
  retryAfterSeconds: 1,
});
