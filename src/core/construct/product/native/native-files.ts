import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type IStackSynthesizer,
  type ISynthesisSession,
  TerraformDataSource,
  type TerraformStack,
} from "cdktf";
import { withEscapedTemplates } from "../../../hcl/template-sequences";
import {
  isObject,
  parseTrustedJson,
  type Properties,
  propertiesOf,
} from "../../../json/plain-json";
import { type Declaration, type Fields, wireName } from "../../../schema";
import { attributeNames } from "../../cdktf-internals/binding";
import { addressOf } from "../../graph/address";
import { type Dialect, productType, sliceOf } from "../dialect";
import type { ProductProvider } from "../product";
import type { Vocabulary } from "../vocabulary";
import { configurationParts, type ConfigurationParts, type Referable } from "./configuration-parts";
import {
  attributesOnly,
  type BareNames,
  type Grammar,
  metaReferences,
  nativeBlock,
  nativeValue,
} from "./native-block";

/** The blocks that the platform reads only in native syntax, by their types in Terraform. */
interface NativeFiles {
  readonly grammars: Map<string, Grammar>;
  readonly files: Map<string, string>;
}

const stacks = new WeakMap<TerraformStack, NativeFiles>();

/**
 * Writes the files that a product's platform requires (`ProductProvider.nativeFiles`) next to the JSON of
 * a stack, and removes them when they would be empty.
 *
 * This happens after the stack's own synthesizer: code that only reads the configuration, such as
 * `Testing.synth`, finds everything in it.
 */
export function writeNativeFiles(
  stack: TerraformStack,
  declaration: Declaration,
  provider: ProductProvider,
  dialect: Dialect | undefined,
): void {
  const { grammars, files } = filesOf(stack);
  for (const [type, file] of Object.entries(provider.nativeFiles ?? {})) {
    files.set(productType(provider, sliceOf(declaration), type), file);
  }
  if (declaration.kind !== "data source") return;
  const type = dialect?.type ?? declaration.type;
  if (!grammars.has(type)) grammars.set(type, declaredGrammar(declaration, dialect?.toProduct));
}

function filesOf(stack: TerraformStack): NativeFiles {
  const known = stacks.get(stack);
  if (known !== undefined) return known;
  const created: NativeFiles = { grammars: new Map(), files: new Map() };
  stacks.set(stack, created);
  stack.synthesizer = new Synthesizer(stack, stack.synthesizer, created);
  return created;
}

class Synthesizer implements IStackSynthesizer {
  constructor(
    readonly stack: TerraformStack,
    readonly own: IStackSynthesizer,
    readonly native: NativeFiles,
  ) {}

  synthesize(session: ISynthesisSession): void {
    this.own.synthesize(session);
    const { synthesizedStackPath } = session.manifest.forStack(this.stack);
    const main = join(session.outdir, synthesizedStackPath);
    const { rest, taken } = this.#parts(jsonIn(main) ?? {});
    const files = [...new Set(this.native.files.values())].map((file) => {
      const blocks = taken.get(file) ?? [];
      return { path: join(dirname(main), file), blocks };
    });
    for (const { path, blocks } of files) {
      if (blocks.length > 0 && isForeign(path)) throw overwriting(path);
    }
    for (const { path, blocks } of files) {
      if (blocks.length > 0) {
        const written = nativeConfiguration(
          blocks,
          (each) => this.#grammarOf(each) ?? attributesOnly,
        );
        writeFileSync(path, [header, ...written].join("\n"));
      } else if (!isForeign(path)) rmSync(path, { force: true });
    }
    if (taken.size > 0) writeFileSync(main, JSON.stringify(withPaths(rest, taken), undefined, 2));
  }

  #parts(configuration: Properties): ConfigurationParts {
    return configurationParts(
      configuration,
      this.native.files,
      (block) => block.section !== "data" || this.#grammarOf(block) !== undefined,
    );
  }

  #grammarOf({ labels: [type = "", name = ""], body }: Referable): Grammar | undefined {
    const own = this.native.grammars.get(type);
    if (own !== undefined || !isObject(body)) return own;
    const address = `data.${type}.${name}`;
    return hasOnlyAttributes(this.stack, address, body) ? attributesOnly : undefined;
  }
}

/**
 * Adds the paths of the constructs whose blocks are in other files, because native syntax keeps no comments. Reports of
 * commands contain them.
 */
function withPaths(rest: Properties, taken: ConfigurationParts["taken"]): Properties {
  const paths = [...taken.values()].flat().flatMap(({ labels, body }) => {
    const { path } = propertiesOf(propertiesOf(propertiesOf(body)["//"])["metadata"]);
    return typeof path === "string" ? [[["data", ...labels].join("."), path] as const] : [];
  });
  return { ...rest, "//": { ...propertiesOf(rest["//"]), native: Object.fromEntries(paths) } };
}

const isForeign = (path: string): boolean =>
  existsSync(path) && !readFileSync(path, "utf8").startsWith(header);

const overwriting = (path: string): Error =>
  new Error(
    `${path} was not generated by a synthesis and would be overwritten: the platform reads parts of ` +
      "the stack from this file only. Move it out of the output folder.",
  );

const header = `# A part of the stack that the platform reads from native syntax alone; the rest is in the JSON.
# Made at synthesis: changes here are lost.
`;

/** Reads a stack in JSON. Returns undefined for native syntax, in which the platform finds everything. */
function jsonIn(path: string): Properties | undefined {
  if (!path.endsWith(".json") || !existsSync(path)) return undefined;
  const configuration = parseTrustedJson(readFileSync(path, "utf8"));
  return isObject(configuration) ? configuration : undefined;
}

/**
 * Returns the grammar of a declaration's blocks.
 *
 * @param vocabulary a product's names for them; undefined for our own
 */
export function declaredGrammar({ blocks = {} }: Fields, vocabulary?: Vocabulary): Grammar {
  const inside = new Map<string, Grammar>();
  for (const [name, block] of Object.entries(blocks)) {
    const ours = wireName(name, block);
    const grammar = declaredGrammar(block.fields, vocabulary?.inside.get(ours));
    inside.set(vocabulary?.names.get(ours) ?? ours, grammar);
  }
  return (name) => inside.get(name);
}

const metaArguments = new Set(["//", "count", "depends_on", "for_each", "lifecycle", "provider"]);

/**
 * Checks whether the body of a data source of another provider contains only attributes.
 *
 * An object in JSON can be an attribute or a block, and only the provider's schema says which. A binding
 * knows the names of some attributes. Returns false if in doubt: platforms take the values of these data
 * sources from a plan, and do not need to see the content.
 */
function hasOnlyAttributes(stack: TerraformStack, address: string, body: Properties): boolean {
  // Its `config` and `defaults` are attributes.
  if (address.startsWith("data.terraform_remote_state.")) return true;
  const open = Object.entries(body).filter(
    ([name, value]) => !metaArguments.has(name) && containsObject(value),
  );
  if (open.length === 0) return true;
  const binding = stack.node
    .findAll()
    .filter((each) => TerraformDataSource.isTerraformDataSource(each))
    .find((each) => addressOf(each) === address);
  const known = binding === undefined ? new Set() : attributeNames(binding);
  return open.every(([name]) => known.has(name));
}

const containsObject = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(containsObject) : isObject(value);

/** Converts blocks of Terraform's JSON to native syntax. */
export function nativeConfiguration(
  blocks: readonly Referable[],
  grammarOf: (dataSource: Referable) => Grammar,
): string[] {
  const locals = blocks.filter(({ section }) => section === "locals");
  return [
    ...inSection(blocks, "variable").map(([head, body]) =>
      nativeBlock(head, literalVariable(body), variable, typeExpression),
    ),
    ...(locals.length === 0 ? [] : [nativeLocals(locals)]),
    ...inSection(blocks, "module").map(([head, body]) => nativeBlock(head, body, attributesOnly)),
    ...inSection(blocks, "data").map(([head, body, block]) =>
      nativeBlock(head, body, grammarOf(block), metaReferences),
    ),
  ];
}

function inSection(
  blocks: readonly Referable[],
  wanted: Referable["section"],
): (readonly [head: string, body: Properties, block: Referable])[] {
  return blocks.flatMap((block) => {
    const { section, labels, body } = block;
    if (section !== wanted || !isObject(body)) return [];
    return [[[section, ...labels.map((label) => JSON.stringify(label))].join(" "), body, block]];
  });
}

function nativeLocals(locals: readonly Referable[]): string {
  const lines = locals.map(
    ({ labels: [name = ""], body }) => `  ${name} = ${nativeValue(body, "  ")}\n`,
  );
  return `locals {\n${lines.join("")}}\n`;
}

const variable: Grammar = (name) => (name === "validation" ? attributesOnly : undefined);

/** A type is a special kind of expression. */
const typeExpression: BareNames = new Set(["type"]);

/** The arguments of a variable that Terraform reads as expressions; it takes all others literally. */
const expressions = new Set(["type", "validation"]);

const literalVariable = (body: Properties): Properties =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      expressions.has(name) ? value : withEscapedTemplates(value),
    ]),
  );
