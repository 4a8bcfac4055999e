import { launchWebKit } from "../../fixtures/webdriver/webkit.ts";
import { worksIn } from "./works_in.ts";

worksIn("WebKitGTK", launchWebKit);
