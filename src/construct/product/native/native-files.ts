import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { TerraformStack, type ISynthesisSession, type IStackSynthesizer } from "cdktf";
import type { IConstruct } from "constructs";
import { type Declaration, wireName, type Fields } from "../../../schema";
import { isObject } from "../../../json/is-object";
import { sliceOf, type Dialect } from "../dialect";
import type { Product } from "../product";
import type { Vocabulary } from "../vocabulary";
import { configurationParts } from "./configuration-parts";
import { nativeBlock, type Grammar, type Json } from "./native-block";

/** The data sources of a stack that may stand in native files, by their types in Terraform. */
interface NativeFiles {
  readonly grammars: Map<string, Grammar>;
  /** The types that each file is made for. */
  readonly types: Map<string, Set<string>>;
}

const stacks = new WeakMap<TerraformStack, NativeFiles>();

/**
 * Has the files of a product's platform (`ProductProvider.nativeFiles`) written beside the JSON of a
 * construct's stack, and removed when there is nothing for them any more.
 *
 * It is a step after the stack's own synthesizer: what only reads the configuration, as `Testing.synth`
 * does, finds everything in it.
 */
export function writeNativeFiles(
  construct: IConstruct,
  declaration: Declaration,
  { product, dialect }: { readonly product: Product; readonly dialect: Dialect | undefined },
): void {
  const files = product.providers[sliceOf(declaration)]?.nativeFiles;
  if (files === undefined) return;
  const { grammars, types } = filesOf(TerraformStack.of(construct));
  for (const file of Object.values(files)) types.set(file, types.get(file) ?? new Set());
  if (declaration.kind !== "data source") return;
  const type = dialect?.type ?? declaration.type;
  if (!grammars.has(type)) grammars.set(type, declaredGrammar(declaration, dialect?.toProduct));
  const own = files[declaration.type];
  if (own !== undefined) types.get(own)?.add(type);
}

function filesOf(stack: TerraformStack): NativeFiles {
  const known = stacks.get(stack);
  if (known !== undefined) return known;
  const made: NativeFiles = { grammars: new Map(), types: new Map() };
  stacks.set(stack, made);
  stack.synthesizer = new Synthesizer(stack, stack.synthesizer, made);
  return made;
}

class Synthesizer implements IStackSynthesizer {
  constructor(
    readonly stack: TerraformStack,
    readonly own: IStackSynthesizer,
    readonly files: NativeFiles,
  ) {}

  synthesize(session: ISynthesisSession): void {
    this.own.synthesize(session);
    const { synthesizedStackPath } = session.manifest.forStack(this.stack);
    const main = join(session.outdir, synthesizedStackPath);
    for (const [file, types] of this.files.types) this.#write(main, file, types);
  }

  /** Terraform reads both files as one configuration. */
  #write(main: string, file: string, types: ReadonlySet<string>): void {
    const path = join(dirname(main), file);
    const { grammars } = this.files;
    const configuration = types.size === 0 ? undefined : jsonIn(main);
    const { rest, taken } =
      configuration === undefined
        ? { rest: {}, taken: [] }
        : configurationParts(configuration, types, new Set(grammars.keys()));
    const isForeign = existsSync(path) && !readFileSync(path, "utf8").startsWith(header);
    if (taken.length === 0) {
      if (!isForeign) rmSync(path, { force: true });
      return;
    }
    if (isForeign) {
      throw new Error(
        `${path} was not made by a synthesis, and would be overwritten with what the platform reads ` +
          "from this file alone: move it out of the output folder.",
      );
    }
    const blocks = taken.flatMap(({ type, name, body }) => {
      const grammar = grammars.get(type);
      return grammar === undefined ? [] : [nativeBlock(`data "${type}" "${name}"`, body, grammar)];
    });
    writeFileSync(path, [header, ...blocks].join("\n"));
    writeFileSync(main, JSON.stringify(rest, undefined, 2));
  }
}

const header = `# A part of the stack that the platform reads from native syntax alone; the rest is in the JSON.
# Made at synthesis: changes here are lost.
`;

/** Undefined where the stack is no JSON: in native syntax everything is where the platform looks. */
function jsonIn(path: string): Json | undefined {
  if (!path.endsWith(".json") || !existsSync(path)) return undefined;
  const configuration: unknown = JSON.parse(readFileSync(path, "utf8"));
  return isObject(configuration) ? configuration : undefined;
}

/**
 * The blocks of a declaration.
 *
 * @param vocabulary how a product spells their names; undefined for our own
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
