import { product as trivet, type Product } from "../../construct";
import { display } from "../../schema";
import { coderProvider } from "./coder-names";
import { platformVersion } from "./platform-versions";
import { coderRefusals } from "./coder-refusals";

/** The platform whose provider is `coder/coder`. */
const newestCoder = {
  name: "coder",
  environmentPrefix: "CODER",
  providers: {
    workspace: {
      ...coderProvider,
      version: "~> 2.0",
      refusals: coderRefusals,
      replacesChanged: true,
      nativeFiles: trivet.providers.workspace.nativeFiles,
      stateFile: trivet.providers.workspace.stateFile,
    },
  },
} as const satisfies Product;

const versions = new Map<string, Product>();

/**
 * Returns the product of a version of coder: synthesis then checks the rules of this version, and refuses what it
 * lacks. `products.coder` is the newest version.
 *
 * @param options.version such as `2.26` or `2.26.1`; the default is the newest version whose rules are known
 * @throws RangeError if it is not a version
 */
export function coder({ version }: { readonly version?: string | undefined } = {}): Product {
  if (version === undefined) return newestCoder;
  if (!platformVersion.test(version)) {
    throw new RangeError(`coder: version must be a version such as 2.28 (got ${display(version)})`);
  }
  const known = versions.get(version) ?? { ...newestCoder, version };
  versions.set(version, known);
  return known;
}

/** The products whose provider a stack can use: this package's own, and existing platforms. */
export const products = { trivet, coder: newestCoder } as const satisfies Readonly<
  Record<string, Product>
>;
