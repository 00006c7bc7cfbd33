// Terraform itself decides on configurations with timeouts, as an attribute and as a block.
import {
  implement,
  implementDataSource,
  implementEphemeralResource,
  known,
  type ResourceHandlers,
} from "../../../../src/core/provider-kit";
import type { TerraformProject } from "../../../../src/core/provider-kit/testing";
import {
  computed,
  dataSource,
  ephemeralResource,
  required,
  resource,
  t,
  timeouts,
} from "../../../../src/core/schema";
import { openShop } from "../shop-project";

const doc = "x";
const minute = 60_000;
const common = {
  size: required(t.integer(), { doc }),
  etag: computed(t.string(), { doc }),
};
const withAttribute = resource("shop_machine", {
  doc,
  attributes: { ...common, timeouts: timeouts({ create: minute, update: 2 * minute }) },
});
const withBlock = resource("shop_crate", {
  doc,
  attributes: common,
  timeouts: { create: minute, update: 2 * minute },
});
const found = dataSource("shop_found", {
  doc,
  attributes: { timeouts: timeouts({ read: minute }), name: computed(t.string(), { doc }) },
});
const sought = dataSource("shop_sought", {
  doc,
  attributes: { name: computed(t.string(), { doc }) },
  timeouts: { read: minute },
});
const lease = ephemeralResource("shop_lease", {
  doc,
  attributes: { timeouts: timeouts({ open: minute }), key: computed(t.string(), { doc }) },
});
const token = ephemeralResource("shop_token", {
  doc,
  attributes: { key: computed(t.string(), { doc }) },
  timeouts: { open: minute },
});

let calls: string[] = [];
let project: TerraformProject;

/** Notes the minutes until the deadline. The clock of the test has moved by less than one. */
const note = (what: string, deadline: number): void => {
  calls.push(`${what} ${Math.round((deadline - Date.now()) / minute)}`);
};

type Handlers = ResourceHandlers<typeof withAttribute, null>;

const handlers: Pick<Handlers, "create" | "update" | "read" | "delete"> = {
  create: (plan, { deadline }) => {
    note("create", deadline);
    return Promise.resolve(known({ ...plan, etag: "1" }));
  },
  update: (plan, { etag }, { deadline }) => {
    note("update", deadline);
    return Promise.resolve(known({ ...plan, etag: `${etag ?? ""}+` }));
  },
  read: (state) => Promise.resolve(state),
  delete: () => Promise.resolve(),
};

beforeEach(async () => {
  calls = [];
  project = await openShop({
    resources: [implement(withAttribute)<null>(handlers), implement(withBlock)<null>(handlers)],
    dataSources: [
      implementDataSource(found)<null>({
        read: (config, { deadline }) => {
          note("read", deadline);
          return Promise.resolve({ ...config, name: "tea" });
        },
      }),
      implementDataSource(sought)<null>({
        read: (config, { deadline }) => {
          note("seek", deadline);
          return Promise.resolve({ ...config, name: "milk" });
        },
      }),
    ],
    ephemeralResources: [
      implementEphemeralResource(lease)<null>({
        open: (config, { deadline }) => {
          note("lease", deadline);
          return Promise.resolve({ ...config, key: "k" });
        },
      }),
      implementEphemeralResource(token)<null>({
        open: (config, { deadline }) => {
          note("token", deadline);
          return Promise.resolve({ ...config, key: "k" });
        },
      }),
    ],
  });
});

afterEach(async () => {
  await project.close();
});

describe.each([
  ["an attribute", "shop_machine", "timeouts ="],
  ["a block", "shop_crate", "timeouts"],
])("timeouts as %s", (_what, type, timed) => {
  const written = (size: number, more = ""): string => `
    resource "${type}" "it" {
      size = ${size}
      ${more}
    }
    resource "terraform_data" "copy" { input = ${type}.it.etag }`;

  test("a change of the timeouts alone is stored, without a handler and without unknown values", async () => {
    await project.write(written(1));
    await project.apply();
    expect(calls).toEqual(["create 1"]);

    await project.write(written(1, `${timed} { update = "30m" }`));
    const { changes } = await project.plan();
    expect(changes.get(`${type}.it`)).toMatchObject({ action: "update", after: { etag: "1" } });
    // What uses the computed value does not change.
    expect(changes.get("terraform_data.copy")?.action).toBe("no-op");
    await project.apply();
    expect(calls).toEqual(["create 1"]);
    expect(await project.resources()).toMatchObject({
      [`${type}.it`]: { etag: "1", timeouts: { update: "30m" } },
    });
    expect((await project.plan()).changes.get(`${type}.it`)?.action).toBe("no-op");

    await project.write(written(2, `${timed} { update = "40m" }`));
    await project.apply();
    expect(calls).toEqual(["create 1", "update 40"]);
    expect(await project.resources()).toMatchObject({ [`${type}.it`]: { etag: "1+" } });
  });

  test("a value that is no duration is refused", async () => {
    await project.write(written(1, `${timed} { create = "soon" }`));
    await expect(project.plan()).rejects.toThrow("timeouts.create");
  });
});

test("data sources and ephemeral resources have deadlines, as declared or as configured", async () => {
  await project.write(`
    data "shop_found" "default" {}
    data "shop_found" "given" { timeouts = { read = "5m" } }
    data "shop_sought" "given" {
      timeouts { read = "6m" }
    }
    ephemeral "shop_lease" "given" { timeouts = { open = "7m" } }
    ephemeral "shop_token" "given" {
      timeouts { open = "8m" }
    }`);
  await project.plan();
  expect(calls.toSorted()).toEqual(["lease 7", "read 1", "read 5", "seek 6", "token 8"]);
});

test("timeouts are declared once", () => {
  expect(() =>
    resource("shop_x", {
      doc,
      attributes: { timeouts: timeouts({ create: minute }) },
      timeouts: { create: minute },
    }),
  ).toThrow("shop_x: `timeouts` already declares");
});
