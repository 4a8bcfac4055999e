import { requireAdmin } from "@/http/require_admin.ts";

/** Guards every route below `/admin`. */
export default requireAdmin;
