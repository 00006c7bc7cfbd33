import { ProviderError } from "../../../../src/core/provider-kit";
import { UNKNOWN } from "../../../../src/core/schema";
import { details, summaries } from "./protocol";
import { openWorkshop, readTool, type Tool, tools } from "./workshop";

const typeName = "shop_tool";

describe("a stored state", () => {
  test("of the same version is returned unchanged, byte for byte", async () => {
    const workshop = await openWorkshop({ configured: false });
    const json = Buffer.from('{ "pieces": 123456789012345678901234567890.10, "x": [] }\n');
    const answer = await workshop.upgradeResourceState({
      typeName,
      version: 2,
      rawState: { json },
    });
    expect(answer.diagnostics).toEqual([]);
    expect(Buffer.from(answer.upgradedState?.json ?? []).equals(json)).toBe(true);
    expect(answer.upgradedState?.msgpack).toHaveLength(0);
  });

  test.each([
    [1, "a provider version in between"],
    [3, "the provider version that wrote the state"],
  ])("of version %d is refused without an upgrade", async (version, cure) => {
    const workshop = await openWorkshop({ configured: false });
    const rawState = { json: Buffer.from("{}") };
    const { diagnostics } = await workshop.upgradeResourceState({ typeName, version, rawState });
    expect(summaries(diagnostics)).toEqual(["ERROR - State From Another Provider Version"]);
    expect(details(diagnostics)).toContain(`schema version ${version}`);
    expect(details(diagnostics)).toContain(cure);
  });

  test("from before Terraform 0.12 is refused", async () => {
    const workshop = await openWorkshop({ configured: false });
    const rawState = { flatmap: { id: "x" } };
    const { diagnostics } = await workshop.upgradeResourceState({ typeName, version: 2, rawState });
    expect(summaries(diagnostics)).toEqual(["ERROR - State From Old Terraform Version"]);
  });
});

describe("a read", () => {
  const state = { toolName: "saw", pieces: 2n ** 90n, on: true, place: "shed", toolId: "1" };

  test("returns the state that the handler found", async () => {
    const read = (found: Tool) => Promise.resolve({ ...found, etag: "new" });
    const workshop = await openWorkshop({ handlers: { read } });
    const answer = await readTool(workshop, state);
    expect(answer.diagnostics).toEqual([]);
    expect(answer.state).toMatchObject({ ...state, etag: "new" });
  });

  test("of a missing resource empties the state", async () => {
    const read = () => Promise.resolve(undefined);
    const workshop = await openWorkshop({ handlers: { read } });
    expect(await readTool(workshop, state)).toMatchObject({ state: null, diagnostics: [] });
  });

  test("that fails reports its error", async () => {
    const read = () =>
      Promise.reject(new ProviderError({ summary: "Shed Locked", detail: "No.", path: ["place"] }));
    const workshop = await openWorkshop({ handlers: { read } });
    expect(summaries((await readTool(workshop, state)).diagnostics)).toEqual([
      "ERROR place Shed Locked",
    ]);
  });

  test.each<[object, string]>([
    [{ etag: UNKNOWN }, "ERROR etag Unexpected Provider Result"],
    [{ on: "yes" }, "ERROR on Value Does Not Match The Schema"],
  ])("that returns %p is the provider's fault", async (change, expected) => {
    const read = (found: Tool) => Promise.resolve({ ...found, ...change } as Tool);
    const workshop = await openWorkshop({ handlers: { read } });
    expect(summaries((await readTool(workshop, state)).diagnostics)).toEqual([expected]);
  });
});

describe("an import", () => {
  const importing = async (id: string, handlers = {}) => {
    const workshop = await openWorkshop({ handlers });
    const { stored, diagnostics } = await tools(workshop).importState(id);
    return { diagnostics, state: stored?.state };
  };

  test("accepts each form, and leaves the rest to the following read", async () => {
    expect((await importing("shed/saw")).state).toMatchObject({
      toolName: "saw",
      place: "shed",
      pieces: null,
      hole: [],
      ring: [],
      box: null,
    });
    expect((await importing("saw")).state).toMatchObject({ toolName: "saw", place: null });
  });

  test("calls the handler, with the provider's settings", async () => {
    const handler = ({ toolName = "" }, { client }: { client: { terraformVersion: string } }) => ({
      toolName,
      place: client.terraformVersion,
    });
    const { state } = await importing("saw", { import: handler });
    expect(state).toMatchObject({ toolName: "saw", place: "1.11.4" });
  });

  test.each(["", "/", "a/b/c", "/saw", "shed/", "shed/saw/", "shed/saw\n"])(
    "refuses %j",
    async (id) => {
      const { state, diagnostics } = await importing(id);
      expect(state).toBeUndefined();
      expect(summaries(diagnostics)).toEqual(["ERROR - Invalid Import ID"]);
      expect(details(diagnostics)).toContain("  {place}/{tool_name}\n  {tool_name}");
    },
  );

  test("refuses a part that breaks the attribute's rule", async () => {
    const { diagnostics } = await importing("shed/Saw");
    expect(details(diagnostics)).toContain('tool_name must be lowercase letters (got "Saw")');
  });
});
