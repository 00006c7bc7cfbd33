import { rule, type ValueRule } from "../../../schema";
import { parseDigestReference } from "./digest-reference";
import { parseReference } from "./reference";
import { parseRepository } from "./repository";

function parsed(must: string, parse: (text: string) => object): ValueRule {
  return rule(must, (z) =>
    z.string().check(({ value, issues }) => {
      const result = parse(value);
      const message = "problem" in result ? String(result.problem) : undefined;
      if (message !== undefined) issues.push({ code: "custom", input: value, message });
    }),
  );
}

/** The value is an image reference by digest. */
export const digestReferenceRule = parsed(
  "must be an image reference by digest: `registry/repository@sha256:…`",
  parseDigestReference,
);

/** The value is an image reference by tag or digest. */
export const imageReferenceRule = parsed(
  "must be an image reference by tag or digest",
  parseReference,
);

/** The value is a repository without a tag or digest. */
export const repositoryRule = parsed(
  "must be a repository without a tag or digest: `registry/repository`",
  parseRepository,
);
