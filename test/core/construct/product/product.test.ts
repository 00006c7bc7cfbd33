import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { product, providerSource, providerVersion } from "../../../../src/core/construct";
import { versionIn } from "../../../../src/core/construct/product/stack-product";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "trivet-"));
  writeFileSync(join(root, "package.json"), '{"name":"@trivet/constructs","version":"1.2.3"}');
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

const built = (versions: string): void => {
  mkdirSync(join(root, "dist", "providers"), { recursive: true });
  writeFileSync(join(root, "dist", "providers", "versions.json"), versions);
};

test("a provider has the version that the build recorded", () => {
  built('{"ids":"0.0.7-dev"}');
  expect(versionIn(root, "ids")).toBe("0.0.7-dev");
});

test("a provider that was not built has the package's version", () => {
  expect(versionIn(root, "ids")).toBe("1.2.3");
  built('{"signing":"0.0.7-dev"}');
  expect(versionIn(root, "ids")).toBe("1.2.3");
});

test("without the package's folder there is no version", () => {
  expect(versionIn(undefined, "ids")).toBeUndefined();
  expect(versionIn(join(root, "nowhere"), "ids")).toBeUndefined();
});

test("the sources find this package", () => {
  expect(providerVersion("ids")).toMatch(/^\d+\.\d+\.\d+/);
});

test("providers have the host that only our mirror provides", () => {
  expect(providerSource("ids")).toBe("trivet.local/trivet/ids");
  expect(product.environmentPrefix).toBe("TRIVET");
});
