import { rule } from "../../schema";
import { parseKeyReference } from "./key-reference";

/** The value is a reference to a private key, and never the key itself. */
export const keyReferenceRule = rule(
  "must be a path, `env://NAME`, or the URI of a key in a key-management service (`awskms://`, `gcpkms://`, `azurekms://`, `hashivault://`)",
  (z) =>
    z.string().check(({ value, issues }) => {
      const parsed = parseKeyReference(value);
      if (!("problem" in parsed)) return;
      issues.push({ code: "custom", input: value, message: parsed.problem });
    }),
);
