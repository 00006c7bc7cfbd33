import { product } from "../product/product";
import { sliceOf } from "../product/dialect";
import type { ConstructType } from "../check/construct-type";
import { DataSourceConstruct, ResourceConstruct } from "../base/element-construct";
import { ProviderConstruct, type ProviderMetaArguments } from "../base/provider-construct";
import type { DataSourceMetaArguments, MetaArguments } from "../base/meta-arguments";
import type { Construct } from "constructs";
import type { Declaration } from "../../schema";
import { type ActionEvent, trigger, type TriggeringResource } from "./action-triggers";
import {
  DerivedAction,
  DerivedDataSource,
  DerivedEphemeralResource,
  DerivedProvider,
  DerivedResource,
  type Requirement,
} from "./bindings";
import { defineConstructOutputs } from "./outputs";

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const pascal = (text: string): string => text.split(/[_-]/).map(capital).join("");

const prefixes: Partial<Record<Declaration["kind"], string>> = {
  "data source": "Data",
  "ephemeral resource": "Ephemeral",
};

/** Returns the name of the class for a declaration: `Note` for `notes_note`, `NotesProvider` for `notes`. */
function nameOf(declaration: Declaration): string {
  const { kind, type } = declaration;
  if (kind === "provider") return `${pascal(type)}Provider`;
  const own = type.slice(sliceOf(declaration).length).replace(/^_/, "");
  return (prefixes[kind] ?? "") + pascal(own === "" ? type : own);
}

const typeOf = (declaration: Declaration): ConstructType => ({
  name: `${sliceOf(declaration)}.${nameOf(declaration)}`,
  declaration,
});

const typeToken = (declaration: Declaration): string =>
  `${product.name}:${sliceOf(declaration)}/v1:${nameOf(declaration)}`;

/** Gives a class its name, which stack traces show. */
function named<Class extends object>(derived: Class, declaration: Declaration): Class {
  return Object.defineProperty(derived, "name", { value: nameOf(declaration) });
}

export function resourceClass(declaration: Declaration) {
  const type = typeOf(declaration);
  class Derived extends ResourceConstruct<DerivedResource> {
    static readonly typeToken = typeToken(declaration);

    constructor(scope: Construct, id: string, props: MetaArguments) {
      super(scope, id, type, props, (parent, childId, config) => {
        return new DerivedResource(parent, childId, declaration, { ...config });
      });
    }
  }
  defineConstructOutputs(Derived.prototype, declaration, ({ resource }) => resource);
  return named(Derived, declaration);
}

/** A class of what is written like a data source. */
function readClass(declaration: Declaration, Binding: typeof DerivedDataSource) {
  const type = typeOf(declaration);
  return class Derived extends DataSourceConstruct<DerivedDataSource> {
    static readonly typeToken = typeToken(declaration);

    constructor(scope: Construct, id: string, props: DataSourceMetaArguments) {
      super(scope, id, type, props, (parent, childId, config) => {
        return new Binding(parent, childId, declaration, { ...config });
      });
    }
  };
}

export function dataSourceClass(declaration: Declaration) {
  const Binding = declaration.kind === "data source" ? DerivedDataSource : DerivedEphemeralResource;
  const Derived = readClass(declaration, Binding);
  defineConstructOutputs(Derived.prototype, declaration, ({ resource }) => resource);
  return named(Derived, declaration);
}

export function actionClass(declaration: Declaration) {
  class Derived extends readClass(declaration, DerivedAction) {
    triggeredBy(resource: TriggeringResource, ...events: readonly ActionEvent[]): void {
      trigger(this.resource, resource, events);
    }
  }
  return named(Derived, declaration);
}

export function providerClass(declaration: Declaration, requirement: Requirement) {
  const type = typeOf(declaration);
  class Derived extends ProviderConstruct<DerivedProvider> {
    constructor(scope: Construct, id: string, props: ProviderMetaArguments) {
      super(scope, id, type, props, (parent, childId, config) => {
        return new DerivedProvider(parent, childId, declaration, requirement, { ...config });
      });
    }
  }
  return named(Derived, declaration);
}
