import { requireSession } from "@/http/require_session.ts";

/** Guards every route below `/account`. */
export default requireSession;
