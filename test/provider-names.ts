import { readFileSync } from "node:fs";
import { join } from "node:path";

const list = join(__dirname, "..", "scripts", "providers.json");

/** The providers of this package: `ids`, … */
export const providerNames = JSON.parse(readFileSync(list, "utf8")) as readonly string[];
