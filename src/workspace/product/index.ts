import { product as trivet, type Product } from "../../construct";
import { coder } from "./coder";

/** The products whose provider a stack can use: this package's own, and existing platforms. */
export const products = { trivet, coder } as const satisfies Readonly<Record<string, Product>>;
