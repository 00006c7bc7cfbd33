import { attestConflicts } from "../../../src/core/signing/attest/declare";
import { PredicateType } from "../../../src/core/signing/predicate/enums";
import { predicateTypes } from "../../../src/core/signing/predicate/predicate-type";
import {
  attestationEntryTypes,
  signatureFormats,
} from "../../../src/core/signing/provider/declare";
import {
  AttestationEntryType,
  SignatureFormat,
} from "../../../src/core/signing/provider/generated";
import { signConflicts } from "../../../src/core/signing/sign/declare";
import { Conflict } from "../../../src/core/signing/sign/enums";

test.each([
  ["AttestationEntryType", AttestationEntryType, attestationEntryTypes],
  ["Conflict", Conflict, attestConflicts],
  ["Conflict", Conflict, signConflicts],
  ["PredicateType", PredicateType, predicateTypes],
  ["SignatureFormat", SignatureFormat, signatureFormats],
] as const)("%s has every declared value, in the declared order", (_name, words, declared) => {
  expect(Object.values(words)).toEqual(Object.keys(declared));
});
