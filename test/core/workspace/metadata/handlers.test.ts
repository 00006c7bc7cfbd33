import { UNKNOWN } from "../../../../src/core/schema";
import { metadata } from "../../../../src/core/workspace/metadata/declare";
import { planIn, run, start } from "../provider/provider";

describe("a metadata item", () => {
  const item = (value: unknown) => ({
    items: [{ key: "k", value, sensitive: null, isNull: null }],
  });
  const isNull = (state: Readonly<Record<string, unknown>>) =>
    (state["items"] as readonly { isNull: unknown }[]).map((each) => each.isNull);

  test.each([
    [null, true],
    ["", false],
    ["x", false],
  ])("with the value %j is null: %s", async (value, expected) => {
    expect(isNull((await run(metadata, item(value))).state)).toEqual([expected]);
  });

  test("is no longer null when its value becomes empty", async () => {
    const created = await run(metadata, item(null));
    const changed = await run(metadata, item(""), created);
    expect(isNull(changed.state)).toEqual([false]);
    expect(isNull((await run(metadata, item(null), changed)).state)).toEqual([true]);
  });

  test("may have a value that is unknown during the plan", async () => {
    const { planned } = await planIn(await start(), metadata, item(UNKNOWN));
    expect(planned?.["items"]).toEqual([
      { key: "k", value: UNKNOWN, sensitive: false, isNull: UNKNOWN },
    ]);
  });
});
