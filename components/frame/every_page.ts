/**
 * What nearly every page loads. Each island imports it, because the bundler puts modules into one file
 * when the same islands reach them: a file for each few of them would cost a page a request and 500
 * bytes.
 *
 * @module
 */
import "../../browser/every_page.ts";
import "../../browser/presence/shared_presence.ts";
import "../forms/CsrfField.tsx";
import "../people/PersonLink.tsx";
import "../../shared/address.ts";
import "../presence/ConnectionStatus.tsx";
import "./Card.tsx";
