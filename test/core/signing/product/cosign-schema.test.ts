import { join } from "node:path";
import type { Declaration } from "../../../../src/core/schema";
import { attest } from "../../../../src/core/signing/attest/declare";
import { copy } from "../../../../src/core/signing/copy/declare";
import { verify } from "../../../../src/core/signing/verify/declare";
import { signingProvider } from "../../../../src/core/signing/provider/declare";
import { sign } from "../../../../src/core/signing/sign/declare";
import { products } from "../../../../src/core/signing/product";
import { expectSchema, type SchemaDifference } from "../../../accept/product-schema";

/** Where we differ, by the reason, as [theirs, ours]. */
const differences: readonly SchemaDifference[] = [
  [
    "Our settings: the product refuses them.",
    undefined,
    "string optional",
    [
      "provider.key",
      "cosign_sign.key",
      "cosign_attest.key",
      "provider.fulcio_url",
      "provider.rekor_url",
      "provider.signing_config",
      "provider.timestamp_url",
      "provider.trusted_root",
      "provider.registry.username",
    ],
  ],
  ["The same for a flag.", undefined, "bool optional", ["provider.insecure_ignore_sct"]],
  ["The same for a flag.", undefined, "bool optional", ["provider.transparency_log"]],
  ["The same for a flag.", undefined, "bool optional", ["provider.skip_without_identity"]],
  ["The same for a flag.", undefined, "bool optional", ["provider.registry.plain_http"]],
  ["The same for a block.", undefined, "list of 0 to 0", ["provider.registry"]],
  ["The same in a block.", undefined, "string required", ["provider.registry.host"]],
  [
    "The same for secrets.",
    undefined,
    "string optional sensitive",
    ["provider.identity_token", "provider.registry.password"],
  ],
  [
    "Our output for what is left unsigned.",
    undefined,
    "bool computed",
    ["cosign_attest.skipped", "cosign_sign.skipped"],
  ],
  [
    "Theirs always signs the images of an index as layers, and neither attests nor verifies them.",
    undefined,
    "bool optional",
    ["cosign_attest.recursive", "cosign_sign.recursive", "data.cosign_verify.recursive"],
  ],
  [
    "For theirs, an image has only its own name.",
    undefined,
    "string optional",
    ["data.cosign_verify.name"],
  ],
  [
    "Theirs does not say because of what.",
    undefined,
    "string computed",
    ["data.cosign_verify.verdict"],
  ],
  [
    "The same as data, here without the nested lists.",
    undefined,
    '["list",["object",{"name":"string","mode":"string","accepted":"bool","code":"string","problem":"string"}]] computed',
    ["data.cosign_verify.policies"],
  ],
  [
    "Theirs copies all platforms, and sets no tags.",
    undefined,
    '["list","string"] optional',
    ["cosign_copy.tags", "cosign_copy.platforms"],
  ],
  [
    "Theirs has no time-outs.",
    undefined,
    "string optional",
    ["cosign_copy.timeouts.create", "cosign_copy.timeouts.update"],
  ],
  ["The same for the block.", undefined, "single of 0 to 0", ["cosign_copy.timeouts"]],
  [
    "A file has both: theirs says so while planning, ours in the schema.",
    "string optional",
    "string required",
    [
      "cosign_attest.predicate_file.path",
      "cosign_attest.predicate_file.sha256",
      "cosign_attest.predicates.file.path",
      "cosign_attest.predicates.file.sha256",
    ],
  ],
  [
    "A block has one file: the same.",
    "list of 0 to 0",
    "list of 0 to 1",
    ["cosign_attest.predicate_file", "cosign_attest.predicates.file"],
  ],
];

const declarations: readonly Declaration[] = [signingProvider, attest, copy, sign, verify];

test("every name and type matches cosign's provider, except listed differences with a reason", () => {
  expectSchema(products.cosign, declarations, join(__dirname, "cosign-schema.json"), differences);
});
