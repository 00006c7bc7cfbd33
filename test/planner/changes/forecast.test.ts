import { forecastOf, forecastText } from "../../../src/planner/changes/forecast";
import type { OfflinePlan, UnknownValue } from "../../../src/planner/offline-plan/plan-json";

const constructOf = () => ({});

function planWith(unknowns: readonly UnknownValue[]): OfflinePlan {
  return {
    resourceChanges: [],
    outputChanges: {},
    diagnostics: [],
    notPlanned: [],
    movable: [],
    unknowns,
  };
}

describe("forecastText", () => {
  it("says once what several unknown values depend on", () => {
    const reasons = [{ kind: "variable", of: "var.name" }] as const;
    const unknowns = ["a", "b", "c"].map((name) => ({
      address: `ids_endpoint.${name}`,
      attribute: "labels.team",
      reasons,
    }));
    const forecast = forecastOf(planWith(unknowns), constructOf);
    expect(forecastText(forecast, { constructOf })).toBe(
      "  ? ids_endpoint.a.labels.team and 2 more: not known, depends on var.name\n",
    );
  });

  it("names every reason", () => {
    const unknown: UnknownValue = {
      address: "ids_endpoint.a",
      attribute: "description",
      reasons: [
        { kind: "provider", of: "aws_vpc.main" },
        { kind: "network", of: "data.ids_endpoint.other" },
      ],
    };
    const forecast = forecastOf(planWith([unknown]), constructOf);
    expect(forecast.unknownValues).toEqual([
      {
        address: "ids_endpoint.a",
        attribute: "description",
        reason: "depends on aws_vpc.main, data.ids_endpoint.other",
      },
    ]);
  });
});
