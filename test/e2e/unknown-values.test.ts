import { acceptIds } from "./support/acceptance";
import { endpoint } from "./support/scenario";
import { tools } from "./support/tool";

/** Something whose output is known after it is applied. */
const later = (name: string, value: string) =>
  `resource "terraform_data" "${name}" {\n  input = ${value}\n}\n`;

const edge = "ids_endpoint.edge";
const late = endpoint("edge", { endpoint_id: "terraform_data.id.output" });

describe.each(tools)("a value that is known after apply, under %s", (tool) => {
  it("becomes an endpoint's ID once it is known", () =>
    acceptIds(tool, ({ configured }) => [
      {
        config: configured(`${later("id", `"late"`)}${late}`),
        checkPlan: ({ changes }) => {
          expect(changes.get(edge)?.afterUnknown).toMatchObject({ endpoint_id: true });
        },
        state: {
          [edge]: {
            endpoint_id: "late",
            name: "projects/acme/locations/us-central1-a/endpoints/late",
          },
        },
      },
    ]));

  it("is checked once it is known, before any request", () =>
    acceptIds(tool, ({ configured, service }) => [
      {
        config: configured(`${later("id", `"Bad_Id"`)}${late}`),
        expectError: /endpoint_id: must start with a lowercase letter.*Code: INVALID_ARGUMENT/,
      },
      {
        config: configured(`${later("id", `"good"`)}${late}`),
        before: () => {
          expect(service.requests).toEqual([]);
        },
        state: { [edge]: { endpoint_id: "good" } },
      },
    ]));

  it("can be in every argument, also inside a list or a map", () =>
    acceptIds(tool, ({ configured, service }) => {
      const whole = endpoint("edge", {
        location: '"us-central1-${terraform_data.zone.output}"',
        severity: "terraform_data.text.output",
        labels: '{ level = lower(terraform_data.text.output), fixed = "1" }',
        threat_exceptions: `["1", terraform_data.zone.output]`,
        traffic_logs: "terraform_data.logs.output",
      });
      const sources = [later("text", `"HIGH"`), later("zone", `"b"`), later("logs", "true")];
      const check = async (): Promise<void> => {
        expect(await service.endpoints()).toEqual([
          expect.objectContaining({
            name: "projects/acme/locations/us-central1-b/endpoints/edge",
            severity: "HIGH",
            labels: { level: "high", fixed: "1" },
            threatExceptions: ["1", "b"],
            trafficLogs: true,
          }),
        ]);
      };
      return [{ config: configured([...sources, whole].join("\n")), check }];
    }));

  it("plans an update in place without replacing what does not depend on it", () =>
    acceptIds(tool, ({ configured, service }) => {
      const dependent = endpoint("edge", { description: "terraform_data.text.output" });
      const stack = (text: string): string => configured(`${later("text", text)}${dependent}`);
      return [
        { config: stack(`"one"`) },
        {
          config: stack(`"two"`),
          actions: { [edge]: "update", "terraform_data.text": "update" },
          state: { [edge]: { description: "two" } },
          check: () => {
            const masks = service.sent("PATCH").map(({ query }) => query.get("updateMask"));
            expect(masks).toEqual(["description"]);
          },
        },
      ];
    }));

  it("configures the provider itself once it is known", () =>
    acceptIds(tool, ({ configured, service }) => {
      const settings = {
        cloud_ids_custom_endpoint: "terraform_data.url.output",
        access_token: "terraform_data.token.output",
        project: "terraform_data.project.output",
      };
      const sources = [
        later("url", `"${service.url}"`),
        later("token", `"ya29.late"`),
        later("project", `"late-project"`),
      ];
      const check = async (): Promise<void> => {
        expect(await service.endpoints("late-project")).toHaveLength(1);
        const tokens = service.requests.map(({ headers }) => headers["authorization"]);
        expect(new Set(tokens)).toEqual(new Set(["Bearer ya29.late"]));
      };
      return [{ config: configured([...sources, endpoint("edge")].join("\n"), settings), check }];
    }));

  it("in a setting that a read needs is reported with the fix", () =>
    acceptIds(tool, ({ configured, service }) => {
      const settings = { cloud_ids_custom_endpoint: "terraform_data.url.output" };
      const stack = (url: string): string =>
        configured(`${later("url", `"${url}"`)}${endpoint("edge")}`, settings);
      const config = stack(service.url.replace("/v1/", "/v1"));
      return [
        { config: stack(service.url) },
        {
          config,
          planOnly: true,
          expectError:
            /Provider Setting Not Known Yet: .*cloud_ids_custom_endpoint is only known after apply.*-target=/,
        },
        { name: "the fix", config, target: ["terraform_data.url"] },
      ];
    }));
});
