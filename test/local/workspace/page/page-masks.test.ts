import { PageMasks } from "../../../../src/local/workspace/page/page-builds";
import type { Preview, PreviewedParameter } from "../../../../src/local/workspace/preview/preview";

function parameter(
  name: string,
  maskInput: boolean,
  value: string | undefined,
): PreviewedParameter {
  const diagnostics = [
    { severity: "error", summary: "Bad", detail: `not ${value ?? ""}` },
  ] as const;
  return {
    name,
    displayName: "",
    description: "",
    type: "string",
    formType: "input",
    styling: { maskInput },
    default: undefined,
    value,
    mutable: true,
    ephemeral: false,
    required: false,
    icon: "",
    options: [],
    validations: [],
    order: 0,
    diagnostics,
  };
}

const preview: Preview = {
  parameters: [parameter("key", true, "secret-1"), parameter("open", false, "seen-1")],
  presets: [],
  tags: {},
  secrets: [],
  externalAuth: [],
  diagnostics: [],
};

describe("the masks of the page", () => {
  it("keep entered and former values out of a preview, also in what it says about them", () => {
    const masks = new PageMasks();
    const given = { key: "secret-1", open: "seen-1" };
    for (const json of [
      masks.preview(preview, given, {}),
      masks.preview(preview, { open: "seen-1" }, { key: "secret-1" }),
    ]) {
      expect(json).not.toContain("secret-1");
      expect(JSON.parse(json)).toMatchObject({
        parameters: [{ name: "key", diagnostics: [{ detail: "not ***" }] }, { value: "seen-1" }],
      });
    }
  });

  it("leave a default, which the template contains", () => {
    expect(new PageMasks().preview(preview, {}, {})).toContain("secret-1");
  });

  it("keep masked values and the owner's secrets out of the progress of a build", () => {
    const masks = new PageMasks();
    masks.preview(preview, {}, {});
    const hidden = masks.ofBuild(
      {
        action: "start",
        workspace: "dev",
        parameters: { key: "entered-1", open: "seen-1" },
        secretEnv: { A: "secret-2" },
        secretFiles: { "~/b": "secret-3" },
        externalAuth: { git: "secret-4" },
      },
      { key: "former-1" },
    );
    expect(hidden.redact("entered-1 seen-1 secret-2 secret-3 secret-4 former-1")).toBe(
      "*** seen-1 *** *** *** ***",
    );
  });

  it("keep a masked value out of the sentence of a rule", () => {
    const masks = new PageMasks();
    masks.preview(preview, {}, {});
    expect(masks.problem("not secret-1", "key", "secret-1")).toBe("not ***");
    expect(masks.problem("not seen-1", "open", "seen-1")).toBe("not seen-1");
    expect(masks.problem(null, "key", "secret-1")).toBeNull();
  });
});
