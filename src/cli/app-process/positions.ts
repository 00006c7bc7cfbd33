import { relative } from "node:path";
import type { SourcePosition } from "./source-position";

/** The places of an app's constructs in the user's code, by their paths. */
export type Positions = Readonly<Record<string, SourcePosition>>;

/** The place of a construct in the user's code. */
export interface Place {
  readonly position?: SourcePosition;
  /** Where the constructs that contain it are created, from the inside to the stack. Without the stack. */
  readonly createdFrom?: readonly SourcePosition[];
}

/**
 * Returns the place of a construct. If a package creates it, that is the place of the construct in which it does.
 *
 * @param path the path of the construct in the app
 */
export function placeIn(positions: Positions, path: string): Place {
  const parts = path.split("/");
  const [position, ...others] = parts
    .map((_, at) => parts.slice(0, parts.length - at).join("/"))
    .flatMap((each) => (Object.hasOwn(positions, each) ? [{ each, at: positions[each] }] : []));
  const createdFrom = others.flatMap(({ each, at }) =>
    each.includes("/") && at !== undefined ? [at] : [],
  );
  return {
    ...(position?.at !== undefined && { position: position.at }),
    ...(createdFrom.length > 0 && { createdFrom }),
  };
}

/** Formats a place as terminals and editors recognize it, such as `src/main.ts:14:5`. */
export const positionText = ({ file, line, column }: SourcePosition): string =>
  `${relative(process.cwd(), file).replaceAll("\\", "/")}:${line}:${column}`;

/** Formats the place of a construct for people; empty if it is not known. */
export const placeText = ({ position, createdFrom = [] }: Place): string =>
  position === undefined ? "" : [position, ...createdFrom].map(positionText).join(", from ");
