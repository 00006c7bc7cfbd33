import { provider as ids, googleStates } from "../../core/ids/provider-definition";
import { provider as signing, cosignStates } from "../../core/signing/provider-definition";
import { provider as workspace } from "../../core/workspace/provider-definition";
import { coderStates } from "../../core/workspace/product/coder-names";
import type { ProductProvider } from "../../core/construct/product/product";
import { reversed, type Vocabulary, vocabularyOf } from "../../core/construct/product/vocabulary";
import { classNameOf, type Declaration } from "../../core/schema";

/** The namespaces of our constructs. */
export type Slice = "ids" | "signing" | "workspace";

/** A type in a configuration for which we have a construct. */
export interface KnownType {
  readonly slice: Slice;
  /** Such as `workspace.Agent`. */
  readonly className: string;
  readonly declaration: Declaration;
  /** The type that the construct has in Terraform. */
  readonly written: string;
  /** Translates the configuration's names and enum values to ours; undefined if they are the same. */
  readonly toOurs: Vocabulary | undefined;
}

interface Source {
  readonly slice: Slice;
  /** The prefix of types in the configuration. */
  readonly prefix: string;
  /** The name of the provider in the configuration. */
  readonly provider: string;
  readonly names: Pick<ProductProvider, "names" | "enums">;
  /** True if the constructs have the same types in Terraform. */
  readonly isKept: boolean;
}

const definitions = { ids, signing, workspace };

/** The types of the three providers, and of the providers they can replace. */
export class KnownTypes {
  readonly #sources: readonly Source[];

  /** @param keepsCoder true if templates for coder stay templates for coder */
  constructor(keepsCoder: boolean) {
    const own = (["ids", "signing", "workspace"] as const).map((slice) => {
      return { slice, prefix: slice, provider: slice, names: {}, isKept: true };
    });
    this.#sources = [
      ...own,
      source("workspace", coderStates, "coder", keepsCoder),
      source("signing", cosignStates, "cosign", false),
      source("ids", googleStates, "google", false),
    ];
  }

  /** Returns the construct for a resource, or for a data source. */
  find(kind: "resource" | "data", type: string): KnownType | undefined {
    for (const { slice, prefix, names, isKept } of this.#sources) {
      if (!type.startsWith(`${prefix}_`)) continue;
      const { resources, dataSources = [] } = definitions[slice];
      const all = kind === "resource" ? resources : dataSources;
      const ours = slice + type.slice(prefix.length);
      const declaration: Declaration | undefined = all.find(
        (each) => each.declaration.type === ours,
      )?.declaration;
      if (declaration === undefined) continue;
      const toTheirs = vocabularyOf({ source: "", typePrefix: prefix, ...names }, ours);
      return {
        slice,
        className: `${slice}.${classNameOf(declaration)}`,
        declaration,
        written: isKept ? type : ours,
        toOurs: toTheirs && reversed(toTheirs),
      };
    }
    return undefined;
  }

  /** Returns the slice whose provider takes over from one of the configuration. */
  provider(name: string): { readonly slice: Slice; readonly isKept: boolean } | undefined {
    return this.#sources.find(({ provider }) => provider === name);
  }

  settings(slice: Slice): Declaration {
    return definitions[slice].declaration;
  }
}

const source = (
  slice: Slice,
  { typePrefix, ...names }: { readonly typePrefix: string } & Source["names"],
  provider: string,
  isKept: boolean,
): Source => ({ slice, prefix: typePrefix, provider, names, isKept });
