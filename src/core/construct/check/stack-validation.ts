import { type TerraformStack, TerraformProvider } from "cdktf";
import type { IConstruct } from "constructs";
import { classNameOf, type Finding } from "../../schema";
import { isRecord, type Properties } from "../../json/plain-json";
import { type Dialect, sliceOf } from "../product/dialect";
import type { Binding } from "../cdktf-internals/binding";
import { explainValidation } from "../cdktf-internals/stack";
import { AppView } from "./app-view";
import { checkValues } from "./check-values";
import type {
  ConstructType,
  StackContext,
  StackFinding,
  StackMember,
  Wrapper,
} from "./construct-type";
import { nameClashes } from "./name-clash";
import { secretOutputs } from "./secret-outputs";
import { declaredValues } from "./synthesized-values";
import { lineOf, type Traced, withUserStack } from "./user-stack";
import { noteStale, warn } from "./annotations";
import { addRemarks, describeFindings, remarksOf } from "./validation-error";

interface Watched {
  readonly construct: Wrapper;
  readonly type: ConstructType;
  /** Another product's names for it; undefined for our own. */
  readonly dialect: Dialect | undefined;
  /** The arguments of the construct, which its constructor checked. */
  readonly given: Properties;
  readonly created: Traced;
}

const watched = new WeakMap<IConstruct, Watched>();
const stacks = new WeakSet<IConstruct>();

/** Checks a construct again when its stack is validated, on its own and together with others. */
export function watch(stack: TerraformStack, entry: Watched): void {
  watched.set(entry.construct, entry);
  watchStack(stack);
}

/** Checks a stack when it is validated. */
export function watchStack(stack: TerraformStack): void {
  if (stacks.has(stack)) return;
  stacks.add(stack);
  stack.node.addValidation({ validate: () => validate(stack).map(({ text }) => text) });
  failShortly(stack);
}

interface Problem {
  readonly text: string;
  readonly path: string;
  readonly errors: readonly Finding[];
}

/**
 * Returns the problems of a stack. cdktf stops at the first stack that has any, so those of all other stacks
 * of the app are included: users see them all together.
 */
function validate(stack: TerraformStack): readonly Problem[] {
  const app = new AppView(stack.node.root);
  const own = problems(stack, app);
  noteStale(stack, () => app.stacks.findLast((other) => stacks.has(other)) === stack);
  if (own.length === 0) return [];
  return [
    ...own,
    ...app.stacks.filter((other) => other !== stack).flatMap((other) => problems(other, app)),
  ];
}

function problems(stack: TerraformStack, app: AppView): readonly Problem[] {
  const context = app.contextOf(stack);
  const here = context.nodesOf().flatMap((node) => watched.get(node) ?? []);
  const found = new Map<Wrapper, Finding[]>();
  for (const { construct, finding } of findings(context, app, here)) {
    found.set(construct, [...(found.get(construct) ?? []), finding]);
  }
  if (found.size === 0) return [];
  return here.flatMap((each) => report(each, found.get(each.construct) ?? []));
}

function* findings(
  context: StackContext,
  app: AppView,
  here: readonly Watched[],
): Generator<StackFinding> {
  const members = new Map<Wrapper, StackMember>();
  for (const { construct, type, dialect, given } of here) {
    const declaration = dialect?.declaration ?? type.declaration;
    const body = app.bodyOf(construct.resource);
    if (body === undefined) continue;
    const values = declaredValues(body, declaration, dialect?.toOurs);
    members.set(construct, { construct, type, values });
    // Unchanged values were checked in the constructor, which also showed the warnings.
    if (sameValues(values, given)) continue;
    for (const finding of checkValues(declaration, values)) {
      if (finding.severity === "error") yield { construct, finding };
    }
  }
  for (const rule of new Set(here.flatMap(({ type }) => type.stackRules))) {
    const concerned = here.filter(({ type }) => type.stackRules.includes(rule));
    yield* rule(
      concerned.flatMap(({ construct }) => members.get(construct) ?? []),
      context,
    );
  }
  yield* nameClashes(context, members.keys());
  yield* missingProviders(context, app, here);
  yield* secretOutputs(context, here);
}

function report({ construct, type, created }: Watched, all: readonly Finding[]): Problem[] {
  const errors = all.filter(({ severity }) => severity === "error");
  for (const finding of all) {
    if (finding.severity === "warning") warn(construct, finding);
  }
  if (errors.length === 0) return [];
  const { path } = construct.node;
  const described = describeFindings({ type: type.name, path }, errors);
  const line = lineOf(created);
  return [{ text: line === undefined ? described : `${described}\n    ${line}`, path, errors }];
}

/** Compares two values as Terraform does. Properties that are undefined do not count. */
function sameValues(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isRecord(a) || !isRecord(b)) return false;
  if (Array.isArray(a) !== Array.isArray(b) || "resolve" in a || "resolve" in b) return false;
  for (const name in a) if (!sameValues(a[name], b[name])) return false;
  for (const name in b) if (b[name] !== undefined && !(name in a)) return false;
  return true;
}

/**
 * Reduces the stack trace of a failed validation of a stack to the user's own lines.
 *
 * cdktf throws one error for all problems of a stack. The rest of its stack trace says nothing about them.
 * Tools get the problems as data, unless other validations have found more.
 */
function failShortly(stack: TerraformStack): void {
  explainValidation(stack, (error) => {
    const all = stack.node.findAll().flatMap(({ node }) => node.validate());
    const ours = validate(stack);
    const found = ours.flatMap(({ path, errors }) => remarksOf(errors, path));
    if (all.length === ours.length) addRemarks(error, found);
    return withUserStack(error);
  });
}

function isProviderSet(binding: Binding): boolean {
  const provider: unknown = "provider" in binding ? binding.provider : undefined;
  return provider !== undefined;
}

/**
 * Finds the first construct of each provider that the stack lacks.
 *
 * cdktf has such a check, which suggests a provider of another package. `withoutProviderCheck` turns it off
 * for our constructs.
 */
function* missingProviders(
  context: StackContext,
  app: AppView,
  elements: readonly Watched[],
): Generator<StackFinding> {
  const providers = context.nodesOf().filter((node) => TerraformProvider.isTerraformProvider(node));
  const found = new Set<string>();
  for (const { construct, type, dialect } of elements) {
    const slice = sliceOf(type.declaration);
    const name = dialect?.provider ?? slice;
    // A module requires its providers itself.
    if (/^(?:provider|module)$/.test(type.declaration.kind) || found.has(name)) continue;
    const own = providers.filter((each) => each.terraformGeneratorMetadata?.providerName === name);
    const isChosen =
      isProviderSet(construct.resource) ||
      app.bodyOf(construct.resource)?.["provider"] !== undefined;
    if (own.some(({ alias }) => isChosen || alias === undefined)) continue;
    found.add(name);
    const className = classNameOf({ kind: "provider", type: slice });
    const added = `\`new ${slice}.${className}(this, "${slice}", { … })\``;
    const message =
      own.length === 0
        ? `needs a provider in its stack: add ${added}`
        : `needs the default provider, but those in its stack have an alias: pass one as \`provider\`, or add ${added}`;
    yield { construct, finding: { code: "MISSING", severity: "error", path: [], message } };
  }
}
