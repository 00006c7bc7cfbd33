import { problemRule } from "../../schema";
import { parseKeyReference } from "./key-reference";

/** The value is a reference to a private key, and never the key itself. */
export const keyReferenceRule = problemRule(
  "must be a path, `env://NAME`, or the URI of a key in a key-management service (`awskms://`, `gcpkms://`, `azurekms://`, `hashivault://`)",
  (text) => {
    const parsed = parseKeyReference(text);
    return "problem" in parsed ? parsed.problem : undefined;
  },
);
