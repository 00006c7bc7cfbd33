import { annotationText, type Annotation } from "../../../src/cli/synthesis/manifest";
import { configurationOf } from "../../../src/cli/synthesis/stack-content";
import {
  withAcknowledgement,
  withoutMatched,
  withoutRepeated,
  readDiagnostic,
} from "../../../src/cli/terraform/terraform-message";
import { diagnosticText } from "../../../src/planner/changes/diagnostic";

const code = "endpoint-without-network";

const configuration = configurationOf(
  {
    resource: {
      ids_endpoint: { edge: { "//": { metadata: { path: "one/Group/edge/Default" } } } },
    },
  },
  { name: "one", folder: "one", positions: {} },
);

const found = (severity: string, address = "ids_endpoint.edge[0]") =>
  readDiagnostic({
    severity,
    summary: "Questionable",
    detail: `network: should be set.\n\nCode: ${code}`,
    address,
  });

const given = (...paths: string[]) => ({
  name: "one",
  acknowledgements: paths.map((path) => ({ code, path, reason: `because of ${path}` })),
});

describe("a warning of the plan", () => {
  test.each([
    ["the construct", "one/Group/edge"],
    ["a construct around it", "one/Group"],
    ["the stack", "one"],
    ["the app", ""],
  ])("is acknowledged at %s", (_, path) => {
    const { acknowledged } = withAcknowledgement(found("warning"), given(path), configuration);
    expect(acknowledged).toEqual({ path, reason: `because of ${path}` });
  });

  test.each(["one/Group/edge2", "one/Group/ed", "two", "one/Group/edge/Default/x"])(
    "is not acknowledged at another node: %s",
    (path) => {
      expect(withAcknowledgement(found("warning"), given(path), configuration)).toEqual(
        found("warning"),
      );
    },
  );

  it("has the nearest reason", () => {
    const stack = given("", "one/Group", "one");
    const { acknowledged } = withAcknowledgement(found("warning"), stack, configuration);
    expect(acknowledged?.path).toBe("one/Group");
  });

  it("of a provider is acknowledged at the stack", () => {
    const warning = found("warning", "provider.ids");
    const at = (path: string): unknown =>
      withAcknowledgement(warning, given(path), configuration).acknowledged;
    expect([at("one"), at("one/Group")]).toEqual([expect.anything(), undefined]);
  });

  it("is acknowledged only by its code, and an error never", () => {
    const other = { ...found("warning"), code: "endpoint-not-zonal" };
    expect(withAcknowledgement(other, given(""), configuration)).toBe(other);
    const error = found("error");
    expect(withAcknowledgement(error, given(""), configuration)).toBe(error);
  });

  it("is shown with its code, and with the reason", () => {
    const warning = found("warning");
    const place = "ids_endpoint.edge[0] (Group/edge)";
    const text = `[${code}]: Questionable\n    ${place}\n    network: should be set.`;
    const shown = (each: typeof warning): string => diagnosticText(each, configuration.constructOf);
    expect(shown(warning)).toBe(`Warning ${text}`);
    expect(shown(withAcknowledgement(warning, given(""), configuration))).toBe(
      `Acknowledged warning ${text}\n    acknowledged at the app: because of `,
    );
  });
});

test("a warning of the plan goes if its construct has said the same", () => {
  const said = (constructPath: string, message: string): Annotation => ({
    level: "warning",
    constructPath,
    message,
    code,
  });
  const rest = (annotation: Annotation): number =>
    withoutRepeated([found("warning"), found("error")], [annotation], configuration).length;
  expect(rest(said("one/Group/edge", "network: should be set"))).toBe(1);
  expect(rest(said("one/Group/other", "network: should be set"))).toBe(2);
  expect(rest(said("one/Group/edge", "network: should be a URL"))).toBe(2);
  expect(rest({ ...said("one/Group/edge", "network: should be set"), code: "other" })).toBe(2);
});

test("the note about an acknowledgement goes if the plan has its warning", () => {
  const stale = (path: string): Annotation => ({
    level: "info",
    constructPath: path,
    message: "matches no warning",
    code,
    stale: { path, reason: `because of ${path}` },
  });
  const [matched, other] = [stale("one"), stale("one/other")];
  const diagnostics = [withAcknowledgement(found("warning"), given("one"), configuration)];
  expect(withoutMatched([matched, other], diagnostics)).toEqual([other]);
  expect(withoutMatched([matched, other], [])).toEqual([matched, other]);
});

test("an annotation is shown with its code, and with the reason", () => {
  const annotation = { level: "warning", constructPath: "one/edge", message: "is odd" } as const;
  expect(annotationText(annotation)).toBe("Warning at one/edge: is odd");
  expect(annotationText({ ...annotation, code })).toBe(`Warning [${code}] at one/edge: is odd`);
  const acknowledged = { path: "one", reason: "all\u001b are" };
  expect(annotationText({ ...annotation, code, acknowledged })).toBe(
    `Acknowledged warning [${code}] at one/edge: is odd\n    acknowledged at one: all\\u001b are`,
  );
});
