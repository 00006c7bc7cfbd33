import type { ResourceChange } from "../changes/changes";
import { countsText } from "../changes/changes-text";
import {
  actionSentence,
  forcingPaths,
  mismatches,
  settledPaths,
  isIn,
  type Plan,
  type PlannedInstance,
  type PlanTarget,
  noAnswerError,
} from "./plan";
import {
  answered,
  type MatcherContext,
  planIn,
  type Question,
  shownTarget,
  type Verdict,
} from "./matcher-answer";

/** What can be expected of a plan. Each fails, also after `not`, if the stack has errors or if the plan does not know. */
export interface PlanMatchers<R = void> {
  /** Creates each resource. */
  toCreate(resource: PlanTarget): R;
  /**
   * Updates each resource in place.
   *
   * @param attributes the attributes that change, all of them, such as `severity` or `labels.team`; `labels` stands for
   * all in it. What the provider decides, and what is known after the apply only, can be left out. @default any
   */
  toUpdate(resource: PlanTarget, attributes?: readonly string[]): R;
  /**
   * Destroys each resource, and creates it again.
   *
   * @param because the attributes that force it, all of them. @default any
   */
  toReplace(resource: PlanTarget, because?: string | readonly string[]): R;
  /** Destroys each resource, and does not create it again. */
  toDestroy(resource: PlanTarget): R;
  /** Leaves each resource as it is. It may have another address. */
  toKeep(resource: PlanTarget): R;
  /** Changes no resource and no output. Resources may have other addresses. */
  toChangeNothing(): R;
  /** Finds an error of a resource, a provider or an output. @param text a part of it. @default any */
  toRefuse(resource: PlanTarget, text?: string | RegExp): R;
  /** Finds a warning about a resource, a provider or an output. @param text a part of it. @default any */
  toWarnAbout(resource: PlanTarget, text?: string | RegExp): R;
}

/** The matchers for plans, for `expect.extend(planMatchers)` in jest and in vitest. */
export const planMatchers = {
  toCreate(this: MatcherContext, received: unknown, resource: PlanTarget): Verdict {
    return forEach(this, received, { name: "toCreate", args: [shownTarget(resource)] }, resource, {
      isMet: (change) => change?.action === "create",
    });
  },
  toUpdate(
    this: MatcherContext,
    received: unknown,
    resource: PlanTarget,
    attributes?: readonly string[],
  ): Verdict {
    const args = [shownTarget(resource), ...shown(attributes)];
    return forEach(this, received, { name: "toUpdate", args }, resource, {
      isDetailed: attributes !== undefined,
      isMet: (change) => change?.action === "update" && problemsOf(change).length === 0,
      problemsOf: (change) => (change.action === "update" ? problemsOf(change) : []),
    });
    function problemsOf(change: ResourceChange): readonly string[] {
      if (attributes === undefined) return [];
      const { changed, settled } = settledPaths(
        change,
        planIn(received).certainPaths(change.address),
      );
      const { missing, extra } = mismatches(attributes, changed, settled);
      return [
        ...missing.map((path) => `It does not change ${path}.`),
        ...extra.map((path) => `It also changes ${path}.`),
      ];
    }
  },
  toReplace(
    this: MatcherContext,
    received: unknown,
    resource: PlanTarget,
    because?: string | readonly string[],
  ): Verdict {
    const args = [shownTarget(resource), ...shown(because)];
    return forEach(this, received, { name: "toReplace", args }, resource, {
      isDetailed: because !== undefined,
      isMet: (change) => change?.action === "replace" && problemsOf(change).length === 0,
      problemsOf: (change) => (change.action === "replace" ? problemsOf(change) : []),
    });
    function problemsOf(change: ResourceChange): readonly string[] {
      if (because === undefined) return [];
      const forcing = forcingPaths(change);
      const { missing, extra } = mismatches([because].flat(), forcing, forcing);
      return [
        ...missing.map((path) => `${path} does not force it.`),
        ...extra.map((path) => `${path} forces it, too.`),
      ];
    }
  },
  toDestroy(this: MatcherContext, received: unknown, resource: PlanTarget): Verdict {
    const question = { name: "toDestroy", args: [shownTarget(resource)] };
    return forEach(this, received, question, resource, {
      isMet: (change) => change?.action === "delete",
    });
  },
  toKeep(this: MatcherContext, received: unknown, resource: PlanTarget): Verdict {
    return forEach(this, received, { name: "toKeep", args: [shownTarget(resource)] }, resource, {
      isMet: (change) => change === undefined || change.action === "move",
    });
  },
  toChangeNothing(this: MatcherContext, received: unknown): Verdict {
    return answered(this, { name: "toChangeNothing", args: [] }, () => {
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
  toRefuse(
    this: MatcherContext,
    received: unknown,
    resource: PlanTarget,
    text?: string | RegExp,
  ): Verdict {
    const args = [shownTarget(resource), ...shown(text)];
    return finds(this, received, { name: "toRefuse", args }, { severity: "error", resource, text });
  },
  toWarnAbout(
    this: MatcherContext,
    received: unknown,
    resource: PlanTarget,
    text?: string | RegExp,
  ): Verdict {
    const question = { name: "toWarnAbout", args: [shownTarget(resource), ...shown(text)] };
    return finds(this, received, question, { severity: "warning", resource, text });
  },
};

interface Condition {
  readonly isMet: (change: ResourceChange | undefined) => boolean;
  /** True if it is also about the attributes that change. @default false */
  readonly isDetailed?: boolean;
  /** Sentences on what is not as expected, besides the action. */
  readonly problemsOf?: (change: ResourceChange) => readonly string[];
}

/** Answers a question about each resource: all must meet a condition or, after `not`, none. */
function forEach(
  context: MatcherContext,
  received: unknown,
  question: Question,
  target: PlanTarget,
  { isMet, isDetailed = false, problemsOf = () => [] }: Condition,
): Verdict {
  return answered(context, question, () => {
    const plan = planIn(received);
    const { counts } = withoutErrors(plan);
    const planned = plan.plannedFor(target);
    for (const [, change] of planned) plan.requireKnown(change, isDetailed);
    const isNot = context.isNot === true;
    const wrong = planned.filter(([, change]) => isMet(change) === isNot);
    const sentences = wrong.flatMap(([address, change]) => [
      actionSentence(address, change),
      ...(change === undefined ? [] : problemsOf(change)),
    ]);
    const none = planned.length === 0 ? [`There is no instance of ${shownTarget(target)}.`] : [];
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

/** Answers whether a plan has a finding. */
function finds(
  context: MatcherContext,
  received: unknown,
  question: Question,
  {
    severity,
    resource,
    text = "",
  }: {
    readonly severity: "error" | "warning";
    readonly resource: PlanTarget;
    readonly text: string | RegExp | undefined;
  },
): Verdict {
  return answered(context, question, () => {
    const plan = planIn(received);
    const addresses = plan.addressesOf(resource);
    const all = plan.diagnostics.filter((each) => each.severity === severity);
    const found = all.filter(
      ({ address = "", summary, detail }) =>
        addresses.some((each) => isIn(each, address)) && contains(`${summary}\n${detail}`, text),
    );
    const isMet = found.length > 0;
    const word = severity === "error" ? "error" : "warning";
    const others = all.length === 0 ? ` The plan has no ${word}.` : ` The plan has these:\n`;
    return {
      isMet,
      found: isMet
        ? `There is such ${severity === "error" ? "an error" : "a warning"}:\n\n${plan.textOf({ diagnostics: found })}`
        : `There is no such ${word}.${others}\n${plan.textOf({ diagnostics: all })}`,
    };
  });
}

const contains = (whole: string, part: string | RegExp): boolean =>
  typeof part === "string" ? whole.includes(part) : part.test(whole);

/** The arguments of a call as they are written, without one that is undefined. */
function shown(value: unknown): readonly string[] {
  if (value === undefined) return [];
  return [value instanceof RegExp ? String(value) : JSON.stringify(value)];
}
