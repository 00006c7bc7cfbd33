import fc from "fast-check";
import { parseReference } from "../../../../src/core/signing/oci/reference/image-name";
import { ImageGlob } from "../../../../src/core/signing/policy/image-glob";

const digest = `sha256:${"ab".repeat(32)}` as const;

function glob(text: string): ImageGlob {
  const parsed = ImageGlob.parse(text);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return parsed;
}

describe("a pattern of image names", () => {
  test.each([
    ["*", `index.docker.io/library/busybox@${digest}`, true],
    ["*", `index.docker.io/someone/app@${digest}`, false],
    ["*", `registry.example/app@${digest}`, false],
    ["*/*", `index.docker.io/someone/app@${digest}`, true],
    ["*/*", `index.docker.io/library/busybox@${digest}`, true],
    ["*/*", `registry.example/app@${digest}`, false],
    ["**", `registry.example/a/b/c@${digest}`, true],
    ["**/*", `registry.example/a/b/c@${digest}`, true],
    ["**", "", true],
    ["127.0.0.1:5001/*", `127.0.0.1:5001/lab/x@${digest}`, false],
    ["127.0.0.1:5001/lab/*", `127.0.0.1:5001/lab/x@${digest}`, true],
    ["127.0.0.1:5001/**", `127.0.0.1:5001/lab/x@${digest}`, true],
    ["registry.example/app", `registry.example/app@${digest}`, false],
    ["registry.example/app*", `registry.example/app@${digest}`, true],
    ["registry.example/app@sha256:*", `registry.example/app@${digest}`, true],
    [`registry.example/app@${digest}`, `registry.example/app@${digest}`, true],
    ["registry.example/app:*", "registry.example/app:v1", true],
    ["registry.example/*/app*", "registry.example/team/app:v1", true],
    ["registry.example/*/app*", "registry.example/team/more/app:v1", false],
    ["registry.example/**/app*", "registry.example/team/more/app:v1", true],
    // A dot is a dot, and the whole name is matched.
    ["registry.example/*", "registryXexample/app", false],
    ["registry.example/*", "evil.registry.example/app", false],
    ["registry.example/*", "evil.example/registry.example/app", false],
    ["registry.example/***", "registry.example/a/b", true],
    ["a*b*c", "aXXbYYc", true],
    ["a*b*c", "aXXbYYcZ", false],
    ["ab", "a", false],
  ])("%s on %s: %s", (pattern, text, expected) => {
    expect(glob(pattern).matches(text)).toBe(expected);
  });

  test.each([
    ["nginx**", "nginx", true],
    ["nginx**", "nginx:1", true],
    ["nginx*", "nginx", true],
    ["nginx**", "someone/nginx", false],
    ["registry.example**", "registry.example/team/app", true],
    ["registry.example**", "other.example/team/app", false],
    ["**app", "registry.example/team/app", true],
    ["*/app*", "acme/app", false],
    ["*/app*", "registry.example/app:1", true],
    ["nginx:*", "nginx:1", true],
    ["nginx:*", "nginx", true],
    ["registry.example/app", "registry.example/app:1", true],
  ])("%s applies to %s: %s", (pattern, given, expected) => {
    const reference = parseReference(given.includes(":") ? given : `${given}@${digest}`);
    if ("problem" in reference) throw new Error(reference.problem);
    const { registry, path } = reference;
    const image = { repository: { registry, path }, digest, given };
    expect(glob(pattern).appliesTo(image)).toBe(expected);
  });

  test.each([
    ["registry.example/app@sha256:ab*", "registry.example/app:1", true],
    ["registry.example/app@sha256:*", "registry.example/app:1", true],
    ["registry.example/app@sha512:*", "registry.example/app:1", false],
    ["registry.example/app@sha256:xy*", "registry.example/app:1", false],
    ["registry.example/other@sha256:ab*", "registry.example/app:1", false],
    ["registry.example/app:2", "registry.example/app:1", false],
    ["registry.example/*", "registry.example/app:1", true],
  ])("%s may apply to %s, before its digest is known: %s", (pattern, given, expected) => {
    const repository = { registry: "registry.example", path: "app" };
    expect(glob(pattern).appliesTo({ repository, given })).toBe(expected);
  });

  test.each(["", "a b", "a[bc]", "a?", "a\\b", "{a,b}", "^a$", "ä", "a\n", "a".repeat(1_001)])(
    "refuses %j",
    (text) => {
      expect(ImageGlob.parse(text)).toEqual({
        problem: expect.stringMatching(/^must /) as unknown,
      });
    },
  );

  test("does not take longer for patterns with many stars", () => {
    expect(glob(`${"**a".repeat(300)}b`).matches("a".repeat(600))).toBe(false);
  });

  test("matches like a regular expression with the same meaning", () => {
    const pattern = fc.string({
      unit: fc.constantFrom("a", ".", "/", "*"),
      minLength: 1,
      maxLength: 8,
    });
    const name = fc.string({ unit: fc.constantFrom("a", ".", "/"), maxLength: 10 });
    fc.assert(
      fc.property(pattern, name, (source, text) => {
        fc.pre(source !== "*" && source !== "*/*");
        const expression = source
          .replaceAll(".", "\\.")
          .replaceAll("**", "#")
          .replaceAll("*", "[^/]*")
          .replaceAll("#", ".*");
        expect(glob(source).matches(text)).toBe(new RegExp(`^${expression}$`).test(text));
      }),
    );
  });

  test.each([
    ["*", "index.docker.io/library/*"],
    ["*/*", "index.docker.io/*/*"],
    ["docker.io/library/*", "index.docker.io/"],
    ["registry.example/app:v1", "not the same images by digest"],
  ])("warns about what %s really means", (pattern, words) => {
    expect(glob(pattern).advice).toContain(words);
  });

  test("does not warn about a full pattern", () => {
    for (const full of ["registry.example/*", "registry.example:5000/**", "a.example/b@sha256:*"]) {
      expect(glob(full).advice).toBeUndefined();
    }
  });
});
