import { launchFirefox } from "../../fixtures/webdriver/firefox.ts";
import { worksIn } from "./works_in.ts";

worksIn("Firefox", launchFirefox);
