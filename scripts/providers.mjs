// @ts-check
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout: every path in these scripts hangs off it. */
export const root = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");

/**
 * The providers of this package: a new one is a new line.
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
