import { localPlatformError } from "./local-platform-error";

export interface TemplateProduct {
  readonly name: string;
  /** Prefix of resource types. */
  readonly typePrefix: string;
  /** Prefix of environment variables. */
  readonly environmentPrefix: string;
  readonly source: string;
}

export const templateProducts: readonly [TemplateProduct, ...TemplateProduct[]] = [
  {
    name: "trivet",
    typePrefix: "workspace_",
    environmentPrefix: "TRIVET",
    source: "trivet.local/trivet/workspace",
  },
  { name: "coder", typePrefix: "coder_", environmentPrefix: "CODER", source: "coder/coder" },
];

/** What says which product a template is for. */
export interface DeclaredProduct {
  /** The sources of required providers. */
  readonly sources: readonly string[];
  /** The addresses of resources and data sources. */
  readonly addresses: readonly string[];
}

/**
 * Returns the product of a template: the given one, otherwise the one whose provider it requires or whose types it
 * has.
 *
 * @throws LocalPlatformError if the template has types of another product
 */
export function productOf(
  { sources, addresses }: DeclaredProduct,
  given: string | undefined,
): TemplateProduct {
  const typesOf = ({ typePrefix }: TemplateProduct) =>
    addresses.filter((address) => address.replace(/^data\./, "").startsWith(typePrefix));
  const isRequired = ({ source }: TemplateProduct) =>
    sources.some((each) => each.replace("registry.terraform.io/", "") === source);
  const product =
    templateProducts.find(({ name }) => name === given) ??
    templateProducts.find(isRequired) ??
    templateProducts.find((each) => typesOf(each).length > 0) ??
    templateProducts[0];
  const other = templateProducts.find((each) => each !== product && typesOf(each).length > 0);
  if (other === undefined) return product;
  throw localPlatformError(
    "REFUSED",
    `The template is for ${product.name}${given === undefined ? "" : " (--product)"}, but declares ${typesOf(other)[0] ?? ""} of ${other.name}.`,
    {
      advice: `Remove it, or use --product ${other.name} if the whole template is for it. Nothing was applied.`,
    },
  );
}
