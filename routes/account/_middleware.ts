import { requireSession } from "@/http/steps.ts";

/** Guards every route below `/account`. */
export default requireSession;
