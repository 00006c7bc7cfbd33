import { problemRule, type ValueRule } from "../../../schema";
import { parseDigestReference, parseReference } from "./reference";
import { parseRepository } from "./repository";

function parsed(must: string, parse: (text: string) => object): ValueRule {
  return problemRule(must, (text) => {
    const result = parse(text);
    return "problem" in result ? String(result.problem) : undefined;
  });
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
