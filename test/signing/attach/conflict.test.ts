import {
  type AttestationItem,
  type Conflict,
  type Existing,
  mergeAttestations,
  mergeSignature,
  planBundle,
  sameAttestation,
  sameSignature,
} from "../../../src/signing/attach/conflict";
import type { Digest } from "../../../src/signing/oci/reference/digest";

/** `ours` and `other` layers in short: `+a` is ours over payload a, `-a` is another signer's. */
interface Layer {
  readonly name: string;
  readonly digest: Digest;
}

const digest = (letter: string): Digest => `sha256:${letter}`;

function layers(text: string): readonly Existing<Layer>[] {
  return text
    .split(" ")
    .filter((name) => name !== "")
    .map((name) => ({
      item: { name, digest: digest(name.slice(1, 2)) },
      ownership: name.startsWith("+") ? "ours" : "other",
    }));
}

/** What is under the tag afterwards; "skip" if nothing is signed. */
function signed(conflict: Conflict, before: string): string {
  const existing = layers(before);
  const same = sameSignature(conflict, existing, digest("a"));
  if (same !== undefined) return `skip for ${same.name}`;
  const merged = mergeSignature(conflict, existing, { name: "NEW", digest: digest("a") });
  return merged.map(({ name }) => name).join(" ");
}

describe("legacy signatures, by the digest of their payload", () => {
  test.each<[Conflict, string, string]>([
    ["APPEND", "", "NEW"],
    ["APPEND", "+a", "+a NEW"],
    ["APPEND", "+a +a2", "+a +a2 NEW"],
    ["APPEND", "-b -a", "-b -a NEW"],
    ["REPLACE", "", "NEW"],
    ["REPLACE", "+a", "NEW"],
    ["REPLACE", "+b +a -c +a2", "NEW +b -c"],
    // Signatures of others over the same payload stay.
    ["REPLACE", "-a +a -a2", "NEW -a -a2"],
    ["SKIPSAME", "", "NEW"],
    ["SKIPSAME", "+a", "skip for +a"],
    ["SKIPSAME", "+b", "+b NEW"],
    ["SKIPSAME", "-b +a -a", "skip for +a"],
    // A foreign or a broken one does not speak for us.
    ["SKIPSAME", "-a", "-a NEW"],
  ])("%s on [%s] gives [%s]", (conflict, before, after) => {
    expect(signed(conflict, before)).toBe(after);
  });
});

interface Statement extends AttestationItem {
  readonly name: string;
}

/** `+t1` is ours, of type t, with statement 1. */
function statements(text: string): readonly Existing<Statement>[] {
  return text
    .split(" ")
    .filter((name) => name !== "")
    .map((name) => ({ item: statement(name), ownership: name.startsWith("+") ? "ours" : "other" }));
}

function statement(name: string) {
  const isReadable = name[1] !== "?";
  return {
    name,
    predicateType: isReadable ? name.slice(1, 2) : undefined,
    statementSha256: isReadable ? name.slice(2, 3) : undefined,
  };
}

const wanted = { predicateType: "t", statementSha256: "1" };

function attested(conflict: Conflict, before: string): string {
  const existing = statements(before);
  const same = sameAttestation(conflict, existing, wanted);
  if (same !== undefined) return `skip for ${same.name}`;
  const merged = mergeAttestations(conflict, existing, [{ ...wanted, name: "NEW" }]);
  return merged.map(({ name }) => name).join(" ");
}

describe("legacy attestations, by the type of their predicate", () => {
  test.each<[Conflict, string, string]>([
    ["APPEND", "", "NEW"],
    ["APPEND", "+t1 -t1 +u1", "+t1 -t1 +u1 NEW"],
    ["REPLACE", "+u1 +t1 +t2", "NEW +u1"],
    ["REPLACE", "-t1 +t1", "NEW -t1"],
    ["SKIPSAME", "", "NEW"],
    ["SKIPSAME", "+t1", "skip for +t1"],
    ["SKIPSAME", "+u1 +t1", "skip for +t1"],
    ["SKIPSAME", "+t2", "NEW"],
    // Two of ours are one too many.
    ["SKIPSAME", "+t1 +t1", "NEW"],
    ["SKIPSAME", "+t1 +t2", "NEW"],
    ["SKIPSAME", "-t1", "NEW -t1"],
    ["SKIPSAME", "-t1 -t2 +t1", "skip for +t1"],
    // A layer that cannot be read is left alone.
    ["SKIPSAME", "-? +t2", "NEW -?"],
    ["REPLACE", "-?", "NEW -?"],
  ])("%s on [%s] gives [%s]", (conflict, before, after) => {
    expect(attested(conflict, before)).toBe(after);
  });

  test("several at once keep their order, each at the position of its type", () => {
    const added = [
      { name: "NEW1", predicateType: "t", statementSha256: "1" },
      { name: "NEW2", predicateType: "u", statementSha256: "2" },
    ];
    const merge = (conflict: Conflict) =>
      mergeAttestations(conflict, statements("+t9 +v9 +u9 -u9"), added).map(({ name }) => name);
    expect(merge("REPLACE")).toEqual(["NEW1", "NEW2", "+v9", "-u9"]);
    expect(merge("APPEND")).toEqual(["+t9", "+v9", "+u9", "-u9", "NEW1", "NEW2"]);
  });
});

describe("bundles, by the type of their predicate", () => {
  const planned = (conflict: Conflict, before: string): string => {
    const { same, remove } = planBundle(conflict, statements(before), wanted);
    const what = same === undefined ? "write" : `keep ${same.name}`;
    return [what, ...remove.map(({ name }) => `remove ${name}`)].join(", ");
  };
  test.each<[Conflict, string, string]>([
    ["APPEND", "+t1 -t1", "write"],
    ["REPLACE", "", "write"],
    ["REPLACE", "+t1 +t2 -t1 +u1", "write, remove +t1, remove +t2"],
    ["SKIPSAME", "", "write"],
    ["SKIPSAME", "+t1", "keep +t1"],
    ["SKIPSAME", "+t2 +t1 -t2 +u1", "keep +t1, remove +t2"],
    ["SKIPSAME", "+t1 +t1x", "keep +t1, remove +t1x"],
    ["SKIPSAME", "+t2", "write, remove +t2"],
    ["SKIPSAME", "-t1", "write"],
  ])("%s on [%s]: %s", (conflict, before, after) => {
    expect(planned(conflict, before)).toBe(after);
  });
});
