import { relative } from "node:path";
import { type Properties, propertiesOf } from "../../core/json/plain-json";

/** A place in a source file. Lines and columns count from 1. */
export interface SourcePosition {
  /** An absolute path. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface ConstructPlace extends Place {
  /** Its path in the stack, if the address does not show it. */
  readonly constructPath?: string;
}

/**
 * Returns the construct of a resource, as far as it is known.
 *
 * @param address such as `ids_endpoint.edge` or `data.workspace_parameter.cores[0]`
 */
export type ConstructOf = (address: string) => ConstructPlace;

/**
 * Returns the construct of a resource from the configuration of its stack.
 *
 * @param content the parsed configuration
 * @param stack its path in the app, and the places of the app's constructs
 */
export function constructPlace(
  content: Properties,
  stack: { readonly path: string; readonly positions: Positions },
  address: string,
): ConstructPlace {
  const { name, path } = bindingPath(content, address);
  if (path === undefined) return {};
  const inStack = path.startsWith(`${stack.path}/`) ? path.slice(stack.path.length + 1) : path;
  // The child of a construct that is a single resource.
  const shown = inStack.replace(/\/(Default|Resource)$/, "");
  return { ...(shown !== name && { constructPath: shown }), ...placeIn(stack.positions, path) };
}

/** Returns the name in an address, and the path of the binding in the app, such as `dev/edge/Default`. */
export function bindingPath(
  content: Properties,
  address: string,
): { readonly name: string; readonly path: string | undefined } {
  const [, data, type = "", name = ""] = /^(data\.)?([\w-]+)\.([\w-]+)/.exec(address) ?? [];
  const blocks = propertiesOf(content[data === undefined ? "resource" : "data"]);
  const block = propertiesOf(propertiesOf(blocks[type])[name]);
  const path = propertiesOf(propertiesOf(block["//"])["metadata"])["path"];
  return { name, path: typeof path === "string" ? path : undefined };
}

/** The comment of a stack with the binding paths of data sources in native syntax, by address. */
export const nativeConstructs = "native";

/** The places of an app's constructs in the user's code, by path. */
export type Positions = Readonly<Record<string, SourcePosition>>;

/** The place of a construct in the user's code. */
export interface Place {
  readonly position?: SourcePosition;
  /** Where its scopes are created, from the inside out, without the stack. */
  readonly createdFrom?: readonly SourcePosition[];
}

/**
 * Returns the place of a construct or, if a package creates it, of its nearest scope in the user's code.
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

/** Adds the place of a construct to a finding about it. */
export const withPlace = <Said extends object>(
  said: Said,
  { position, createdFrom }: Place,
): Said & Place => ({
  ...said,
  ...(position !== undefined && { position }),
  ...(createdFrom !== undefined && { createdFrom }),
});

/** Formats a place as terminals and editors recognize it, such as `src/main.ts:14:5`. */
export const positionText = ({ file, line, column }: SourcePosition): string =>
  `${relative(process.cwd(), file).replaceAll("\\", "/")}:${line}:${column}`;

/** Formats the place of a construct for people; empty if it is unknown. */
export const placeText = ({ position, createdFrom = [] }: Place): string =>
  position === undefined ? "" : [position, ...createdFrom].map(positionText).join(", from ");
