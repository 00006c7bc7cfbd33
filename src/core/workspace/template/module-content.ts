import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import { isToken, literalText } from "../../construct";
import { isConfiguration, itemsIn } from "../../hcl/configuration-blocks";
import { codeOf } from "../../hcl/template-sequences";
import {
  isObject,
  ownValue,
  parsedJson,
  propertiesOf,
  type Properties,
} from "../../json/plain-json";
import { type Finding, type Path, warning } from "../../schema";

/** What the files of a module contain. */
export interface ModuleContent {
  /** The version of the files; undefined for a folder of the project. */
  readonly version: string | undefined;
  /** False if Terraform may use other files, because a constraint allows other versions. */
  readonly isCertain: boolean;
  readonly variables: ReadonlyMap<string, ModuleVariable>;
  readonly outputs: ReadonlySet<string>;
  readonly parts: readonly ModulePart[];
  /** The sources of the modules that it calls, whose parts are not known. */
  readonly calls: readonly string[];
}

interface ModuleVariable {
  /** Its type without its parameters, such as `list`. */
  readonly kind: string;
  readonly isRequired: boolean;
  readonly default: string | undefined;
}

/** A resource or a data source of a module. */
interface ModulePart {
  readonly type: string;
  readonly isConditional: boolean;
  readonly values: ReadonlyMap<string, string>;
}

/** Checks whether a source is a folder. */
export const isFolder = (source: string): boolean => /^(?:\.{1,2})?\//.test(source);

const quoted = /^"((?:[^"\\])*)"\s*(?:$|#|\/\/|\/\*|\n)/;

const known = new WeakMap<IConstruct, ModuleContent>();

/** Returns the content of a module, if its files were found; undefined for any other construct. */
export const contentOf = (construct: IConstruct): ModuleContent | undefined => known.get(construct);

/** @param constructs that of the module, and its element in the stack */
export function rememberContent(constructs: readonly IConstruct[], content: ModuleContent): void {
  for (const construct of constructs) known.set(construct, content);
}

/**
 * Reads the files of a module: a folder, or what `terraform init` has fetched for the last synthesized stack. Returns undefined if there are none, or if they are not in native syntax.
 */
export function readContent(
  scope: IConstruct,
  source: unknown,
  version: unknown,
): ModuleContent | undefined {
  if (typeof source !== "string") return undefined;
  if (isFolder(source)) return contentIn(resolve(source), { version: undefined, isCertain: true });
  for (const folder of stackFolders(scope)) {
    for (const entry of installedIn(folder)) {
      const { Key: key, Source: from, Version: of, Dir: path } = entry;
      const isSame = from === source || String(from).endsWith(`/${source}`);
      const isExact = /^[\d.]+$/.test(String(version));
      if (!isSame || String(key).includes(".") || typeof path !== "string") continue;
      if (isExact && of !== version) continue;
      return contentIn(join(folder, path), {
        version: typeof of === "string" ? of : undefined,
        isCertain: of === version,
      });
    }
  }
  return undefined;
}

/** The folders in which Terraform runs: the one of this synthesis, and the usual one. */
function stackFolders({ node }: IConstruct): readonly string[] {
  const { root } = node;
  const output = "outdir" in root && typeof root.outdir === "string" ? [root.outdir] : [];
  const stack = node.scopes.findLast((each) => TerraformStack.isStack(each))?.node.id ?? "";
  return [...output, resolve("cdktf.out")].map((each) => join(each, "stacks", stack));
}

function installedIn(folder: string): readonly Properties[] {
  try {
    const text = readFileSync(join(folder, ".terraform", "modules", "modules.json"), "utf8");
    const list = propertiesOf(parsedJson(text))["Modules"];
    return Array.isArray(list) ? list.filter(isObject) : [];
  } catch {
    return [];
  }
}

function contentIn(
  folder: string,
  origin: Pick<ModuleContent, "version" | "isCertain">,
): ModuleContent | undefined {
  const variables = new Map<string, ModuleVariable>();
  const outputs = new Set<string>();
  const parts: ModulePart[] = [];
  const calls: string[] = [];
  try {
    const names = readdirSync(folder).filter(isConfiguration);
    if (names.length === 0 || names.some((name) => name.endsWith(".json"))) return undefined;
    for (const text of names.map((name) => readFileSync(join(folder, name), "utf8"))) {
      const code = codeOf(text, "body");
      for (const { kind, name, labels, start, end } of itemsIn(text, code)) {
        const [first = "", second] = labels;
        if (kind !== "block") continue;
        const items = itemsIn(text, code, start, end);
        const values = new Map(
          items.map((item) => [item.name, text.slice(item.start, item.end).trim()]),
        );
        if (name === "module") calls.push(quoted.exec(values.get("source") ?? "")?.[1] ?? "");
        if (name === "output") outputs.add(first);
        if (name === "variable") {
          const type = items.find((item) => item.name === "type");
          const [of = "any"] =
            type === undefined ? [] : (/\w+/.exec(code.slice(type.start, type.end)) ?? []);
          variables.set(first, {
            kind: of,
            isRequired: !values.has("default"),
            default: values.get("default"),
          });
        }
        if ((name === "resource" || name === "data") && second !== undefined) {
          const isConditional = values.has("count") || values.has("for_each");
          parts.push({ type: first, isConditional, values });
        }
      }
    }
  } catch {
    return undefined;
  }
  return { ...origin, variables, outputs, parts, calls };
}

/** The value of an argument of a part, such as the slug of an app. */
interface PartText {
  /** Undefined if only Terraform knows it. */
  readonly text: string | undefined;
  /** True if some builds do not have the part. */
  readonly isConditional: boolean;
}

/**
 * Returns the values of an argument in the parts of a module.
 *
 * @param type the type of the parts in Terraform
 * @param variables set by the call
 */
export const textsIn = (
  content: ModuleContent,
  type: string,
  argument: string,
  variables: Properties,
): readonly PartText[] =>
  content.parts
    .filter((part) => part.type === type)
    .map(({ isConditional, values }) => ({
      text: textOf(values.get(argument) ?? "", content, variables),
      isConditional,
    }));

function textOf(
  expression: string,
  content: ModuleContent,
  variables: Properties,
): string | undefined {
  const [, bare] = /^var\.([\w-]+)\s*(?:$|#|\/\/|\/\*|\n)/.exec(expression) ?? [];
  const template = bare === undefined ? quoted.exec(expression)?.[1] : `\${var.${bare}}`;
  let isKnown = template !== undefined;
  const text = template?.replaceAll(/[$%]\{([^}]*)\}/g, (_all, inside: string) => {
    const [, name] = /^\s*var\.([\w-]+)\s*$/.exec(inside) ?? [];
    const value = name === undefined ? undefined : variableText(name, content, variables);
    isKnown &&= value !== undefined;
    return value ?? "";
  });
  return isKnown ? text : undefined;
}

function variableText(
  name: string,
  { variables }: ModuleContent,
  given: Properties,
): string | undefined {
  const value = ownValue(given, name) ?? undefined;
  if (value !== undefined) {
    const isText = /^(?:string|number|boolean)$/.test(typeof value) && !isToken(value);
    return isText ? literalText(`${value as string | number | boolean}`) : undefined;
  }
  const written = variables.get(name)?.default ?? "";
  const text = /^[\d.]+(?=\s|$)/.exec(written)?.[0] ?? quoted.exec(written)?.[1];
  return text?.includes("{") === true ? undefined : text;
}

/** Warns of what a fetched version does not have: Terraform may fetch another one. */
export const otherVersion = warning(
  "module-version",
  "the version of a module that `terraform init` has fetched does not match the call",
);

/** Says which files a message is about, unless they are the files that Terraform will use. */
export const asOf = ({ isCertain, version = "" }: ModuleContent): string =>
  isCertain ? "" : ` in version ${version}, which terraform init has fetched`;

/** Returns a finding about the content of a module: an error if Terraform uses exactly this content. */
export function contentFinding(
  content: ModuleContent,
  code: Finding["code"],
  path: Path,
  message: string,
): Finding {
  return content.isCertain
    ? { code, severity: "error", path, message }
    : otherVersion.at(path, message);
}
