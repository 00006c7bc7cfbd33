import * as fc from "fast-check";
import { formatPath } from "../../../../../src/core/schema";
import { nouns } from "../../tables";
import { expected, found, validated } from "../../../../accept/provider";
import { declarationOf } from "../../provider/noun-run";
import { start } from "../../provider/provider";
import { breakagesOf, brokenTemplate } from "./breakage";
import { declared } from "./construct-side";
import { whilePlanning } from "./open";
import { runs } from "./runs";
import { nounOf, providerNoun, validTemplate } from "./template";

test("what the spec refuses is refused by constructs and provider, for the same reasons", async () => {
  const process = await start();
  await fc.assert(
    fc.asyncProperty(brokenTemplate(validTemplate({ open: true })), async (template) => {
      const { errors } = declared(template);
      const parts = [{ id: "", type: "workspace", args: template.settings }, ...template.parts];
      for (const { id, type, args } of parts) {
        const noun = id === "" ? providerNoun : nounOf(type);
        const byConstruct = expected(noun, errors.get(id) ?? []);
        const diagnostics = await validated(
          process,
          declarationOf(noun),
          noun,
          whilePlanning(args),
        );
        expect({ id, errors: found(diagnostics, "ERROR") }).toEqual({ id, errors: byConstruct });
        const wanted = template.broken.get(id) ?? [];
        // One breakage may hide another.
        if (wanted.length === 1) {
          expect(byConstruct).toEqual(expect.arrayContaining(expected(noun, wanted)));
        } else expect(byConstruct.length > 0).toBe(wanted.length > 0);
      }
    }),
    runs(80),
  );
});

test.each(nouns.map((noun) => [noun.construct, noun] as const))(
  "the breakages of %s are different ones",
  (_construct, { typeName, kind, base }) => {
    const all = breakagesOf(kind === "provider" ? "" : typeName, base);
    const keys = all.map(({ name, found: { path } }) => `${name} ${formatPath(path)}`);
    expect(new Set(keys).size).toBe(keys.length);
  },
);
