import { TerraformFailure } from "../../../src/core/provider-kit/testing";
import { sample } from "../../all-tests";
import { JudgedPlans } from "./judged-plans";
import { randomRules } from "./random-rules";
import { type Json, type RandomStack, randomStack } from "./random-stack";
import { hiddenValues, randomStandIns } from "./random-stand-ins";

/** The seeds of the stacks. FIRST_STACK and STACKS choose others. */
const first = Number(process.env["FIRST_STACK"] ?? 1);
const count = Number(process.env["STACKS"] ?? sample(1000, 12));
const seeds = Array.from({ length: count }, (_, at) => first + at);
const batchSize = 20;
const batches = Array.from({ length: Math.ceil(count / batchSize) }, (_, at) =>
  seeds.slice(at * batchSize, (at + 1) * batchSize),
);

let plans: JudgedPlans;

beforeAll(async () => {
  plans = await JudgedPlans.open();
});

afterAll(async () => {
  const unknown = [...plans.unknownToUs].toSorted(([, a], [, b]) => b - a);
  if (unknown.length > 0) {
    const text = JSON.stringify(Object.fromEntries(unknown));
    console.log(`Terraform knows, but an offline plan does not: ${text}`);
  }
  await plans.close();
});

const kinds = {
  "random stacks": (seed: number) => compared(randomStack(seed)),
  "small stacks of core's rules": (seed: number) => compared(randomRules(seed)),
  "stacks of unknown values": (seed: number) => comparedStandIns(randomStandIns(seed)),
};
const rows = Object.entries(kinds).flatMap(([what, compare]) =>
  batches.map((batch) => [what, batch[0], batch, compare] as const),
);

test.each(rows)("plans %s from %d on as Terraform does", async (_, _first, batch, compare) => {
  const differences: string[] = [];
  let planned = 0;
  for (const seed of batch) {
    const found = await compare(seed);
    if (found === undefined) continue;
    planned += 1;
    differences.push(...found.map((text) => `stack ${seed}: ${text}`));
  }
  expect(differences).toEqual([]);
  expect(planned).toBeGreaterThan(batch.length / 2);
});

/** @returns the differences; undefined if the first stack cannot be deployed */
async function compared({
  deployed,
  changed,
}: RandomStack): Promise<readonly string[] | undefined> {
  await plans.clear();
  const { differences } = await plans.plan(deployed);
  if (!(await isDeployed(deployed))) return differences.length > 0 ? differences : undefined;
  return [...differences, ...(await plans.plan(changed)).differences];
}

/** The same for stacks whose state and variables only Terraform has. */
async function comparedStandIns({ deployed, changed }: RandomStack) {
  await plans.clear();
  if (!(await isDeployed(deployed, hiddenValues))) return undefined;
  return await plans.planStandIns(deployed, changed);
}

async function isDeployed(stack: object, values?: Json): Promise<boolean> {
  try {
    await plans.deploy(stack, values);
    return true;
  } catch (error) {
    if (error instanceof TerraformFailure) return false;
    throw error;
  }
}
