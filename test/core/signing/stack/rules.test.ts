import { type TerraformStack, TerraformVariable, Token } from "cdktf";
import { signing } from "../../../../src";
import { hex, image, newStack, synthesized, warnings } from "../synthesized";
import { policy } from "../verify/table";

const { Attest, Conflict, Copy, DataVerify, Predicate, Sign, SigningProvider } = signing;

const destination = "registry.example.org/mirror/app";
const copied = `${destination}@sha256:${hex}`;

describe("an image that a copy in the stack creates", () => {
  const copiedStack = () => {
    const stack = newStack();
    return { stack, copy: new Copy(stack, "copy", { source: image, destination }) };
  };

  test("should be referred to by the copy's copiedRef", () => {
    const { stack } = copiedStack();
    const predicates = [{ type: "link", json: "{}" }];
    const all = [
      new Sign(stack, "sign", { image: copied }),
      new Attest(stack, "attest", {
        image: `registry.EXAMPLE.org/mirror/app:1@sha256:${hex}`,
        predicates,
      }),
      new DataVerify(stack, "verify", { image: copied, policy }),
      new Copy(stack, "second", { source: copied, destination: "example.com/again" }),
    ];
    synthesized(stack);
    for (const each of all) {
      expect(warnings(each)).toEqual([expect.stringContaining("Demo/copy copies")]);
    }
  });

  test("may be referred to by a string if another dependency waits for the copy", () => {
    const { stack, copy } = copiedStack();
    const sign = new Sign(stack, "sign", { image: copy.copiedRef });
    const after = new DataVerify(stack, "after", { image: copied, policy, dependsOn: [sign] });
    synthesized(stack);
    expect(warnings(after)).toEqual([]);
  });

  test("is not its source, nor another image", () => {
    const { stack } = copiedStack();
    const source = new Sign(stack, "source", { image });
    const other = new Sign(stack, "other", { image: `${destination}/b@sha256:${hex}` });
    synthesized(stack);
    expect([source, other].flatMap(warnings)).toEqual([]);
  });
});

describe("URLs of services", () => {
  const fulcioUrl = "https://fulcio.example.com";

  test("are refused if the provider's format takes them from the provider", () => {
    const stack = newStack({ defaultSignatureFormat: "both" });
    new Sign(stack, "sign", { image, fulcioUrl });
    expect(() => synthesized(stack)).toThrow(
      /fulcioUrl: is allowed only with the format `legacy`, but `defaultSignatureFormat` of Demo\/signing is "both"/,
    );
  });

  test("are accepted with the resource's own format, or with another provider", () => {
    const stack = newStack({ defaultSignatureFormat: "bundle" });
    const provider = new SigningProvider(stack, "other", { alias: "other" });
    new Sign(stack, "sign", { image, fulcioUrl, signatureFormat: "legacy" });
    new Sign(stack, "sign-by-other", { image, fulcioUrl, provider });
    expect(() => synthesized(stack)).not.toThrow();
  });

  test("are accepted if only Terraform knows the format", () => {
    const stack = newStack();
    const format = Token.asAny(new TerraformVariable(stack, "v", {}).stringValue);
    const provider = new SigningProvider(stack, "other", {
      alias: "other",
      defaultSignatureFormat: format,
    });
    new Sign(stack, "sign", { image, fulcioUrl, provider });
    expect(() => synthesized(stack)).not.toThrow();
  });
});

describe("a provider with a key", () => {
  const key = "awskms:///alias/releases";
  const attested = { image, predicates: [{ type: "link", json: "{}" }] };

  test.each<[string, signing.SigningProviderProps, Partial<signing.SignProps>, RegExp]>([
    [
      "a certificate authority",
      { key },
      { fulcioUrl: "https://fulcio.example.com" },
      /fulcioUrl: would be ignored, because `key` of Demo\/signing signs, and a key needs no certificate/,
    ],
    [
      "a log although nothing is logged",
      { key, transparencyLog: false },
      { rekorUrl: "https://rekor.example.com" },
      /rekorUrl: would be ignored, because `transparencyLog` of Demo\/signing is false/,
    ],
    [
      "an identity although nothing is logged",
      { transparencyLog: false },
      {},
      /key: is required, because `transparencyLog` of Demo\/signing is false/,
    ],
  ])("refuses a resource with %s", (_, settings, props, message) => {
    for (const build of [
      (stack: TerraformStack) => new Sign(stack, "sign", { image, ...props }),
      (stack: TerraformStack) => new Attest(stack, "attest", { ...attested, ...props }),
    ]) {
      const stack = newStack(settings);
      build(stack);
      expect(() => synthesized(stack)).toThrow(message);
    }
  });

  test("accepts what is used, and what only Terraform knows", () => {
    const stack = newStack({ key });
    const { stringValue } = new TerraformVariable(stack, "v", {});
    const unlogged = new SigningProvider(stack, "b", { alias: "b", transparencyLog: false });
    const unknown = new SigningProvider(stack, "c", { alias: "c", key: stringValue });
    new Sign(stack, "logged", { image, rekorUrl: "https://rekor.example.com" });
    new Sign(stack, "own-key", { image, key, provider: unlogged });
    new Sign(stack, "own-unknown-key", { image, key: stringValue, provider: unlogged });
    new Sign(stack, "d", { image, fulcioUrl: "https://fulcio.example.com", provider: unknown });
    expect(() => synthesized(stack)).not.toThrow();
  });
});

describe("two attestations of one type about one image", () => {
  const scan = (result: string) => [Predicate.of("vuln", { result })];

  const second = (
    build: (stack: ReturnType<typeof newStack>, first: signing.Attest) => signing.Attest,
    first: Partial<signing.AttestProps> = {},
  ): string[] => {
    const stack = newStack();
    const earlier = new Attest(stack, "first", { image, predicates: scan("good"), ...first });
    const later = build(stack, earlier);
    synthesized(stack);
    return warnings(later);
  };

  test("replace each other, which is a warning", () => {
    const shown = [
      expect.stringMatching(/^predicates: should have another type than in Demo\/first/),
    ];
    const predicates = scan("bad");
    expect(second((stack) => new Attest(stack, "b", { image, predicates }))).toEqual(shown);
    expect(
      second((stack, { attestedRef }) => {
        const sign = new Sign(stack, "sign", { image: attestedRef });
        return new Attest(stack, "b", { image: sign.signedRef, predicates });
      }),
    ).toEqual(shown);
  });

  test.each<[string, Partial<signing.AttestProps>]>([
    ["say the same", { predicates: scan("good") }],
    ["are appended", { conflict: Conflict.APPEND }],
    ["are stored apart", { signatureFormat: "bundle" }],
    ["are about two images", { image: copied }],
    ["are of two types", { predicates: [Predicate.of("link", {})] }],
    ["may be alternatives", { count: 1 }],
  ])("are accepted if they %s", (_why, props) => {
    const own = { image, predicates: scan("bad"), ...props };
    expect(second((stack) => new Attest(stack, "b", own))).toEqual([]);
  });

  test("are accepted if two providers sign them", () => {
    const build = (stack: ReturnType<typeof newStack>) => {
      const provider = new SigningProvider(stack, "other", { alias: "other" });
      return new Attest(stack, "b", { image, predicates: scan("bad"), provider });
    };
    expect(second(build)).toEqual([]);
  });
});

test("two signatures of one image are accepted", () => {
  const stack = newStack();
  const both = ["a", "b"].map((id) => new Sign(stack, id, { image }));
  synthesized(stack);
  expect(both.flatMap(warnings)).toEqual([]);
});
