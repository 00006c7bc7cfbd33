import type { Values } from "../../src/core/schema/resource-rule";
import type { Declaration } from "../../src/core/schema";

export type { Values };

/** A provider, and its resources to measure. */
export interface Subject {
  readonly name: "ids" | "signing" | "workspace";
  /** The name of a piece, of which many are planned and synthesized, such as `endpoint`. */
  readonly piece: string;
  /** The constructs of a stack with one piece. */
  readonly constructs: readonly string[];
  /** The target for importing them, as a multiple of the import of cdktf. */
  readonly importRatio: number;
  readonly settings: { readonly declaration: Declaration; readonly values: Values };
  /** The environment variables of the provider. */
  readonly environment: Readonly<Record<string, string>>;
  /** The resources of one piece, in the order in which they refer to each other. */
  readonly resources: readonly MeasuredResource[];
  /** Whether pieces can be created without a server. */
  readonly applies: boolean;
  /** The numbers of pieces to plan, in ascending order. */
  readonly counts: readonly number[];
  /** For the plan of 1,000 pieces. */
  readonly targets: {
    readonly planUs?: number;
    readonly memoryMb?: number;
    /** The ratio of building constructs to building bindings, for any number of pieces. */
    readonly buildRatio?: number;
  };
  /** The numbers of pieces to synthesize. */
  readonly synthCounts: readonly number[];
  /** The numbers of pieces for whole Terraform commands. */
  readonly commandCounts: readonly number[];
  /** A program from `probe/` that checks values, the values, and its target. */
  readonly check: { readonly probe: string; readonly what: string; readonly targetUs: number };
  /** Returns Terraform's JSON configuration of a number of pieces, without `required_providers`. */
  readonly configuration: (count: number) => object;
}

/** One resource of a piece. */
export interface MeasuredResource {
  readonly declaration: Declaration;
  /** @param before the planned or stored values of the resource before it */
  readonly config: (index: number, before: Values) => Values;
}
