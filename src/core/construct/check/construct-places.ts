import { type IConstruct, Node } from "constructs";
import { recordPlace, type Traced } from "./user-stack";

/** Receives the place in the user's code where each construct is created. */
export type ConstructObserver = (construct: IConstruct, place: Traced) => void;

/**
 * The observer of this process. A process that runs an app for `trivet` sets it, before it loads this library.
 * Without one, nothing is observed, and nothing takes time.
 */
const observer = (globalThis as Partial<Record<symbol, ConstructObserver>>)[
  Symbol.for("@trivet/constructs:observer")
];

/** Tells the observer where a construct of this library is created. It has recorded its place anyway. */
export function observePlace(construct: IConstruct, place: Traced): void {
  observer?.(construct, place);
}

/**
 * Lets the observer know of all other constructs, such as stacks and bindings of other providers.
 *
 * @param isOwn checks for a construct of this library. What it creates is a part of it
 */
export function observeOthers(isOwn: (construct: IConstruct) => boolean): void {
  if (observer === undefined) return;
  const { prototype } = Node as unknown as { readonly prototype: NodePrototype };
  const add = prototype.addChild;
  prototype.addChild = function (child, name) {
    add.call(this, child, name);
    if (!isOwn(child) && !isOwn(this.host)) observer(child, recordPlace(child.constructor));
  };
}

/** The private method of constructs through which each node gets into the tree. */
interface NodePrototype {
  addChild: (this: { readonly host: IConstruct }, child: IConstruct, name: string) => void;
}
