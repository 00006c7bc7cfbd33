import { block, optional, type Declaration, type Fields } from "../../schema";
import { attest } from "./declare";
import { knownPaths, readableFiles, sensibleFiles } from "../predicate/file-rules";

const { predicates, predicateFiles } = attest.blocks;
const { path, sha256 } = predicateFiles.fields.attributes;

// Without a checksum, the construct reads the file before synthesis.
const file: Fields = {
  attributes: { path, sha256: optional(sha256.type, { doc: sha256.doc }) },
};

const files = block.list(file, { doc: "File with the predicate.", wire: "file", max: 1 });

/** The declaration of the construct: the resource's, but files need no checksum. */
export const attestInStack: Declaration = {
  ...attest,
  blocks: {
    predicates: { ...predicates, fields: { ...predicates.fields, blocks: { files } } },
    predicateFiles: { ...predicateFiles, fields: file },
  },
  rules: [...attest.rules, knownPaths, readableFiles, sensibleFiles],
};
