/**
 * The part of re2js that rules use. The published build replaces this file by a bundle of itself, so
 * that nobody who loads the library needs the package.
 */
export { RE2JS } from "re2js";
