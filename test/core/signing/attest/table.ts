import { UNKNOWN } from "../../../../src/core/schema";
import type { AcceptanceRow } from "../../../accept/table";
import type { Kinds, Noun } from "../../../accept/noun";
import {
  conflict,
  deprecated,
  invalid,
  missing,
  needs,
  onProvider,
  rowsByKind,
  rowsOn,
} from "../../../accept/row";
import { hex, image } from "../image-rows";
import { signingInputs, signingRows } from "../signing-rows";

const link = { type: "link", json: "{}" };
const base = { image, predicates: [link] };

const inputs: Kinds = {
  ...signingInputs,
  predicates: {
    blocks: {
      type: "string",
      json: "string",
      files: { blocks: { path: "string", sha256: "string" } },
    },
  },
  predicate: "string",
  predicateType: "string",
};

/** It requires a type. */
const fileInputs: Kinds = { predicateFiles: { blocks: { path: "string", sha256: "string" } } };

const outputs: Kinds = { attestedRef: "string" };

const { accepts, refuses, warns } = rowsOn(base);
const without = { predicates: undefined };
const file = { path: "claim.json", sha256: hex };

const types = ["slsaprovenance", "spdx", "spdxjson", "cyclonedx", "link", "vuln", "custom"];

const predicateRows: readonly AcceptanceRow[] = [
  ...[...types, "https://example.com/claim/v1", "https://slsa.dev/provenance/v1"].map((type) =>
    accepts(`the type ${type}`, { predicates: [{ type, json: "{}" }] }),
  ),
  ...["", "SPDX", "claim", "/claim", "https://", "https://a b"].map((type) =>
    refuses(
      `the type ${JSON.stringify(type)}`,
      { predicates: [{ type, json: "{}" }] },
      invalid("predicates", 0, "type"),
    ),
  ),
  ...["", "{", "[]", '"text"', "null", "7"].map((json) =>
    refuses(
      `the json ${JSON.stringify(json)}`,
      { predicates: [{ type: "link", json }] },
      invalid("predicates", 0, "json"),
    ),
  ),
  accepts("a predicate from a file", { predicates: [{ type: "link", files: [file] }] }),
  accepts("a file of which nothing is known", {
    predicates: [{ type: "link", files: [{ path: UNKNOWN, sha256: UNKNOWN }] }],
  }),
  refuses(
    "a predicate with a json and a file",
    { predicates: [{ ...link, files: [file] }] },
    conflict("predicates", 0, "files"),
  ),
  refuses(
    "a predicate with neither json nor file",
    { predicates: [{ type: "link" }] },
    conflict("predicates", 0, "json"),
  ),
  accepts("a predicate whose json is not known", { predicates: [{ ...link, json: UNKNOWN }] }),
  ...[hex.toUpperCase(), hex.slice(1), `${hex}0`, `sha256:${hex}`, "", "g".repeat(64)].map(
    (sha256) =>
      refuses(
        `the sha256 ${JSON.stringify(sha256)}`,
        { predicates: [{ type: "link", files: [{ ...file, sha256 }] }] },
        invalid("predicates", 0, "files", 0, "sha256"),
      ),
  ),
  refuses(
    "a file without path",
    { predicates: [{ type: "link", files: [{ sha256: hex }] }] },
    missing("predicates", 0, "files", 0, "path"),
  ),
  ...onProvider([
    refuses(
      "a file without sha256",
      { predicates: [{ type: "link", files: [{ path: "claim.json" }] }] },
      missing("predicates", 0, "files", 0, "sha256"),
    ),
  ]),
  refuses(
    "a predicate without type",
    { predicates: [{ json: "{}" }] },
    missing("predicates", 0, "type"),
  ),
];

const two = (first: string, second: string) => ({
  predicates: [
    { ...link, type: first },
    { ...link, type: second },
  ],
});

const setRows: readonly AcceptanceRow[] = [
  accepts("two types", two("link", "vuln")),
  refuses("a type twice", two("link", "link"), conflict("predicates", 1, "type")),
  refuses("two names of one type", two("spdx", "spdxjson"), conflict("predicates", 1, "type")),
  refuses(
    "a short name and its URI",
    two("cyclonedx", "https://cyclonedx.org/bom"),
    conflict("predicates", 1, "type"),
  ),
  refuses(
    "a type twice when earlier ones are replaced",
    { ...two("link", "link"), conflict: "REPLACE" },
    conflict("predicates", 1, "type"),
  ),
  accepts("a type twice when it is appended", { ...two("link", "link"), conflict: "APPEND" }),
  accepts("a type twice while the conflict is not known", {
    ...two("link", "link"),
    conflict: UNKNOWN,
  }),
  accepts("types that are not known", { predicates: [link, { ...link, type: UNKNOWN }] }),
  refuses("no predicates", without, missing("predicates")),
  refuses("an empty list of predicates", { predicates: [] }, missing("predicates")),
];

const deprecatedRows: readonly AcceptanceRow[] = [
  warns(
    "the deprecated json",
    { ...without, predicate: "{}", predicateType: "link" },
    deprecated("predicate"),
    deprecated("predicateType"),
  ),
  warns(
    "the deprecated file",
    { ...without, predicateFiles: [file], predicateType: "link" },
    deprecated("predicateFiles"),
    deprecated("predicateType"),
  ),
  accepts("the deprecated attributes with the new block", {
    predicate: "{}",
    predicateType: "vuln",
  }),
  refuses("a deprecated json without a type", { predicate: "{}" }, needs("predicate")),
  refuses("a deprecated file without a type", { predicateFiles: [file] }, needs("predicateFiles")),
  refuses("a deprecated type alone", { predicateType: "vuln" }, needs("predicateType")),
  refuses(
    "a deprecated json with a file",
    { predicate: "{}", predicateFiles: [file], predicateType: "vuln" },
    needs("predicateFiles"),
  ),
  refuses(
    "a deprecated json that is invalid",
    { predicate: "[]", predicateType: "vuln" },
    invalid("predicate"),
  ),
  refuses(
    "a deprecated type that is invalid",
    { predicate: "{}", predicateType: "claim" },
    invalid("predicateType"),
  ),
  refuses(
    "a deprecated type that is also in predicates",
    { predicate: "{}", predicateType: "https://in-toto.io/Link/v1" },
    conflict("predicateType"),
  ),
];

/** The spec's Attest. */
export const attest: Noun = {
  kind: "resource",
  typeName: "signing_attest",
  construct: "signing.Attest",
  base,
  inputs: { ...inputs, ...fileInputs },
  outputs,
  wire: { predicateFiles: "predicate_file", files: "file" },
  rows: [
    ...signingRows(base),
    ...predicateRows,
    ...setRows,
    ...deprecatedRows,
    ...rowsByKind({
      base,
      inputs,
      outputs,
      required: ["image"],
      samples: { predicates: link },
      beside: { predicate: { predicateType: "vuln" }, predicateType: { predicate: "{}" } },
    }),
    ...rowsByKind({
      base: { image, predicateType: "vuln", predicateFiles: [file] },
      inputs: fileInputs,
      samples: { predicateFiles: file },
    }),
  ],
  builds: [],
  changes: [],
};
