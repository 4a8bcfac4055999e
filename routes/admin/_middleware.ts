import { requireAdmin } from "../../middleware/access.ts";

/** Everything below `/admin` is for admins. */
export default requireAdmin;
