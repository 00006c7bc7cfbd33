import { existsSync } from "node:fs";
import { normalize, resolve } from "node:path";
import {
  AssetType,
  TerraformAsset,
  Token,
  type IResolvable,
  type TerraformModuleProvider,
  type TerraformProvider,
} from "cdktf";
import type { Construct } from "constructs";
import {
  ElementConstruct,
  given,
  isToken,
  ModuleCall,
  note,
  orNone,
  product,
  ValidationError,
  warn,
  type DataSourceMetaArguments,
  type ProviderWrapper,
} from "../../construct";
import { didYouMean, type Finding, type FindingCode, type ResourceRule } from "../../schema";
import { uniqueAppSlugs } from "../app/construct";
import { presetValues, uniqueParameterNames } from "../parameter/rules";
import { uniquePresetNames } from "../preset/construct";
import { agentInStack } from "../template/agent-parts";
import {
  asOf,
  contentFinding,
  contentOf,
  isFolder,
  readContent,
  rememberContent,
} from "../template/module-content";
import { templateModule } from "./declare";
import { instanceOfAgent, variableRules } from "./rules";

/** The properties of a {@link Module}. */
export interface ModuleProps<
  Variables extends object = Readonly<Record<string, unknown>>,
> extends Pick<DataSourceMetaArguments, "count" | "dependsOn" | "forEach"> {
  /**
   * Where the module is: in a registry (`registry.coder.com/coder/code-server/coder`), at an address
   * (`git::https://example.com/tools.git`), or in a folder, which begins with `./` or `../`.
   *
   * A folder is relative to the one in which the app runs, and becomes a part of the synthesized stack.
   */
  readonly source: string;
  /**
   * The version of a module in a registry (`1.3.1`), or a constraint (`~> 1.0`).
   *
   * @default the newest one
   */
  readonly version?: string | undefined;
  /**
   * ID of the agent that gets the parts of the module: its variable `agent_id`.
   *
   * @default none, for modules that do not have this variable
   */
  readonly agentId?: string | undefined;
  /**
   * The other variables of the module, by their names in it: `{ agent_name: "main", order: 1 }`.
   *
   * @default their defaults
   */
  readonly variables?: Readonly<Variables> | undefined;
  /**
   * The providers that the module uses instead of the stack's default ones.
   *
   * @default the stack's default providers
   */
  readonly providers?:
    readonly (ProviderWrapper | TerraformProvider | TerraformModuleProvider)[] | undefined;
}

/**
 * A module in Terraform's language, for example from the platform's registry, which adds apps, scripts or parameters.
 *
 * If its files are in a folder, or if `terraform init` has fetched them for the synthesized stack, synthesis checks its
 * variables and outputs, and that the names of its apps, parameters and presets are unique.
 *
 * See the guide `docs/guide/modules.md` in this package.
 *
 * @example
 * ```ts
 * new workspace.Module(this, "code-server", {
 *   source: "registry.coder.com/coder/code-server/coder",
 *   version: "~> 1.0",
 *   agentId: main.agentId,
 *   variables: { order: 1 },
 * });
 * ```
 *
 * @typeParam Variables the type of the variables other than `agent_id`, if you have written one
 */
export class Module<
  Variables extends object = Readonly<Record<string, unknown>>,
> extends ElementConstruct<ModuleCall> {
  /** Name of the type, the same for all products. */
  static readonly typeToken = `${product.name}:workspace/v1:Module`;

  protected static override readonly stackRules = [
    agentInStack,
    instanceOfAgent,
    presetValues,
    uniqueAppSlugs,
    uniqueParameterNames,
    uniquePresetNames,
  ];

  constructor(scope: Construct, id: string, props: ModuleProps<Variables>) {
    const { dependsOn, count, forEach, providers, ...own } = orNone(props);
    const { source, version, agentId, variables } = own;
    const content = isToken(source) ? undefined : readContent(scope, source, version);
    const rules = [
      ...mustBeKnown({ source, version, variables, count, forEach }, content?.calls),
      ...(content === undefined ? [] : variableRules(content)),
    ];
    const declaration = { ...templateModule, rules: [...templateModule.rules, ...rules] };
    super(scope, id, declaration, own, dependsOn, (self) => {
      return new ModuleCall(self, "Default", {
        source: isFolder(source) ? copied(self, source) : source,
        ...(version !== undefined && { version }),
        ...(count !== undefined && { count }),
        ...(forEach !== undefined && { forEach }),
        ...(providers && { providers: providers.map(providerInModule) }),
        ...(dependsOn && { dependsOn: [...dependsOn] }),
        variables: given({ agent_id: agentId, ...variables }),
      });
    });
    if (content !== undefined) rememberContent([this, this.resource], content);
    else note(this, unknownContent);
  }

  /**
   * An output of the module.
   *
   * @param instance the index or the key of an instance. @default with a `count`, the only instance: the value is null
   * if there is none
   * @throws ValidationError if the module does not have the output, or if `instance` is missing
   */
  get(output: string, instance?: number | string): IResolvable {
    const problem = this.#problemOf(output, instance);
    if (problem?.severity === "warning") warn(this, problem);
    else if (problem !== undefined) {
      const label = { type: "workspace.Module", path: this.node.path };
      // eslint-disable-next-line @typescript-eslint/unbound-method -- names the frame, is not called
      throw new ValidationError(label, [problem], this.get);
    }
    return this.resource.output(output, instance);
  }

  /** An output that is a string. See {@link get}. */
  getString(output: string, instance?: number | string): string {
    return Token.asString(this.get(output, instance));
  }

  /** An output that is a number. See {@link get}. */
  getNumber(output: string, instance?: number | string): number {
    return Token.asNumber(this.get(output, instance));
  }

  /** An output that is a list of strings. See {@link get}. */
  getList(output: string, instance?: number | string): string[] {
    return Token.asList(this.get(output, instance));
  }

  #problemOf(output: string, instance: number | string | undefined): Finding | undefined {
    const { count, forEach } = this.resource;
    const isOne =
      forEach === undefined && (typeof count !== "number" || isToken(count) || count < 2);
    if (instance === undefined && !isOne) {
      const message = `must be read from one instance: pass its ${forEach === undefined ? "index" : "key"} as well`;
      return { code: "MISSING", severity: "error", path: [output], message };
    }
    if (instance !== undefined && count === undefined && forEach === undefined) {
      const message = `must be read without ${JSON.stringify(instance)}: the module has neither \`count\` nor \`forEach\``;
      return { code: "CONFLICT", severity: "error", path: [output], message };
    }
    const content = contentOf(this);
    if (content === undefined || content.outputs.has(output)) return undefined;
    const message = `is not an output of the module${asOf(content)}${didYouMean(output, content.outputs)}`;
    return contentFinding(content, "UNKNOWN_PROPERTY", [output], message);
  }
}

const unknownContent =
  "source: the files of the module are missing, so variables, outputs, slugs, parameters and presets are not checked: run `terraform init` in the stack's folder";

/** Returns rules that the given values break, whether or not they are tokens. */
function mustBeKnown(
  props: Readonly<Record<"source" | "version" | "variables" | "count" | "forEach", unknown>>,
  calls: readonly string[] = [],
): ResourceRule[] {
  const { source, count, forEach } = props;
  const broken = (code: FindingCode, name: string, message: string): ResourceRule => ({
    code,
    severity: "error",
    inputs: [],
    doc: () => message,
    broken: () => ({ name, message }),
  });
  const notToken = (name: keyof typeof props, reason: string): ResourceRule[] =>
    isToken(props[name]) ? [broken("TOKEN_MISUSE", name, `must not be a token: ${reason}`)] : [];
  const rules = [
    ...notToken("source", "Terraform fetches modules before it knows any value"),
    ...notToken("version", "Terraform fetches modules before it knows any value"),
    ...notToken("variables", "each variable needs its name here"),
  ];
  if (typeof source === "string" && isFolder(source)) {
    const outside = calls.find((call) => /^\.\.?\//.test(call) && normalize(call).startsWith(".."));
    // Only a folder has this entry.
    const isThere = existsSync(`${source}/.`);
    const message = isThere
      ? `must contain the modules that it calls, because only this folder is copied into the stack (it calls ${JSON.stringify(outside)})`
      : `must be a folder that exists in ${process.cwd()} (got ${JSON.stringify(source)})`;
    const isBroken = !isThere || outside !== undefined;
    if (isBroken) rules.push(broken("INVALID_ARGUMENT", "source", message));
  }
  if (count !== undefined && forEach !== undefined) {
    rules.push(broken("CONFLICT", "count", "cannot be combined with `forEach`"));
  }
  return rules;
}

/** Copies the folder of a module into the synthesized stack, which is then complete. */
function copied(self: Construct, source: string): string {
  const asset = new TerraformAsset(self, "Source", {
    path: resolve(source),
    type: AssetType.DIRECTORY,
  });
  return `./${asset.path}`;
}

function providerInModule(
  each: ProviderWrapper | TerraformProvider | TerraformModuleProvider,
): TerraformProvider | TerraformModuleProvider {
  return "resource" in each ? each.resource : each;
}
