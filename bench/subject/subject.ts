import type { Values } from "../../src/schema/resource-rule";
import type { Declaration } from "../../src/schema";

export type { Values };

/** A provider, and the resources of it that are measured. */
export interface Subject {
  readonly name: "ids" | "signing" | "workspace";
  /** What one piece is, of which many are planned and synthesized: `endpoint`. */
  readonly piece: string;
  readonly settings: { readonly declaration: Declaration; readonly values: Values };
  /** What stands in the provider's environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** The resources of one piece, in the order in which they refer to each other. */
  readonly resources: readonly MeasuredResource[];
  /** Whether pieces can be created without a server to create them on. */
  readonly applies: boolean;
  /** How many pieces are planned, fewest first. */
  readonly counts: readonly number[];
  /** For the plan of 1,000 pieces. */
  readonly targets: {
    readonly planUs?: number;
    readonly memoryMb?: number;
    /** Of building constructs, in any number, beside bindings. */
    readonly buildRatio?: number;
  };
  /** How many pieces are synthesized. */
  readonly synthCounts: readonly number[];
  /** How many pieces whole commands of Terraform plan. */
  readonly commandCounts: readonly number[];
  /** A program of `probe/` that checks values, and what it checks. */
  readonly check: { readonly probe: string; readonly what: string; readonly targetUs: number };
  /** As many pieces as Terraform reads them, without what is required of providers. */
  readonly configuration: (count: number) => object;
}

/** One resource of a piece. */
export interface MeasuredResource {
  readonly declaration: Declaration;
  /** @param before what is planned or kept of the resource before it */
  readonly config: (index: number, before: Values) => Values;
}
