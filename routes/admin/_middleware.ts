import { requireAdmin } from "../../middleware/require_admin.ts";

/** Everything below `/admin` is for admins. */
export default requireAdmin;
