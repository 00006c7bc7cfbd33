import type { Attribute, Attributes, Fields } from "./attribute";
import { checkDeclaration } from "./declaration-rules";
import type { StateOf } from "./infer";
import type { DynamicType, MapType, ObjectType, SetType, Type } from "./type";

/** The types that an identity may contain: strings, numbers, booleans, and lists of them. */
export type IdentityType = Exclude<Type, DynamicType | SetType | MapType | ObjectType>;

/** An identity as a declaration writes it. */
export interface IdentityBody<A extends Attributes> {
  /** Created with {@link requiredForImport} and {@link optionalForImport}. */
  readonly attributes: A;
  /** The version of stored identities. Raise it when names or types change. @default 0 */
  readonly version?: number | undefined;
}

interface IdentityOptions {
  /** The documentation of the value: full sentences in Markdown. */
  readonly doc: string;
  /** The name in Terraform. @default the property's name in snake_case */
  readonly wire?: string | undefined;
}

/** A part of an identity that an import by identity must set. */
export function requiredForImport<T extends IdentityType>(
  type: T,
  options: IdentityOptions,
): Attribute<"required", T, false> {
  return { ...options, presence: "required", type };
}

/** A part of an identity that an import may leave out, because the provider knows it. */
export function optionalForImport<T extends IdentityType>(
  type: T,
  options: IdentityOptions,
): Attribute<"optional", T, false> {
  return { ...options, presence: "optional", type };
}

/** The values of a resource's identity. Values that are optional for an import may be null. */
export type IdentityOf<D> = D extends { readonly identity?: Fields<infer A> | undefined }
  ? StateOf<Fields<A>>
  : never;

/** The names in an identity for which the resource has no attribute, so that a handler must provide the values. */
export type UnmatchedIdentity<D extends Fields> = D extends {
  readonly identity?: Fields<infer A> | undefined;
}
  ? Exclude<keyof A, keyof D["attributes"]>
  : never;

/** @throws Error when it is empty, or contains something that Terraform does not allow in an identity */
export function checkIdentity(type: string, attributes: Attributes, version: number): void {
  if (Object.keys(attributes).length === 0) {
    throw new Error(`${type}: the identity has no attributes`);
  }
  checkDeclaration("identity", { type, version, attributes }, `${type}.identity`);
}
