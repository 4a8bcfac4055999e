import { requireAdmin } from "@/http/steps.ts";

/** Guards every route below `/admin`. */
export default requireAdmin;
