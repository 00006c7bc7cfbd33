import fc from "fast-check";
import { parseDigest, tagOfDigest } from "../../../../../src/core/signing/oci/reference/descriptor";
import {
  canonicalRegistry,
  formatReference,
  formatRepository,
  isSameRepository,
  parseDigestReference,
  parseReference,
  parseRepository,
} from "../../../../../src/core/signing/oci/reference/image-name";

const hex = "0123456789abcdef".repeat(4);
const digest = `sha256:${hex}`;

function formatted(text: string): string {
  const reference = parseReference(text);
  return "problem" in reference ? reference.problem : formatReference(reference);
}

function problem(parsed: object): unknown {
  return "problem" in parsed ? parsed.problem : undefined;
}

test.each([
  ["alpine", "index.docker.io/library/alpine:latest"],
  ["alpine:3.20", "index.docker.io/library/alpine:3.20"],
  ["team/app", "index.docker.io/team/app:latest"],
  ["docker.io/alpine", "index.docker.io/library/alpine:latest"],
  ["docker.io/team/app:v1", "index.docker.io/team/app:v1"],
  ["index.docker.io/alpine", "index.docker.io/library/alpine:latest"],
  ["localhost/app", "localhost/app:latest"],
  ["localhost:5000/app", "localhost:5000/app:latest"],
  ["127.0.0.1:5001/lab/app:a_b.C-1", "127.0.0.1:5001/lab/app:a_b.C-1"],
  ["[::1]:5000/app", "[::1]:5000/app:latest"],
  ["registry.example/a/b/c", "registry.example/a/b/c:latest"],
  ["registry.example/a__b/c-d--e.f", "registry.example/a__b/c-d--e.f:latest"],
  [`registry.example/app@${digest}`, `registry.example/app@${digest}`],
  [`registry.example/app:v1@${digest}`, `registry.example/app@${digest}`],
  [`registry.example/app@sha512:${hex}${hex}`, `registry.example/app@sha512:${hex}${hex}`],
])("%s is %s", (text, full) => {
  expect(formatted(text)).toBe(full);
});

test.each([
  ["", /must not be empty/],
  [" alpine", /whitespace/],
  ["https://registry.example/app", /without a scheme/],
  ["registry.example/", /a repository after the registry/],
  ["registry.example/App", /lowercase/],
  ["registry.example/a//b", /lowercase letters and digits/],
  ["registry.example/../b", /lowercase letters and digits/],
  ["registry.example/a..b", /lowercase letters and digits/],
  ["registry.example/-a", /lowercase letters and digits/],
  ["registry.example/a?x=y", /lowercase letters and digits/],
  ["registry.example/a%2fb", /lowercase letters and digits/],
  ["registry.example:0/a", /host name/],
  ["registry.example:99999/a", /host name/],
  ["user:pass@registry.example/a", /must/],
  ["-a.example/a", /host name/],
  ["a..example/a", /host name/],
  ["registry.example/a:", /tag/],
  ["registry.example/a:-x", /tag/],
  [`registry.example/a:${"x".repeat(129)}`, /tag/],
  [`registry.example/${"a".repeat(256)}`, /at most 255/],
  [`registry.example/a@${digest}@${digest}`, /more than one @/],
  ["registry.example/a@sha256:abc", /64 hexadecimal digits.*got 3 digits/],
  [`registry.example/a@sha256:${hex.toUpperCase()}`, /lowercase/],
  [`registry.example/a@sha512:${hex}`, /128 hexadecimal digits.*got 64 digits/],
  [`registry.example/a@sha256:${hex}${hex}`, /64 hexadecimal digits.*got 128 digits/],
  [`registry.example/a@sha512:${(hex + hex).toUpperCase()}`, /lowercase/],
  [`registry.example/a@sha384:${hex}${hex.slice(32)}`, /sha256: or sha512:/],
  ["registry.example/a@", /sha256: or sha512:/],
  [`registry.example/a@${digest}\n`, /digits/],
  ["registry.example/a:v1\n", /white space|tag/],
])("%j is refused", (text, words) => {
  expect(formatted(text)).toMatch(words);
  expect(problem(parseDigestReference(text))).toMatch(/^must /);
});

test("a reference by digest needs the digest", () => {
  expect(problem(parseDigestReference("registry.example/a:v1"))).toMatch(/have a digest/);
  expect(parseDigestReference(`a:v1@${digest}`)).toEqual({
    registry: "index.docker.io",
    path: "library/a",
    digest,
  });
});

test("a repository has neither tag nor digest", () => {
  expect(problem(parseRepository("registry.example/a:v1"))).toMatch(/without a tag/);
  expect(problem(parseRepository(`registry.example/a@${digest}`))).toMatch(/without a digest/);
  const repository = parseRepository("registry.example:5000/a");
  if ("problem" in repository) throw new Error(repository.problem);
  expect(formatRepository(repository)).toBe("registry.example:5000/a");
  expect(isSameRepository(repository, { ...repository, registry: "REGISTRY.example:5000" })).toBe(
    true,
  );
});

test("tags that belong to a digest", () => {
  const parsed = parseDigest(digest);
  if ("problem" in parsed) throw new Error(parsed.problem);
  expect(tagOfDigest(parsed.digest)).toBe(`sha256-${hex}`);
  expect(tagOfDigest(parsed.digest, ".sig")).toBe(`sha256-${hex}.sig`);
  // The rest does not fit: a tag has at most 128 characters.
  const long = `sha512:${hex}${"f".repeat(64)}` as const;
  expect(tagOfDigest(long)).toBe(`sha512-${hex}`);
  expect(tagOfDigest(long, ".att")).toBe(`sha512-${hex}.att`);
});

test("a formatted reference is parsed to the same", () => {
  const component = fc.stringMatching(/^[a-z0-9]{1,8}(-[a-z0-9]{1,3})?$/);
  const path = fc.array(component, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  const host = fc.constantFrom("registry.example", "localhost:5000", "127.0.0.1", "docker.io");
  fc.assert(
    fc.property(host, path, fc.constantFrom(":v1", `@${digest}`, ""), (registry, name, end) => {
      const full = formatted(`${registry}/${name}${end}`);
      expect(formatted(full)).toBe(full);
    }),
  );
});

test("no string makes the parser throw, and every accepted one is safe in a URL", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const reference = parseReference(text);
      if ("problem" in reference) return;
      const url = new URL(`https://${reference.registry}/v2/${reference.path}/manifests/x`);
      expect(url.pathname).toBe(`/v2/${reference.path}/manifests/x`);
    }),
  );
});

test.each([
  ["REGISTRY.Example", "registry.example"],
  ["registry.example:443", "registry.example"],
  ["registry.example:80", "registry.example:80"],
  ["docker.io", "index.docker.io"],
  ["Docker.IO:443", "index.docker.io"],
  ["registry-1.docker.io", "index.docker.io"],
  ["index.docker.io", "index.docker.io"],
  ["127.1:5000", "127.0.0.1:5000"],
  ["0x7f.0.0.1", "127.0.0.1"],
  ["[0::1]:5000", "[::1]:5000"],
  ["a@b.example", "a@b.example"],
  ["", ""],
])("the registry %s is %s", (written, expected) => {
  expect(canonicalRegistry(written)).toBe(expected);
  const reference = parseReference(`${written}/team/app:v1`);
  if (/^[^@]+$/.test(written)) expect(reference).toMatchObject({ registry: expected });
});

test.each(["1.2.3.4.5/app", "256.1.1.1/app"])(
  "%s is refused: no connection could be made",
  (text) => {
    expect(parseReference(text)).toMatchObject({ problem: expect.any(String) as unknown });
  },
);
