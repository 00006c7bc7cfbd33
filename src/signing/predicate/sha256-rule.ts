import { textRule } from "../../schema";

/** A SHA-256 as tools print it. */
export const sha256Rule = textRule([[/^[\da-f]{64}$/, "must be 64 lower-case hexadecimal digits"]]);
