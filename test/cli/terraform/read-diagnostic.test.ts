import { diagnosticText } from "../../../src/planner/changes/diagnostic";
import { readDiagnostic } from "../../../src/cli/terraform/terraform-message";

const read = (parts: Readonly<Record<string, unknown>>): string =>
  diagnosticText(
    readDiagnostic({ severity: "error", summary: "Wrong", detail: "", ...parts }),
    () => ({}),
  );

describe("a diagnostic", () => {
  it("names the resource and the attribute", () => {
    const snippet = {
      context: "resource.ids_endpoint.edge",
      code: `    "severity": "BAD"`,
      highlight_start_offset: 16,
    };
    const text = "Error: Wrong\n    ids_endpoint.edge: severity\n    It must be HIGH.";
    const detail = "It must be HIGH.\n\n";
    expect(read({ detail, snippet })).toBe(text);
    expect(read({ detail, snippet, address: "ids_endpoint.edge" })).toBe(text);
  });

  it("leaves out the line of the configuration, which can contain a secret", () => {
    const code = `    "password": "hunter2", "bogus": 1`;
    const shown = read({ snippet: { context: "resource.a.b", code, highlight_start_offset: 27 } });
    expect(shown).toBe("Error: Wrong\n    a.b");
  });

  it("lets a terminal obey nothing", () => {
    expect(read({ severity: "warning", summary: "\u001b[2J" })).toBe("Warning: \\u001b[2J");
  });
});
