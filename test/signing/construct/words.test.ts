import { attestConflicts } from "../../../src/signing/declare/attest";
import { attestationEntryTypes, signatureFormats } from "../../../src/signing/declare/provider";
import { signConflicts } from "../../../src/signing/declare/sign";
import { predicateTypes } from "../../../src/signing/reference/predicate-type";
import { AttestationEntryType } from "../../../src/signing/words/attestation-entry-type";
import { Conflict } from "../../../src/signing/words/conflict";
import { PredicateType } from "../../../src/signing/words/predicate-type";
import { SignatureFormat } from "../../../src/signing/words/signature-format";

test.each([
  ["AttestationEntryType", AttestationEntryType, attestationEntryTypes],
  ["Conflict", Conflict, attestConflicts],
  ["Conflict", Conflict, signConflicts],
  ["PredicateType", PredicateType, predicateTypes],
  ["SignatureFormat", SignatureFormat, signatureFormats],
] as const)("%s has every declared word, in the declared order", (_name, words, declared) => {
  expect(Object.values(words)).toEqual(Object.keys(declared));
});
