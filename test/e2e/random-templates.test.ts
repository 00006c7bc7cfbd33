import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DataResource, type TerraformStack, Testing, Token } from "cdktf";
import * as fc from "fast-check";
import { providerRoutes } from "../../src/core/provider-kit";
import { startReattach } from "../../src/core/provider-kit/host/reattach";
import type { Fields } from "../../src/core/schema";
import { isRecord } from "../../src/core/json/plain-json";
import { provider } from "../../src/core/workspace/provider-definition";
import { type Args, type Noun, wireNameIn } from "../core/workspace/tables";
import { declared } from "../core/workspace/template/property/construct-side";
import { Reference, settled } from "../core/workspace/template/property/open";
import {
  nounOf,
  type Part,
  type Template,
  validTemplate,
} from "../core/workspace/template/property/template";
import { escaped } from "../core/workspace/template/property/text";
import { declarationOf } from "../core/workspace/provider/noun-run";
import type { TokenOf } from "../accept/with-tokens";
import { startCommand, succeeded } from "./support/command";
import { tools } from "./support/tool";

/** Each is a template; all of them are planned by one Terraform. */
const seeds = [1, 2, 3, 4, 5];

const templates = seeds.flatMap((seed) =>
  fc.sample(validTemplate({ open: true }), { seed, numRuns: 1 }),
);

/** The parts of all templates under names that none shares with another. */
function joined(all: readonly Template[]): Template {
  const parts = all.flatMap((template, index) => {
    const named = (id: string): string => `t${index}${id}`;
    return template.parts.map((part) => ({
      ...part,
      id: named(part.id),
      args: settled(part.args, (open) =>
        open instanceof Reference ? new Reference(named(open.part), open.output) : open,
      ),
    }));
  });
  return { settings: { url: "https://platform.example.org" }, parts };
}

/** Values that Terraform knows only when a resource is made, all of one resource. */
function madeLater(): {
  readonly values: unknown[];
  readonly in: (stack: TerraformStack) => TokenOf;
} {
  const values: unknown[] = [];
  const written = (_key: string, value: unknown): unknown =>
    typeof value === "bigint" ? String(value) : value;
  return {
    values,
    in: (stack) => {
      const text = Token.asString({
        creationStack: [],
        resolve: () => escaped(JSON.stringify(values, written)),
      });
      new DataResource(stack, "later", { input: { text } });
      return (kind, value) => {
        const expression = `\${jsondecode(terraform_data.later.output.text)[${values.push(value) - 1}]}`;
        if (kind === "string") return expression;
        if (kind === "number") return Token.asNumber(expression);
        return kind === "map" ? Token.asStringMap(expression) : Token.asAny(expression);
      };
    },
  };
}

const folder = mkdtempSync(join(tmpdir(), "trivet-e2e-random-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface State {
  readonly values: {
    readonly root_module: {
      readonly resources: readonly { readonly address: string; readonly values: Args }[];
    };
  };
}

it.each(tools)("random templates keep every value from construct to state, by %s", async (tool) => {
  const template = joined(templates);
  const { stack, errors } = declared(template, madeLater().in);
  expect([...errors]).toEqual([]);
  const work = join(folder, tool);
  mkdirSync(work);
  writeFileSync(join(work, "main.tf.json"), Testing.synth(stack));
  const attached = await startReattach({
    source: "trivet.local/trivet/workspace",
    routes: providerRoutes(provider, {}),
    env: {},
  });
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    TF_CLI_CONFIG_FILE: "/dev/null",
    TF_INPUT: "0",
    TF_CLI_ARGS: "-no-color",
    CHECKPOINT_DISABLE: "1",
    ...attached.env,
  };
  const run = (...args: string[]) =>
    succeeded(`${tool} ${args.join(" ")}`, startCommand(tool, args, { cwd: work, env }));
  try {
    await run("apply", "-auto-approve");
    const state = JSON.parse((await run("show", "-json")).stdout) as State;
    const found = new Map(
      state.values.root_module.resources.map(({ address, values }) => [address, values]),
    );
    for (const part of template.parts) expectKept(part, found);
    await run("plan", "-detailed-exitcode");
  } finally {
    attached.close();
  }
});

const addressOf = ({ kind, typeName }: Noun, id: string): string =>
  `${kind === "resource" ? "" : "data."}${typeName}.${id}`;

function expectKept({ id, type, args }: Part, found: ReadonlyMap<string, Args>): void {
  const noun = nounOf(type);
  const known = settled(args, (open) => {
    if (!(open instanceof Reference)) return open.value;
    const [address] = [...found.keys()].filter((each) => each.endsWith(`.${open.part}`));
    return found.get(address ?? "")?.["id"];
  });
  const state = found.get(addressOf(noun, id)) ?? {};
  expect([id, kept(declarationOf(noun), known, state, noun)]).toEqual([
    id,
    given(declarationOf(noun), known, noun),
  ]);
}

/** What was given, under Terraform's names. */
function given({ attributes, blocks = {} }: Fields, args: Args, noun: Noun): Args {
  const all = Object.entries(args).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    all.map(([name, value]) => {
      const wire = wireNameIn(noun, name);
      const fields = blocks[name]?.fields;
      // JSON's numbers are read as doubles.
      if (fields === undefined) return [wire, numberOf(attributes[name]?.type.kind, value)];
      const elements = (Array.isArray(value) ? value : [value]) as readonly Args[];
      return [wire, sorted(elements.map((element) => given(fields, element, noun)))];
    }),
  );
}

const numberOf = (kind: string | undefined, value: unknown): unknown =>
  kind === "integer" ? Number(value) : value;

/** The part of a state that was given. */
function kept({ blocks = {} }: Fields, args: Args, state: Args, noun: Noun): Args {
  const names = Object.keys(args).filter((name) => args[name] !== undefined);
  return Object.fromEntries(
    names.map((name) => {
      const wire = wireNameIn(noun, name);
      const fields = blocks[name]?.fields;
      const value = state[wire];
      if (fields === undefined || !Array.isArray(value)) return [wire, value];
      const asked = (Array.isArray(args[name]) ? args[name] : [args[name]]) as readonly Args[];
      const inState = value.filter(isRecord);
      // The elements of a set come in an order of their own.
      const elements = asked.map((element, index) =>
        kept(
          fields,
          element,
          inState.find((each) => pathOf(each) !== "" && pathOf(each) === pathOf(element)) ??
            inState[index] ??
            {},
          noun,
        ),
      );
      return [wire, sorted(elements.slice(0, value.length))];
    }),
  );
}

const sorted = (elements: readonly Args[]): readonly Args[] =>
  [...elements].sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1));

/** What tells the elements of a set apart. */
const pathOf = ({ path }: Args): string => (typeof path === "string" ? path : "");
