/** The version of Bun that is part of compiled providers, and that compiles them. */
export const runtimeVersion = "1.4.5";

/** A file of Bun that npm downloads. */
export interface RuntimeFile {
  /** The npm package that contains it. */
  readonly npmPackage: string;
  /** The file in the npm package, and its SHA-256 digest. */
  readonly file: string;
  readonly digest: string;
}

/** The runtime of one platform. */
interface Runtime extends RuntimeFile {
  /** Its name in the options of Bun's bundler. */
  readonly target: string;
}

/**
 * Bun's notice about its licences. The packages with the runtimes do not contain it, but that of Bun's types
 * does.
 */
export const runtimeNotice: RuntimeFile = {
  npmPackage: "bun-types",
  file: "docs/project/license.mdx",
  digest: "1fac2ad9eac5ba9e1e0ef0d2893108e7d7a17fae5afac60f4bb0bd403087f3ec",
};

const runtime = (target: string, digest: string, file = "bin/bun"): Runtime => ({
  npmPackage: `@oven/${target}`,
  target,
  file,
  digest,
});

/** Terraform's name of each platform for which a provider can be compiled. */
export const runtimes: ReadonlyMap<string, Runtime> = new Map([
  [
    "darwin_amd64",
    runtime("bun-darwin-x64", "88f97645b270aef20f9f9442f1658461cab3e7128e658af4615144e3396f084a"),
  ],
  [
    "darwin_arm64",
    runtime(
      "bun-darwin-aarch64",
      "e2984124f1514e1e6bbda20adedbf07a02c443c6a5828853a15c7c7abf78e19f",
    ),
  ],
  [
    "linux_amd64",
    runtime("bun-linux-x64", "f05d28a3862f4b84395c7fa32480b835dd47482e80b7e7a49a115227f0c06083"),
  ],
  [
    "linux_arm64",
    runtime(
      "bun-linux-aarch64",
      "04778f1f42399a69d086853e9c7af4acf574b2f21a43d0dc673853d8b84a2923",
    ),
  ],
  [
    "windows_amd64",
    runtime(
      "bun-windows-x64",
      "e06ad0864463c68892ae71a2a64af7eae1585cac5dd9b80bc042f45605587cb1",
      "bin/bun.exe",
    ),
  ],
  [
    "windows_arm64",
    runtime(
      "bun-windows-aarch64",
      "8bd7f9210f9d58cc21f398d1478e53b2ff919a0c8fc935b5086f3f64667cec6d",
      "bin/bun.exe",
    ),
  ],
]);

/**
 * Returns the runtime of a platform.
 *
 * @throws Error if no provider can be compiled for the platform
 */
export function runtimeFor(platform: string): Runtime {
  const found = runtimes.get(platform);
  if (found !== undefined) return found;
  const names = [...runtimes.keys()].join(", ");
  throw new Error(`A provider cannot be compiled for ${platform}, only for: ${names}.`);
}
