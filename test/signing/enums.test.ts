import { attestConflicts } from "../../src/signing/attest/declare";
import { attestationEntryTypes, signatureFormats } from "../../src/signing/provider/declare";
import { signConflicts } from "../../src/signing/sign/declare";
import { predicateTypes } from "../../src/signing/predicate/predicate-type";
import { AttestationEntryType } from "../../src/signing/provider/enums-attestation-entry-type";
import { Conflict } from "../../src/signing/sign/enums";
import { PredicateType } from "../../src/signing/predicate/enums";
import { SignatureFormat } from "../../src/signing/provider/enums-signature-format";

test.each([
  ["AttestationEntryType", AttestationEntryType, attestationEntryTypes],
  ["Conflict", Conflict, attestConflicts],
  ["Conflict", Conflict, signConflicts],
  ["PredicateType", PredicateType, predicateTypes],
  ["SignatureFormat", SignatureFormat, signatureFormats],
] as const)("%s has every declared word, in the declared order", (_name, words, declared) => {
  expect(Object.values(words)).toEqual(Object.keys(declared));
});
