import { requirePermission } from "@/http/route_permissions.ts";

/** Guards every route below `/admin`. */
export default requirePermission;
