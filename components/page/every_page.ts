/**
 * What nearly every page loads. Each island imports it, because the bundler puts modules into one file
 * when the same islands reach them: a file for each few of them would cost a page a request and 500
 * bytes.
 *
 * @module
 */
import "./every_page_scripts.ts";
import "../presence/shared_presence.ts";
import "./elements.tsx";
import "../people/PersonLink.tsx";
import "@/shared/address.ts";
import "@/shared/long_text.ts";
import "../presence/ConnectionStatus.tsx";
