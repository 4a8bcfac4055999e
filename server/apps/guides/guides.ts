import type { AppConnection, Guide } from "@/shared/connect.ts";
import { activityGuide, clientPackageGuide, currentPageGuide } from "./connected_pages.ts";
import { echoGuide, reactGuide, vueGuide } from "./echo_guides.ts";
import { laravelPusherGuide, laravelReverbGuide } from "./laravel.ts";
import { messagesGuide } from "./messages_guide.ts";
import { expressGuide, nextGuide, reactPusherGuide } from "./node_apps.ts";
import { serverLibrariesGuide } from "./server_libraries.ts";

/** Of the kinds that most apps are. */
const usual = [laravelReverbGuide, nextGuide, expressGuide, reactPusherGuide];

const further = [
  laravelPusherGuide,
  reactGuide,
  vueGuide,
  echoGuide,
  serverLibrariesGuide,
  clientPackageGuide,
  currentPageGuide,
  activityGuide,
  messagesGuide,
];

/** How apps of every kind are connected, the usual ones first. The blocks are complete: they run as they are. */
export function guidesFor(connection: AppConnection): Guide[] {
  return [
    ...usual.map((guide) => guide(connection)),
    ...further.map((guide) => ({ ...guide(connection), isFurther: true })),
  ];
}
