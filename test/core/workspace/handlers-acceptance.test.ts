import { isRecord } from "../../../src/core/json/plain-json";
import { providerRoutes } from "../../../src/core/provider-kit";
import {
  type StartedProvider,
  startProvider,
  WireValues,
} from "../../../src/core/provider-kit/testing";
import { provider as definition } from "../../../src/core/workspace/provider-definition";
import { expectFindings, found, validated } from "../../accept/provider";
import type { BuildRow, ChangeRow } from "../../accept/table";
import { type Noun, nouns, wireNameIn } from "./tables";
import { carriedOut, configOf, declarationOf, errorsIn, isOpen } from "./provider/noun-run";
import { planIn, refreshed, start } from "./provider/provider";

const example = { url: "https://platform.example.org" };

/** Validates all rows before it is configured, as in `terraform validate`. Rows do not affect each other. */
let validator: StartedProvider;

beforeAll(async () => {
  validator = await startProvider(providerRoutes(definition, {}), { env: {} });
});

afterAll(() => {
  validator.close();
});

const text = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value));

describe.each(nouns.map((noun) => [noun.construct, noun] as const))("%s", (_construct, noun) => {
  const rows = noun.rows.filter(({ on }) => on !== "construct");

  test("no two rows have the same name", () => {
    const names = [...noun.rows, ...noun.builds].map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test.each(rows.map((row) => [row.name, row] as const))("%s", async (_name, row) => {
    const diagnostics = await validated(validator, declarationOf(noun), noun, row.args);
    expectFindings(diagnostics, noun, row);
    if (row.errors.length > 0) return;
    if (row.warnings === undefined)
      expect(found(diagnostics, "WARNING").filter(isAdvice(row.args))).toEqual([]);
    if (noun.kind !== "provider") await goesWell(noun, row.args);
  });

  if (noun.builds.length > 0) {
    test.each(noun.builds.map((row) => [row.name, row] as const))("%s", async (_name, row) => {
      await builds(noun, row);
    });
  }

  if (noun.changes.length > 0) {
    test.each(
      noun.changes.map((change) => [
        `${change.input} from ${text(change.from)} to ${text(change.to)}`,
        change,
      ]),
    )("%s replaces, or not, as the table says", async (_name, change) => {
      await changes(noun, change);
    });
  }
});

/** A row does not cover what an unknown argument prevents from being reported. */
const isAdvice = (args: object) => (): boolean => !isOpen(args);

/** Accepted arguments are planned and applied, or read, and the next plan is empty. */
async function goesWell(noun: Noun, args: Readonly<Record<string, unknown>>): Promise<void> {
  const config = configOf(noun, args);
  if (isOpen(args)) {
    if (noun.kind === "data source") return;
    const { diagnostics } = await planIn(await start({}, example), declarationOf(noun), config);
    expect(errorsIn(diagnostics)).toEqual([]);
    return;
  }
  const first = await carriedOut(await start({}, example), noun, args);
  expect(errorsIn(first.diagnostics)).toEqual([]);
  for (const [name, value] of Object.entries(config)) {
    if (value !== null && !isRecord(value)) expect(first.state?.[name]).toEqual(value);
  }
  if (first.kept === undefined) {
    const again = await carriedOut(await start({}, example), noun, args);
    expect(again.state).toEqual(first.state);
    return;
  }
  const next = await start({}, example);
  const kept = await refreshed(next, declarationOf(noun), first.kept);
  const { planned } = await planIn(next, declarationOf(noun), config, kept);
  const values = new WireValues(declarationOf(noun));
  const wire = (state: object | null) => values.encode({ ...state }).msgpack;
  expect(wire(planned)).toEqual(wire(first.state));
}

async function builds(noun: Noun, row: BuildRow): Promise<void> {
  const { args, environment, outputs = {}, refused, secrets = [], warnings = [] } = row;
  const isProvider = noun.kind === "provider";
  const settings = row.settings ?? (isProvider ? args : example);
  const process = await start(environment, settings);
  const { diagnostics, phase, state } = await carriedOut(process, noun, args);
  const summaries = (severity: string): string[] =>
    diagnostics
      .filter((each) => each.severity === severity)
      .map(({ summary, detail }) => `${summary}\n${detail}`);
  if (refused === undefined) expect(summaries("ERROR")).toEqual([]);
  expect(phase).toBe(refused === undefined ? "never" : "plan");
  for (const pattern of refused ?? []) expect(summaries("ERROR").join("\n")).toMatch(pattern);
  if (refused === undefined && warnings.length === 0) expect(summaries("WARNING")).toEqual([]);
  for (const pattern of warnings) expect(summaries("WARNING").join("\n")).toMatch(pattern);
  const all = [...summaries("ERROR"), ...summaries("WARNING"), ...process.log].join("\n");
  for (const secret of secrets) expect(all).not.toContain(secret);
  if (refused === undefined && !isProvider) expect(state).toMatchObject(matching(outputs));
}

const matching = (outputs: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(
    Object.entries(outputs).map(([name, value]) => [
      name,
      value instanceof RegExp ? (expect.stringMatching(value) as unknown) : value,
    ]),
  );

async function changes(noun: Noun, { input, from, to, replaces }: ChangeRow): Promise<void> {
  const before = await carriedOut(await start({}, example), noun, {
    ...noun.base,
    [input]: from,
  });
  expect(errorsIn(before.diagnostics)).toEqual([]);
  const args = { ...noun.base, [input]: to };
  const after = await carriedOut(await start({}, example), noun, args, before.kept);
  expect(errorsIn(after.diagnostics)).toEqual([]);
  expect(after.replaces).toEqual(replaces ? [wireNameIn(noun, input)] : []);
  const { attributes } = declarationOf(noun);
  const id = Object.keys(attributes).find((name) => attributes[name]?.wire === "id");
  if (!replaces && id !== undefined) expect(after.state?.[id]).toEqual(before.state?.[id]);
  if (to !== undefined && !isRecord(to)) expect(after.state?.[input]).toEqual(to);
}
