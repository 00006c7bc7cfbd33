import { product as trivet, type Product } from "../../construct";
import { cosign } from "./cosign";

/** The products whose provider a stack can use: this package's own, and cosign's. */
export const products = { trivet, cosign } as const satisfies Readonly<Record<string, Product>>;
