import { requireSession } from "../../middleware/require_session.ts";

/** Guards every route below `/account`. */
export default requireSession;
