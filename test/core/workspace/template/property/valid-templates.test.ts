import * as fc from "fast-check";
import { WireValues } from "../../../../../src/core/provider-kit/testing";
import { UNKNOWN } from "../../../../../src/core/schema";
import type { Args, Noun } from "../../tables";
import type { Values } from "../../../provider-kit/plan/planning";
import { configOf, declarationOf, errorsIn, isOpen, readOnce } from "../../provider/noun-run";
import { validated } from "../../../../accept/provider";
import {
  applyIn,
  type Kept,
  planIn,
  type Process,
  refreshed,
  start,
} from "../../provider/provider";
import { declared, readByTerraform, synthesized } from "./construct-side";
import { Open, Reference, settled, whilePlanning } from "./open";
import { runs } from "./runs";
import { nounOf, providerNoun, type Template, validTemplate } from "./template";
import { containsUnknown } from "../../../../../src/core/provider-kit/cty/value";

test("what the spec accepts is accepted by the constructs, and passed on unchanged", () => {
  fc.assert(
    fc.property(validTemplate({ open: true }), (template) => {
      const { stack, errors } = declared(template);
      expect([...errors]).toEqual([]);
      const json = synthesized(stack);
      for (const part of template.parts) {
        expect(readByTerraform(json, part)).toEqual(
          configOf(nounOf(part.type), whilePlanning(part.args)),
        );
      }
    }),
    runs(15),
  );
});

test("what the spec accepts is accepted by the provider, and the next plan is empty", async () => {
  await fc.assert(
    fc.asyncProperty(validTemplate({ open: true }), async (template) => {
      await validatesAndPlans(template);
      await appliesAndSettles(template);
    }),
    runs(6),
  );
});

/** During the plan, when values of apply are unknown. */
async function validatesAndPlans({ settings, parts }: Template): Promise<void> {
  const process = await started(whilePlanning(settings));
  const check = async (noun: Noun, args: Args) => {
    expect(errorsIn(await validated(process, declarationOf(noun), noun, args))).toEqual([]);
  };
  await check(providerNoun, whilePlanning(settings));
  for (const part of parts) {
    const noun = nounOf(part.type);
    const args = whilePlanning(part.args);
    await check(noun, args);
    if (noun.kind === "resource") await plan(process, noun, args);
  }
  process.close();
}

/** During apply: unknown values become known part by part. */
async function appliesAndSettles({ settings, parts }: Template): Promise<void> {
  const url = settled(settings, (open) => (open instanceof Open ? open.value : undefined));
  const process = await started(url);
  const next = await started(url);
  const states = new Map<string, Values>();
  for (const part of parts) {
    const noun = nounOf(part.type);
    const args = settled(part.args, (open) =>
      open instanceof Reference ? states.get(open.part)?.[open.output] : open.value,
    );
    if (noun.kind === "data source") {
      const first = await readOnce(process, noun, args);
      expect(errorsIn(first.diagnostics)).toEqual([]);
      expect(await readOnce(next, noun, args)).toEqual(first);
      continue;
    }
    const early = await plan(process, noun, whilePlanning(part.args));
    const late = await plan(process, noun, args);
    for (const [name, value] of Object.entries(early.planned ?? {})) {
      if (!containsUnknown(value)) expect([name, late.planned?.[name]]).toEqual([name, value]);
    }
    const declaration = declarationOf(noun);
    const { stored, diagnostics } = await applyIn(process, declaration, late);
    expect(diagnostics).toEqual([]);
    if (stored === undefined) throw new Error("the state is missing");
    states.set(part.id, stored.state);
    const kept = await refreshed(next, declaration, stored);
    const again = await plan(next, noun, args, kept);
    const values = new WireValues(declaration);
    const wire = (state: Values | null) => values.encode({ ...state }).msgpack;
    expect(wire(again.planned)).toEqual(wire(stored.state));
  }
  process.close();
  next.close();
}

async function started(settings: Args): Promise<Process> {
  const process = await start({}, configOf(providerNoun, settings));
  expect(errorsIn(process.configured)).toEqual([]);
  return process;
}

async function plan(process: Process, noun: Noun, args: Args, kept?: Kept) {
  const planned = await planIn(process, declarationOf(noun), configOf(noun, args), kept);
  expect(errorsIn(planned.diagnostics)).toEqual([]);
  return planned;
}

test("some of the values are unknown", () => {
  const [template] = fc.sample(validTemplate({ open: true }), { numRuns: 1, seed: 7 });
  const args = template?.parts.map((part) => whilePlanning(part.args)) ?? [];
  expect(args.some((each) => Object.values(each).some((value) => value === UNKNOWN))).toBe(true);
  expect(args.some(isOpen)).toBe(true);
});
