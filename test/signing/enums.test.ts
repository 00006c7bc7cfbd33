import { attestConflicts } from "../../src/signing/attest/declare";
import { PredicateType } from "../../src/signing/predicate/enums";
import { predicateTypes } from "../../src/signing/predicate/predicate-type";
import { attestationEntryTypes, signatureFormats } from "../../src/signing/provider/declare";
import { AttestationEntryType, SignatureFormat } from "../../src/signing/provider/generated";
import { signConflicts } from "../../src/signing/sign/declare";
import { Conflict } from "../../src/signing/sign/enums";

test.each([
  ["AttestationEntryType", AttestationEntryType, attestationEntryTypes],
  ["Conflict", Conflict, attestConflicts],
  ["Conflict", Conflict, signConflicts],
  ["PredicateType", PredicateType, predicateTypes],
  ["SignatureFormat", SignatureFormat, signatureFormats],
] as const)("%s has every declared value, in the declared order", (_name, words, declared) => {
  expect(Object.values(words)).toEqual(Object.keys(declared));
});
