import type { TerraformStack } from "cdktf";
import type { AcceptanceRow, BuildRow, ChangeRow } from "./table";

/** How a value is encoded as a token, and read back; blocks by what they hold. */
export type Kind =
  | "string"
  | "enum"
  | "number"
  | "bool"
  | "list"
  | "map"
  /** Stands at most once, and is written as an object. */
  | { readonly block: Kinds }
  /** Stands any number of times, and is written as an array. */
  | { readonly blocks: Kinds };

export type Kinds = Readonly<Record<string, Kind>>;

export type Args = Readonly<Record<string, unknown>>;

/** A resource, a data source or the settings of the provider, as the spec and the facts have it. */
export interface Noun {
  readonly kind: "resource" | "data source" | "provider";
  /** The type in Terraform; of a provider its name. */
  readonly typeName: string;
  /** The construct in the package, such as `workspace.Agent`. */
  readonly construct: string;
  /** Arguments that are accepted without a warning; a row of the table has them already. */
  readonly base: Args;
  /** Declares what the arguments refer to. @default nothing */
  readonly around?: (stack: TerraformStack) => void;
  readonly inputs: Kinds;
  /** What comes besides the inputs. */
  readonly outputs: Kinds;
  /** Names in Terraform that are not the snake_case of the spec's: `metadatas` is `metadata`. */
  readonly wire: Readonly<Record<string, string>>;
  readonly rows: readonly AcceptanceRow[];
  readonly builds: readonly BuildRow[];
  readonly changes: readonly ChangeRow[];
}

/** The name in Terraform of an input or output. */
export const wireNameIn = ({ wire }: Noun, name: string): string =>
  wire[name] ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
