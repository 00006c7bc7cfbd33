import { relative } from "node:path";
import { type Properties, propertiesOf } from "../../core/json/plain-json";

/** A place in a source file. Lines and columns count from 1. */
export interface SourcePosition {
  /** An absolute path. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** What is known about the construct of a resource. */
export interface ConstructPlace extends Place {
  /** Its path in the stack, if the address does not show it. */
  readonly constructPath?: string;
}

/**
 * Returns what is known about the construct of a resource.
 *
 * @param address such as `ids_endpoint.edge` or `data.workspace_parameter.cores[0]`
 */
export type ConstructOf = (address: string) => ConstructPlace;

/**
 * Returns what a configuration says about the construct of a resource.
 *
 * @param content the parsed configuration of the stack
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
  // The child of a construct that is one resource.
  const shown = inStack.replace(/\/(Default|Resource)$/, "");
  return { ...(shown !== name && { constructPath: shown }), ...placeIn(stack.positions, path) };
}

/**
 * Returns the name in Terraform that an address contains, and the path of the binding in the app, such as
 * `dev/edge/Default`.
 */
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

/** The comment of a stack with the paths of the bindings whose data sources are in native syntax, by address. */
export const nativeConstructs = "native";

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

/** Adds the place of a construct to what is said about it. */
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

/** Formats the place of a construct for people; empty if it is not known. */
export const placeText = ({ position, createdFrom = [] }: Place): string =>
  position === undefined ? "" : [position, ...createdFrom].map(positionText).join(", from ");
