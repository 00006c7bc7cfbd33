import { provider as ids, googleStates } from "../../core/ids/provider-definition";
import { provider as signing, cosignStates } from "../../core/signing/provider-definition";
import { provider as workspace } from "../../core/workspace/provider-definition";
import { coderStates } from "../../core/workspace/product/coder-names";
import type { ProductProvider } from "../../core/construct/product/product";
import { reversed, type Vocabulary, vocabularyOf } from "../../core/construct/product/vocabulary";
import { type Edit, edited } from "../../core/hcl/source-edits";
import { codeOf } from "../../core/hcl/template-sequences";
import { classNameOf, type Declaration } from "../../core/schema";

export type Slice = "ids" | "signing" | "workspace";

/** A type in a configuration, with its construct. */
export interface KnownType {
  readonly slice: Slice;
  /** Such as `workspace.Agent`. */
  readonly className: string;
  readonly declaration: Declaration;
  /** The construct's type in Terraform. */
  readonly written: string;
  /** Translates names and enum values to those of the construct. @default they are the same */
  readonly toOurs: Vocabulary | undefined;
}

interface Source {
  readonly slice: Slice;
  readonly prefix: string;
  readonly provider: string;
  readonly names: Pick<ProductProvider, "names" | "enums">;
  /** True if types keep their names in Terraform. */
  readonly isKept: boolean;
}

const definitions = { ids, signing, workspace };

/** The types of the three providers, and of the providers that they can replace. */
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

  /** Returns the slice whose provider replaces a provider of the configuration. */
  provider(name: string): { readonly slice: Slice; readonly isKept: boolean } | undefined {
    return this.#sources.find(({ provider }) => provider === name);
  }

  settings(slice: Slice): KnownType {
    const className = `${slice}.${classNameOf({ kind: "provider", type: slice })}`;
    const { declaration } = definitions[slice];
    return { slice, className, declaration, written: slice, toOurs: undefined };
  }
}

/** A reference to a resource or data source, with an optional key and attribute. */
const reference =
  /(?<![\w.-])(data\s*\.\s*)?([a-z]\w*)(?:\s*\.\s*[\p{ID_Start}_][\p{ID_Continue}-]*)(?:\s*\[[^\]]*\])?(?:\s*\.\s*([a-z_]\w*))?/dgu;

/** Renames the types and attributes in references to converted resources, but not in strings and comments. */
export function renamedReferences(
  text: string,
  types: KnownTypes,
  isConverted: (address: string) => boolean,
): string {
  const edits = [...codeOf(text, "expression").matchAll(reference)].flatMap((found): Edit[] => {
    const [all, data, type = "", attribute] = found;
    const known = types.find(data === undefined ? "resource" : "data", type);
    const [, , typeAt, attributeAt] = found.indices ?? [];
    if (known === undefined || known.written === type || typeAt === undefined) return [];
    const label = /^\s*\.\s*([\p{ID_Continue}-]+)/u.exec(all.slice(typeAt[1] - found.index))?.[1];
    if (!isConverted(`${data === undefined ? "" : "data."}${type}.${label}`)) return [];
    const ours = attribute === undefined ? undefined : known.toOurs?.names.get(attribute);
    return [
      { start: typeAt[0], end: typeAt[1], text: known.written },
      ...(ours === undefined || attributeAt === undefined
        ? []
        : [{ start: attributeAt[0], end: attributeAt[1], text: ours }]),
    ];
  });
  return edited(text, edits);
}

const source = (
  slice: Slice,
  { typePrefix, ...names }: { readonly typePrefix: string } & Source["names"],
  provider: string,
  isKept: boolean,
): Source => ({ slice, prefix: typePrefix, provider, names, isKept });
