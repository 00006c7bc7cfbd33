/**
 * The part of re2js that is used here: regular expressions of Go. The published build replaces this file with a
 * bundle of it, so that the library does not depend on the package.
 */
export { RE2JS } from "re2js";
