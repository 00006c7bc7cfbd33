import type { ResourceChange } from "../changes/changes";
import { unknown } from "../changes/masked-value";

/** Says what a plan does with a resource. */
export function actionSentence(address: string, change: ResourceChange | undefined): string {
  if (change === undefined) return `The plan does not change ${address}.`;
  const { action, reason, previousAddress } = change;
  const why = reason === undefined ? "" : `: ${reason}`;
  switch (action) {
    case "create":
      return `The plan creates ${address}.`;
    case "update":
      return `The plan updates ${address}.`;
    case "replace": {
      const forcing = forcingPaths(change).join(", ");
      return `The plan replaces ${address}${forcing === "" ? why : `, because of ${forcing}`}.`;
    }
    case "delete":
      return `The plan destroys ${address}${why}.`;
    case "read":
      return `The plan reads ${address}${why}.`;
    case "forget":
      return `The plan removes ${address} from the state, and does not destroy it.`;
    case "import":
      return `The plan imports ${address}.`;
    case "move":
      return `The plan does not change ${address}, which has moved from ${previousAddress ?? ""}.`;
  }
}

/** The attributes that force a replacement. */
export const forcingPaths = ({ attributes }: ResourceChange): readonly string[] =>
  attributes.filter(({ forcesReplacement }) => forcesReplacement).map(({ path }) => path);

/**
 * The attributes that change, and those of them that change for certain.
 *
 * @param certain paths whose new values are not known, but others than before
 */
export function settledPaths(
  { attributes }: ResourceChange,
  certain: readonly string[],
): {
  readonly changed: readonly string[];
  readonly settled: readonly string[];
} {
  const settled = attributes.filter(
    ({ path, after }) => after !== unknown || certain.some((each) => isWithin(each, path)),
  );
  return {
    changed: attributes.map(({ path }) => path),
    settled: settled.map(({ path }) => path),
  };
}

/**
 * Compares the paths of attributes. A path stands for all that is in it.
 *
 * @param possible the paths that may be expected
 * @param necessary those of them that must be
 */
export function mismatches(
  expected: readonly string[],
  possible: readonly string[],
  necessary: readonly string[],
): { readonly missing: readonly string[]; readonly extra: readonly string[] } {
  return {
    missing: expected.filter((path) => !possible.some((each) => isWithin(each, path))),
    extra: necessary.filter((each) => !expected.some((path) => isWithin(each, path))),
  };
}

const isWithin = (path: string, whole: string): boolean =>
  path === whole || path.startsWith(`${whole}.`) || path.startsWith(`${whole}[`);
