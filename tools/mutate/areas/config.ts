import { apps } from "./config/apps.ts";
import { settings } from "./config/settings.ts";

/** Settings, apps and secrets, and what is said of faults in them. */
export const config = [...apps, ...settings];
