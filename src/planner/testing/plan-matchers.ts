import type { ResourceChange } from "../changes/changes";
import { countsText } from "../changes/changes-text";
import {
  actionSentence,
  forcingPaths,
  isIn,
  isNoAnswerError,
  mismatches,
  noAnswerError,
  Plan,
  type PlannedInstance,
  type PlanTarget,
  settledPaths,
} from "./plan";

/** The expectations of a plan. Each fails, even after `not`, if the stack has errors or the plan has no answer. */
export interface PlanMatchers<R = void> {
  /** Creates each resource. */
  toCreate(resource: PlanTarget): R;
  /**
   * Updates each resource in place.
   *
   * @param attributes all attributes that change, such as `severity` or `labels.team`; `labels` includes its members.
   * Attributes that the provider or the apply decides can be left out. @default any
   */
  toUpdate(resource: PlanTarget, attributes?: readonly string[]): R;
  /**
   * Destroys each resource, and creates it again.
   *
   * @param because all attributes that force it. @default any
   */
  toReplace(resource: PlanTarget, because?: string | readonly string[]): R;
  /** Destroys each resource, and does not create it again. */
  toDestroy(resource: PlanTarget): R;
  /** Does not change any resource, except for its address. */
  toKeep(resource: PlanTarget): R;
  /** Changes no resource, except for addresses, and no output. */
  toChangeNothing(): R;
  /** Finds an error of a resource, a provider or an output. @param text a part of it. @default any */
  toRefuse(resource: PlanTarget, text?: string | RegExp): R;
  /** Finds a warning about a resource, a provider or an output. @param text a part of it. @default any */
  toWarnAbout(resource: PlanTarget, text?: string | RegExp): R;
}

/** The matchers for plans, for `expect.extend(planMatchers)` in jest and vitest. */
export const planMatchers = {
  toCreate(this: MatcherContext, received: unknown, resource: PlanTarget): Verdict {
    return forEach(this, received, { name: "toCreate", resource }, "create");
  },
  toUpdate(
    this: MatcherContext,
    received: unknown,
    resource: PlanTarget,
    attributes?: readonly string[],
  ): Verdict {
    const problemsOf = (change: ResourceChange): readonly string[] => {
      const certain = planIn(received).certainPaths(change.address);
      const { changed, settled } = settledPaths(change, certain);
      const { missing, extra } = mismatches(attributes ?? [], changed, settled);
      return [
        ...missing.map((path) => `It does not change ${path}.`),
        ...extra.map((path) => `It also changes ${path}.`),
      ];
    };
    const question = { name: "toUpdate", resource, more: attributes };
    return forEach(this, received, question, "update", attributes && problemsOf);
  },
  toReplace(
    this: MatcherContext,
    received: unknown,
    resource: PlanTarget,
    because?: string | readonly string[],
  ): Verdict {
    const problemsOf = (change: ResourceChange): readonly string[] => {
      const forcing = forcingPaths(change);
      const { missing, extra } = mismatches([because ?? []].flat(), forcing, forcing);
      return [
        ...missing.map((path) => `${path} does not force it.`),
        ...extra.map((path) => `${path} forces it, too.`),
      ];
    };
    const question = { name: "toReplace", resource, more: because };
    const isDetailed = because !== undefined;
    return forEach(this, received, question, "replace", isDetailed ? problemsOf : undefined);
  },
  toDestroy(this: MatcherContext, received: unknown, resource: PlanTarget): Verdict {
    return forEach(this, received, { name: "toDestroy", resource }, "delete");
  },
  toKeep(this: MatcherContext, received: unknown, resource: PlanTarget): Verdict {
    return forEach(this, received, { name: "toKeep", resource }, "keep");
  },
  toChangeNothing(this: MatcherContext, received: unknown): Verdict {
    return answered(this, { name: "toChangeNothing" }, () => {
      const plan = planIn(received);
      const { resources, outputs, counts } = withoutErrors(plan);
      const hidden = plan.notPlanned.filter(({ address }) => !address.startsWith("data."));
      if (hidden.length > 0) {
        throw noAnswerError(
          "NO_ANSWER",
          `Parts of the stack are not planned, so they may change:\n\n${plan.textOf({ notPlanned: hidden })}`,
        );
      }
      const changed = resources.filter(({ action }) => action !== "move" && action !== "read");
      for (const change of changed) plan.requireKnown(change, false);
      const isMet = changed.length === 0 && outputs.length === 0;
      const part = { changes: { resources: changed, outputs, counts }, renames: plan.renames };
      const what = countsText(counts) || "other changes";
      const found = isMet ? "The plan changes nothing." : `The plan has ${what}:`;
      return { isMet, found: `${found}\n${isMet ? "" : plan.textOf(part)}` };
    });
  },
  toRefuse: finding("toRefuse", "error"),
  toWarnAbout: finding("toWarnAbout", "warning"),
};

/**
 * Answers whether all resources have an action or, after `not`, none.
 *
 * @param problemsOf describes what is not as expected in a change with this action. @default nothing else is asked
 */
function forEach(
  context: MatcherContext,
  received: unknown,
  question: TargetQuestion,
  action: ResourceChange["action"] | "keep",
  problemsOf?: (change: ResourceChange) => readonly string[],
): Verdict {
  const target = question.resource;
  const isSo = (change: ResourceChange | undefined): boolean =>
    action === "keep"
      ? change === undefined || change.action === "move"
      : change?.action === action;
  const problemsIn = (change: ResourceChange | undefined): readonly string[] =>
    change !== undefined && isSo(change) ? (problemsOf?.(change) ?? []) : [];
  return answered(context, question, () => {
    const plan = planIn(received);
    const { counts } = withoutErrors(plan);
    const planned = plan.plannedFor(target);
    for (const [, change] of planned) plan.requireKnown(change, problemsOf !== undefined);
    const isNot = context.isNot === true;
    const wrong = planned.filter(
      ([, change]) => (isSo(change) && problemsIn(change).length === 0) === isNot,
    );
    const sentences = wrong.flatMap(([address, change]) => [
      actionSentence(address, change),
      ...problemsIn(change),
    ]);
    const none = planned.length === 0 ? [`${shownTarget(target)} has no instances.`] : [];
    const resources = wrong.flatMap(([, change]) => change ?? []);
    const renames = plan.renames.filter(
      ({ from, to }) => isAbout(wrong, from) || isAbout(wrong, to),
    );
    const part = { changes: { resources, outputs: [], counts }, renames };
    return {
      isMet: isNot ? wrong.length > 0 : planned.length > 0 && wrong.length === 0,
      found: [...none, ...sentences, plan.textOf(part)].join("\n"),
    };
  });
}

const isAbout = (planned: readonly PlannedInstance[], address: string): boolean =>
  planned.some(([each]) => each === address);

function withoutErrors(plan: Plan): NonNullable<Plan["changes"]> {
  if (plan.changes !== undefined) return plan.changes;
  const diagnostics = plan.diagnostics.filter(({ severity }) => severity === "error");
  throw noAnswerError(
    "NO_ANSWER",
    `The stack has errors, so it is not planned:\n\n${plan.textOf({ diagnostics })}`,
  );
}

/** Creates a matcher for errors or warnings. */
function finding(name: string, severity: "error" | "warning") {
  return function (
    this: MatcherContext,
    received: unknown,
    resource: PlanTarget,
    text?: string | RegExp,
  ): Verdict {
    return answered(this, { name, resource, more: text }, () => {
      const plan = planIn(received);
      const addresses = plan.addressesOf(resource);
      const all = plan.diagnostics.filter((each) => each.severity === severity);
      const diagnostics = all.filter(
        ({ address = "", summary, detail }) =>
          addresses.some((each) => isIn(each, address)) &&
          contains(`${summary}\n${detail}`, text ?? ""),
      );
      const others = all.length === 0 ? ` The plan has no ${severity}.` : ` The plan has these:\n`;
      const [isMet, article] = [diagnostics.length > 0, severity === "error" ? "an" : "a"];
      const found = isMet
        ? `There is such ${article} ${severity}:\n\n${plan.textOf({ diagnostics })}`
        : `There is no such ${severity}.${others}\n${plan.textOf({ diagnostics: all })}`;
      return { isMet, found };
    });
  };
}

const contains = (whole: string, part: string | RegExp): boolean =>
  typeof part === "string" ? whole.includes(part) : part.test(whole);

interface MatcherContext {
  /** True after `not`. */
  readonly isNot?: boolean;
}

interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

interface Question {
  readonly name: string;
  readonly resource?: PlanTarget;
  /** The last argument. */
  readonly more?: string | readonly string[] | RegExp | undefined;
}

interface TargetQuestion extends Question {
  readonly resource: PlanTarget;
}

interface Answer {
  readonly isMet: boolean;
  /** What the plan does instead. */
  readonly found: string;
}

/** Answers a matcher's question. Without an answer, it fails even after `not`. */
function answered(
  { isNot = false }: MatcherContext,
  { name, resource, more }: Question,
  answer: () => Answer,
): Verdict {
  const target = resource === undefined ? undefined : shownTarget(resource);
  const last = more instanceof RegExp ? String(more) : JSON.stringify(more);
  const args = [target, last].filter((each) => each !== undefined).join(", ");
  const call = `expect(plan)${isNot ? ".not" : ""}.${name}(${args})`;
  const message = (found: string) => (): string => `${call}\n\n${found.trimEnd()}\n`;
  try {
    const { isMet, found } = answer();
    return { pass: isMet, message: message(found) };
  } catch (error) {
    if (!isNoAnswerError(error)) throw error;
    return { pass: isNot, message: message(error.message) };
  }
}

/** @throws NoAnswerError if it is not a plan */
function planIn(received: unknown): Plan {
  if (received instanceof Plan) return received;
  throw noAnswerError(
    "NO_ANSWER",
    "This matcher needs a plan, but got something else. Write `expect(await planOf(stack))`.",
  );
}

const shownTarget = (target: PlanTarget): string =>
  typeof target === "string" ? target : target.node.path;
