import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os, { tmpdir } from "node:os";
import { join } from "node:path";
import {
  AcceptanceFailure,
  type AcceptanceStep,
  type AcceptanceTest,
  testAcceptance,
} from "../../../../../src/core/provider-kit/testing";
import { tools } from "../../../../e2e/support/tool";
import { saw, Shop, source } from "./shop";

let shop: Shop;
/** Where projects are, so that each test sees what is left. */
let folder: string;

beforeEach(async () => {
  shop = new Shop();
  folder = await mkdtemp(join(tmpdir(), "acceptance-"));
  jest.spyOn(os, "tmpdir").mockReturnValue(folder);
});

afterEach(async () => {
  expect(os.tmpdir).toHaveBeenCalled();
  jest.restoreAllMocks();
  expect(readdirSync(folder)).toEqual([]);
  await rm(folder, { recursive: true });
});

const one = (attributes: string): string => `resource "shop_saw" "one" {\n${attributes}\n}`;

const run = (steps: readonly AcceptanceStep[], options: Partial<AcceptanceTest> = {}) =>
  testAcceptance({ source, routes: shop.routes, steps, ...options });

/** The message of a test that must fail. */
async function failure(steps: readonly AcceptanceStep[], options?: Partial<AcceptanceTest>) {
  const error: unknown = await run(steps, options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AcceptanceFailure);
  return error instanceof Error ? error.message : "";
}

describe.each(tools)("with %s", (command) => {
  test("creates, changes, replaces, imports, refreshes and destroys", async () => {
    const ids: string[] = [];
    let isEmpty = false;
    await run(
      [
        {
          config: { ...variable("teeth"), ...sawOf({ name: "a", teeth: "${var.teeth}" }) },
          variables: { teeth: 7 },
          actions: { "shop_saw.one": "create" },
          checkPlan: ({ changes }) => {
            expect(changes.get("shop_saw.one")?.afterUnknown).toMatchObject({ id: true });
          },
          state: {
            "shop_saw.one": {
              name: "a",
              teeth: 7,
              id: /^saw-\d+$/,
              stock: expect.any(Number) as unknown,
            },
          },
          check: ({ resource }) => {
            const { sawId, teeth } = resource(saw, "shop_saw.one");
            ids.push(sawId ?? "");
            expect(teeth).toBe(7);
          },
        },
        {
          variables: { teeth: 8 },
          actions: { "shop_saw.one": "update" },
          state: { "shop_saw.one": { teeth: 8 } },
        },
        { planOnly: true },
        { planOnly: true, variables: { teeth: 9 }, expectNonEmptyPlan: true },
        {
          variables: { teeth: 8 },
          replace: ["shop_saw.one"],
          actions: { "shop_saw.one": "replace" },
        },
        { import: "shop_saw.one" },
        {
          name: "lists",
          config: `${one(`name = "b"`)}
            data "shop_catalogue" "all" { depends_on = [shop_saw.one] }
            output "names" { value = data.shop_catalogue.all.names }`,
          outputs: { names: ["b"] },
          state: { "data.shop_catalogue.all": { names: ["b"] } },
        },
        {
          refresh: true,
          before: () => {
            shop.change("b", { stock: 5 });
          },
          state: { "shop_saw.one": { stock: 5 } },
        },
        { destroy: true },
        { state: { "shop_saw.one": { name: (name: unknown) => name === "b" } } },
      ],
      {
        command,
        checkDestroyed: () => {
          isEmpty = shop.saws.size === 0;
        },
      },
    );
    expect(ids).toEqual(["saw-1"]);
    expect(isEmpty).toBe(true);
  });
});

const variable = (name: string) => ({ variable: { [name]: {} } });
const sawOf = (values: object) => ({ resource: { shop_saw: { one: values } } });

describe("a step fails", () => {
  test("when the second plan is not empty", async () => {
    shop.look = (found) => ({ ...found, teeth: 3 });
    const steps = [{ config: one(`name = "a"`) }];
    expect(await failure(steps)).toBe(
      "step 1 of 1: the second plan is not empty\n  shop_saw.one: update",
    );
    await run([{ ...steps[0], expectNonEmptyPlan: true }]);
  });

  test("when an output would change again", async () => {
    const config = `output "now" { value = timestamp() }`;
    expect(await failure([{ config }])).toContain("the second plan is not empty\n  output now");
  });

  test("when the provider reads something else than it has returned", async () => {
    shop.look = (found) => ({ ...found, stock: 9 });
    const config = one(`name = "a"`);
    expect(await failure([{ config }])).toContain(
      "what is read after the step differs from what was stored\n  shop_saw.one",
    );
    await run([{ config, allowDrift: true }]);
  });

  test("when its plan must not be empty, and is", async () => {
    const config = one(`name = "a"`);
    const step = { config, expectNonEmptyPlan: true };
    expect(await failure([step])).toBe("step 1 of 1: the plan is empty");
    const planned = [{ config }, { planOnly: true, expectNonEmptyPlan: true } as const];
    expect(await failure(planned)).toBe("step 2 of 2: the plan is empty");
  });

  test("when a plan without an apply has changes", async () => {
    expect(await failure([{ config: one(`name = "a"`), planOnly: true }])).toContain(
      "the plan is not empty\n  shop_saw.one: create",
    );
    expect(shop.saws.size).toBe(0);
  });

  test("when the actions are others, before anything is applied", async () => {
    const config = `${one(`name = "a"`)}\nresource "shop_saw" "two" { name = "b" }`;
    expect(await failure([{ config, actions: { "shop_saw.one": "update" } }])).toBe(
      "step 1 of 1: the plan is not as expected\n" +
        "  shop_saw.one: create instead of update\n" +
        "  shop_saw.two: create instead of no-op",
    );
    expect(shop.saws.size).toBe(0);
  });

  test("when the state is another one, with all differences and without secrets", async () => {
    const config = `${one(`name = "a"\n teeth = 7\n code = "s3cr3t-code"`)}
      output "teeth" { value = shop_saw.one.teeth }`;
    const state = {
      "shop_saw.one": { name: "b", teeth: [7], code: "none" },
      "shop_saw.two": { name: "b" },
    };
    const outputs = { teeth: 8 };
    const message = await failure([{ name: "makes", config, state, outputs }]);
    expect(message).toBe(
      "step 1 of 1 (makes): the state is not as expected\n" +
        `  shop_saw.one.name: "a" instead of "b"\n` +
        `  shop_saw.one.teeth: 7 instead of [7]\n` +
        `  shop_saw.one.code: "***" instead of "none"\n` +
        `  shop_saw.two: nothing instead of {"name":"b"}\n` +
        `  output teeth: 7 instead of 8`,
    );
    expect(shop.saws.size).toBe(0);
  });

  test("with the message of a check, without what the test calls a secret", async () => {
    const check = (): void => {
      throw new Error("the word is open-sesame");
    };
    const steps = [{ config: one(`name = "a"`), check }];
    expect(await failure(steps, { secrets: ["open-sesame"] })).toBe("step 1 of 1: the word is ***");
  });

  test("with what Terraform reported", async () => {
    expect(await failure([{ config: one(`name = "broken"`) }])).toBe(
      "step 1 of 1: apply failed\nshop_saw.one: No Steel: There is no steel\nat all.",
    );
  });

  test("when it does not fail as expected", async () => {
    const good = { config: one(`name = "a"`), expectError: "No Steel" };
    const other = { config: one(`nam = "a"`), expectError: /No Steel/ };
    expect(await failure([good])).toBe(
      `step 1 of 1: it succeeded instead of failing with "No Steel"`,
    );
    const message = await failure([other]);
    expect(message).toMatch(/^step 1 of 1: it failed, but not with \/No Steel\/\napply failed\n/);
    expect(message).toContain("\nUnsupported argument: An argument named");
    expect(message).not.toContain("destruction");
  });

  test("when an import differs, unless the attribute is ignored", async () => {
    shop.look = (found) => ({ ...found, code: null });
    const steps = [{ config: one(`name = "a"\n code = "s3cr3t-code"`), expectNonEmptyPlan: true }];
    expect(await failure([...steps, { import: "shop_saw.one" }])).toBe(
      `step 2 of 2: the import of shop_saw.one by "saw-1" differs from what was created\n` +
        `  code: null instead of "***"`,
    );
    await run([...steps, { import: "shop_saw.one", ignore: ["code"], id: ({ id }) => String(id) }]);
  });

  test("when it hangs, and leaves no process", async () => {
    shop.work = () => new Promise(() => undefined);
    const message = await failure([{ config: one(`name = "a"`) }], { timeoutMs: 3000 });
    expect(message).toMatch(/^step 1 of 1: terraform apply was stopped after 3000 ms/);
  });
});

test("errors are expected by a text or an expression, in all kinds of steps", async () => {
  await run([
    { config: one(`nam = "a"`), expectError: "Unsupported argument" },
    { config: one(`name = "broken"`), expectError: /no steel at all/ },
    { config: one(`name = "broken"`), planOnly: true, actions: { "shop_saw.one": "create" } },
    { config: one(`name = "a"`) },
    { import: "shop_saw.one", id: "saw-7", expectError: "non-existent remote object" },
  ]);
});

test("what cannot be destroyed is reported after the step that failed", async () => {
  const check = (): void => {
    throw new Error("No.");
  };
  expect(await failure([{ config: one(`name = "stuck"`), check }])).toBe(
    "step 1 of 1: No.\n\nthe destruction at the end: destroy failed\nStuck: It is.",
  );
});

test("the check of the back end fails the test", async () => {
  const checkDestroyed = (): void => {
    throw new Error("there is a saw left");
  };
  expect(await failure([{ config: one(`name = "a"`) }], { checkDestroyed })).toBe(
    "the check of the back end at the end: there is a saw left",
  );
});

test("the first step needs a configuration", async () => {
  expect(await failure([{ planOnly: true }])).toContain("the first step needs a `config`");
});
