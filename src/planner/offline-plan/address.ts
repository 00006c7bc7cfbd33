import { escapedTemplate } from "../../core/hcl/template-sequences";
import { parseExpression } from "../expression/parse";
import { EvaluationError } from "../expression/value";

/** The key of an instance: a number with `count`, a string with `for_each`. */
export type InstanceKey = string | number | undefined;

/** Formats an instance's address as Terraform does, such as `ids_endpoint.edge["a"]`. */
export function instanceAddress(block: string, key: InstanceKey): string {
  if (key === undefined) return block;
  if (typeof key === "number") return `${block}[${key}]`;
  return `${block}[${escapedTemplate(JSON.stringify(key))}]`;
}

/** A name with the attributes and constant keys that follow it, such as `ids_endpoint.edge["a"].name`. */
export interface Traversal {
  readonly root: string;
  readonly steps: readonly { readonly step: string | number; readonly isIndex: boolean }[];
}

const space = String.raw`[ \t]*`;
const identifier = String.raw`[\p{ID_Start}_][\p{ID_Continue}-]*`;
const quoted = String.raw`"(?:[^"\\]|\\.)*"`;
const rootForm = new RegExp(`${space}(${identifier})${space}`, "uy");
const stepForm = new RegExp(
  String.raw`(?:\.${space}(${identifier})|\[${space}(\d+|${quoted})${space}\])${space}`,
  "uy",
);

const keyForm = String.raw`\[(?:\d+|${quoted})\]`;
const keys = new RegExp(keyForm, "gu");
const outermost = new RegExp(String.raw`^(module\.[^.[]+)(?:${keyForm})?`, "u");

/** The address of a block in a configuration, without the keys of instances. */
export const withoutKeys = (block: string): string => block.replaceAll(keys, "");

export const typeIn = (address: string): string =>
  withoutKeys(address)
    .replace(/^(?:module\.[^.]+\.)*/, "")
    .split(".")[0] ?? "";

/** The outermost module in an address: its call, such as `module.net`, and the instance. */
export function outermostModule(address: string): {
  readonly call: string;
  readonly instance: string;
} {
  const [instance = "", call = ""] = outermost.exec(address) ?? [];
  return { call, instance };
}

/** Reads a static reference in Terraform's JSON syntax; undefined for anything else. */
export function parseTraversal(written: unknown): Traversal | undefined {
  if (typeof written !== "string") return undefined;
  rootForm.lastIndex = 0;
  const [, root] = rootForm.exec(written) ?? [];
  if (root === undefined) return undefined;
  const steps: Traversal["steps"][number][] = [];
  stepForm.lastIndex = rootForm.lastIndex;
  while (stepForm.lastIndex < written.length) {
    const [found, name, key = ""] = stepForm.exec(written) ?? [];
    if (found === undefined) return undefined;
    const step = name ?? constantKey(key);
    if (step === undefined) return undefined;
    steps.push({ step, isIndex: name === undefined });
  }
  return { root, steps };
}

function constantKey(text: string): string | number | undefined {
  try {
    const expression = parseExpression(text);
    const parts = expression.kind === "template" ? expression.parts : [expression];
    const contents = parts.map((part) =>
      part.kind === "literal" ? part.value.content : undefined,
    );
    const [only = ""] = contents;
    if (typeof only === "number") return Number.isSafeInteger(only) ? only : undefined;
    return contents.every((each) => typeof each === "string") ? contents.join("") : undefined;
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}

/** A resource, a module, or an instance of one, in a `moved`, `import` or `removed` block. */
export interface Target {
  /** Such as `ids_endpoint.edge`, `data.ids_endpoint.edge`, `module.net` or `module.net.ids_endpoint.edge`. */
  readonly block: string;
  readonly key: InstanceKey;
  /** Undefined for a module. */
  readonly resource:
    | { readonly mode: "managed" | "data"; readonly type: string; readonly name: string }
    | undefined;
  /** The instance of a module that contains it, such as `module.net["a"]`; undefined for the root module. */
  readonly module: string | undefined;
  /** The modules that contain it, from the outermost: calls such as `module.net[*]`, and instances. */
  readonly containers: readonly string[];
}

/** The first words of other references, which cannot be types of resources. */
const reserved = new Set(
  "count each local module path self terraform var template lazy arg ephemeral".split(" "),
);

/** Reads an address in a `moved`, `import` or `removed` block; undefined for anything else. */
export function parseTarget(written: unknown): Target | undefined {
  const traversal = parseTraversal(written);
  if (traversal === undefined) return undefined;
  const rest = [{ step: traversal.root, isIndex: false }, ...traversal.steps];
  const nextName = (): string | undefined => {
    const [next] = rest;
    if (next === undefined || next.isIndex) return undefined;
    rest.shift();
    return String(next.step);
  };
  const nextKey = (): InstanceKey => (rest[0]?.isIndex === true ? rest.shift()?.step : undefined);
  const containers: string[] = [];
  let module: string | undefined;
  const within = (name: string): string => (module === undefined ? name : `${module}.${name}`);
  while (rest[0]?.step === "module" && !rest[0].isIndex) {
    rest.shift();
    const name = nextName();
    if (name === undefined) return undefined;
    const block = within(`module.${name}`);
    const key = nextKey();
    if (rest.length === 0) return { block, key, resource: undefined, module, containers };
    module = instanceAddress(block, key);
    containers.push(wholeOf(block), module);
  }
  const first = nextName();
  const isPrefix = first === "resource" || first === "data";
  const type = isPrefix ? nextName() : first;
  const name = nextName();
  if (type === undefined || name === undefined || (!isPrefix && reserved.has(type))) {
    return undefined;
  }
  const mode = first === "data" ? "data" : "managed";
  const key = nextKey();
  if (rest.length > 0) return undefined;
  const block = within(`${mode === "data" ? "data." : ""}${type}.${name}`);
  return { block, key, resource: { mode, type, name }, module, containers };
}

/** All instances of a resource or a module, whose plain address is also that of a single instance. */
export const wholeOf = (block: string): string => `${block}[*]`;
