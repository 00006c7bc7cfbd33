import { wireName } from "../../../../src/core/schema";
import { endpoint } from "./table";
import { expectFindings } from "../../../accept/provider";
import { type Ids, plan, startIds, validate } from "../provider/ids";

const place = { project: "acme", zone: "us-central1-a" };

const open = (): Promise<Ids> =>
  startIds({ ...place, cloudIdsCustomEndpoint: "http://127.0.0.1:1/v1/" });

/** The arguments of a row as Terraform passes them: null for omitted values. */
const given = (args: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(args).map(([key, value]) => [key, value ?? null]));

const rows = endpoint.rows.filter(({ on }) => on !== "construct");

describe("the table of the spec, on the provider", () => {
  test.each(rows.map((row) => [row.name, row] as const))("%s", async (_name, row) => {
    const ids = await open();
    const args = given(row.args);
    const diagnostics = await validate(ids, args);
    expectFindings(diagnostics, endpoint, row);
    if (row.errors.length > 0) return;
    const { planned, diagnostics: planning } = await plan(ids, args);
    expect(planning).toEqual([]);
    for (const [key, value] of Object.entries(args)) {
      if (value !== null && typeof value !== "object") expect(planned?.[key]).toEqual(value);
    }
  });
});

test.each(endpoint.changes.map((change) => [change.input, change] as const))(
  "a change of %s replaces, or not, as the table says",
  async (_name, { input, from, to, replaces }) => {
    const ids = await open();
    const base = { endpointId: "edge", location: "us-central1-f", project: "p" };
    const name = "projects/p/locations/us-central1-f/endpoints/edge";
    const prior = {
      ...base,
      trafficLogs: false,
      id: name,
      name,
      createTime: "t",
      [input]: from ?? null,
    };
    const change = await plan(ids, given({ ...base, [input]: to }), prior);
    expect(change.diagnostics).toEqual([]);
    expect(change.replaces).toEqual(replaces ? [wireName(input)] : []);
    expect(change.planned?.[input]).toEqual(to);
  },
);
