/**
 * What the scripts of nearly every page need, apart from components. Scripts that are loaded later import it
 * too; see `components/page/every_page.ts` for the reason.
 *
 * @module
 */
import "preact/hooks";
import "preact/jsx-runtime";
import "../connection/page_headers.ts";
import "../connection/reconnection.ts";
import "./time_text.ts";
import "./first_number.ts";
import "@/shared/address.ts";
import "@/shared/language.ts";
import "@/shared/text.ts";
