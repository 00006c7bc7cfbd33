import { problemRule, type ValueRule } from "../../../schema";
import {
  parseDestination,
  parseDigestImage,
  parseDigestReference,
  parseImage,
  parseReference,
  parseRepository,
} from "./image-name";

function parsed(must: string, parse: (text: string) => object): ValueRule {
  return problemRule(must, (text) => {
    const result = parse(text);
    return "problem" in result ? String(result.problem) : undefined;
  });
}

export const digestReferenceRule = parsed(
  "must be an image reference by digest: `registry/repository@sha256:…`",
  parseDigestReference,
);

export const imageReferenceRule = parsed(
  "must be an image reference by tag or digest",
  parseReference,
);

export const digestImageRule = parsed(
  "must be an image by digest: `registry/repository@sha256:…`, or in a layout `oci:PATH@sha256:…`",
  parseDigestImage,
);

export const imageRule = parsed(
  "must be an image by tag or digest, in a registry or in a layout (`oci:PATH:TAG`)",
  parseImage,
);

export const destinationRule = parsed(
  "must be a repository or a layout without a tag or digest: `registry/repository`, `oci:PATH`, `oci-archive:PATH`",
  parseDestination,
);

export const repositoryRule = parsed(
  "must be a repository without a tag or digest: `registry/repository`",
  parseRepository,
);
