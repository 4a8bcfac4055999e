import { requireAdmin } from "../../middleware/require_admin.ts";

/** Guards every route below `/admin`. */
export default requireAdmin;
