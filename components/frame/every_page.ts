/**
 * What nearly every page loads. Each island imports it, because the bundler puts modules into one file
 * when the same islands reach them: a file for each few of them would cost a page a request and 150
 * bytes.
 *
 * @module
 */
import "preact/hooks";
import "preact/jsx-runtime";
import "../../browser/format/time_text.ts";
import "../../browser/presence/shared_presence.ts";
import "../../shared/address.ts";
import "../presence/ConnectionStatus.tsx";
