import type { AppConnection, Guide } from "@/shared/connect.ts";
import { activityGuide, clientPackageGuide, currentPageGuide } from "./connected_pages.ts";
import { echoGuide, reactGuide, vueGuide } from "./echo_guides.ts";
import { laravelPusherGuide, laravelReverbGuide } from "./laravel.ts";
import { messagesGuide } from "./messages_guide.ts";
import { expressGuide, nextGuide, reactPusherGuide } from "./node_apps.ts";
import { serverLibrariesGuide } from "./server_libraries.ts";

/** How apps of every kind are connected. The blocks are complete: they run as they are. */
export function guidesFor(connection: AppConnection): Guide[] {
  return [
    laravelReverbGuide,
    laravelPusherGuide,
    reactGuide,
    vueGuide,
    echoGuide,
    expressGuide,
    nextGuide,
    reactPusherGuide,
    serverLibrariesGuide,
    clientPackageGuide,
    currentPageGuide,
    activityGuide,
    messagesGuide,
  ].map((guide) => guide(connection));
}
