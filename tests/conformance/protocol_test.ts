import { BuiltApp } from "./built_app.ts";
import { describeRules } from "./proved_rules.ts";

describeRules("The Pusher protocol", BuiltApp.start);
