// @ts-check
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the checkout: all paths in these scripts are relative to it. */
export const root = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");

/**
 * The providers of this package. A new provider needs a line here.
 *
 * @type {readonly { readonly name: string, readonly source: string }[]}
 */
export const providers = [
  { name: "ids", source: "trivet.local/trivet/ids" },
  { name: "workspace", source: "trivet.local/trivet/workspace" },
  { name: "signing", source: "trivet.local/trivet/signing" },
];

/** @param {string} name */
export function providerEntry(name) {
  return join("src", name, "main.ts");
}
