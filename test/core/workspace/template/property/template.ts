import * as fc from "fast-check";
import { isRecord } from "../../../../../src/core/json/plain-json";
import { type Args, type Kind, type Kinds, type Noun, nouns } from "../../tables";
import { declarationOf } from "../../provider/noun-run";
import { Open, Reference } from "./open";
import { soundParameter } from "./parameter-args";
import { together } from "./together";
import { validArgs } from "./valid-args";

/** A resource or data source of a template. */
export interface Part {
  /** Its name in Terraform, and the construct's id. */
  readonly id: string;
  /** The type in Terraform. */
  readonly type: string;
  readonly args: Args;
  /** Values that a parameter takes. */
  readonly accepts?: readonly string[];
}

/** A whole template, from which both sides are generated. */
export interface Template {
  readonly settings: Args;
  /** A part comes after those that it refers to. */
  readonly parts: readonly Part[];
}

interface TemplateOptions {
  /** Whether some values are known only when Terraform applies. */
  readonly open: boolean;
}

/** The settings of the provider. */
export const providerNoun = nounOf("workspace");

export function nounOf(typeName: string): Noun {
  const noun = nouns.find((each) => each.typeName === typeName);
  if (noun === undefined) throw new Error(`there is no ${typeName}`);
  return noun;
}

type Unnamed = Omit<Part, "id">;

/** The parts of one type, with arguments that are accepted. */
function partOf(noun: Noun): fc.Arbitrary<Unnamed> {
  const { typeName } = noun;
  const each = validArgs(declarationOf(noun), typeName);
  if (typeName === "workspace_parameter") {
    return fc.tuple(each, soundParameter).map(([args, { args: sound, accepts }]) => {
      const names = ["type", "formType", "options", "validation", "default", "ephemeral"];
      const free = Object.entries(args).filter(([name]) => ![...names, "mutable"].includes(name));
      return { type: typeName, args: { ...Object.fromEntries(free), ...sound }, accepts };
    });
  }
  const fitting = together[typeName] ?? ((args: Args) => args);
  return each.map((args) => ({ type: typeName, args: fitting(args) }));
}

const several = (noun: Noun): fc.Arbitrary<readonly Unnamed[]> =>
  fc.array(partOf(noun), { minLength: noun.typeName === "workspace_agent" ? 1 : 0, maxLength: 2 });

const first = ["workspace_agent", "workspace_app"];

/**
 * Agents and apps come first, because others refer to them. An order of scripts is not among the parts: it depends
 * on which scripts there are, and `script-order/rules.test.ts` combines them.
 */
const ordered = [
  ...first.map(nounOf),
  ...nouns.filter(
    ({ kind, typeName }) =>
      kind !== "provider" && ![...first, "workspace_script_order"].includes(typeName),
  ),
];

/** Templates that the spec accepts. */
export function validTemplate({ open }: TemplateOptions): fc.Arbitrary<Template> {
  const settings = validArgs(declarationOf(providerNoun), "workspace");
  const parts = fc.tuple(...ordered.map(several)).map((all) => all.flat());
  const luck = fc.infiniteStream(fc.nat(99)).map((stream) => (below: number) => {
    const { value } = stream.next() as { value: number };
    return value % below;
  });
  return fc.tuple(settings, parts, luck).map(([given, all, roll]) => {
    const unique = uniqueInTemplate(all).map((part, index) => ({ ...part, id: `p${index}` }));
    const linked = unique.map((part) => withReferences(part, unique, roll));
    if (!open) return { settings: given, parts: linked };
    return {
      settings: opened(given, providerNoun.inputs, roll),
      parts: linked.map((part) => ({
        ...part,
        args: opened(part.args, nounOf(part.type).inputs, roll),
      })),
    };
  });
}

/** The attributes that must be unique among the constructs of a type, according to the spec. */
const own: Readonly<Record<string, string>> = {
  workspace_app: "slug",
  workspace_env: "name",
  workspace_parameter: "name",
  workspace_workspace_preset: "name",
};

function uniqueInTemplate(parts: readonly Unnamed[]): readonly Unnamed[] {
  const taken = new Set<string>();
  let hasDefaultPreset = false;
  const inAgents = parts.flatMap(({ type, args }) =>
    type === "workspace_agent" ? Object.keys(args["env"] ?? {}) : [],
  );
  for (const name of inAgents) taken.add(`workspace_env ${name.toLowerCase()}`);
  return parts.flatMap((part) => {
    const { type, args } = part;
    const name = own[type];
    if (name !== undefined) {
      const key = `${type} ${String(args[name]).toLowerCase()}`;
      if (taken.has(key)) return [];
      taken.add(key);
    }
    if (type !== "workspace_workspace_preset" || args["default"] !== true) return [part];
    const isFirst = !hasDefaultPreset;
    hasDefaultPreset = true;
    return [isFirst ? part : { ...part, args: { ...args, default: false } }];
  });
}

type Roll = (below: number) => number;

/** Connects parts to agents, tasks to apps, and presets to parameters. */
function withReferences(part: Part, all: readonly Part[], roll: Roll): Part {
  const of = (type: string) => all.filter((each) => each.type === type);
  const { type, args } = part;
  const tied: Record<string, unknown> = { ...args };
  if ("agentId" in nounOf(type).inputs) {
    const agents = of("workspace_agent");
    tied["agentId"] = new Reference(agents[roll(agents.length)]?.id ?? "", "agentId");
  }
  const apps = of("workspace_app");
  if (type === "workspace_ai_task" && apps.length > 0 && "appId" in args) {
    tied["appId"] = new Reference(apps[roll(apps.length)]?.id ?? "", "appId");
  }
  if (type === "workspace_workspace_preset") {
    const values = of("workspace_parameter").flatMap(({ args: { name }, accepts = [] }) =>
      roll(3) === 0 ? [] : [[String(name), accepts[roll(accepts.length)] ?? ""] as const],
    );
    tied["parameters"] = Object.fromEntries(values);
  }
  return { ...part, args: tied };
}

/** Makes some of the values known only when Terraform applies. */
function opened(args: Args, kinds: Kinds, roll: Roll): Args {
  const open = (value: unknown, kind: Kind | undefined): unknown => {
    if (kind === undefined || value === undefined || value instanceof Reference) return value;
    if (typeof kind === "object") {
      const below = "block" in kind ? kind.block : kind.blocks;
      if (Array.isArray(value)) return value.map((each: Args) => opened(each, below, roll));
      return isRecord(value) ? opened(value, below, roll) : value;
    }
    if (roll(12) === 0) return new Open(value);
    if (kind !== "map" || !isRecord(value)) return value;
    const each = Object.entries(value).map(([key, element]) => [key, open(element, "string")]);
    return Object.fromEntries(each) as Args;
  };
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, open(value, kinds[name])]),
  );
}
