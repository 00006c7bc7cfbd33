import { type Noun, nouns } from "./tables";
import { carriedOut, type Phase } from "./provider/noun-run";
import { start } from "./provider/provider";

const example = { url: "https://platform.example.org" };

/** Every refusal of a table with the phase in which the provider shows it. */
async function phasesOf(noun: Noun): Promise<Map<string, Phase>> {
  const phases = new Map<string, Phase>();
  const isProvider = noun.kind === "provider";
  for (const { name, args, errors, on } of noun.rows) {
    if (errors.length === 0 || on === "construct") continue;
    const process = await start({}, isProvider ? {} : example);
    phases.set(name, (await carriedOut(process, noun, args)).phase);
    process.close();
  }
  for (const { name, args, environment, settings, refused } of noun.builds) {
    if (refused === undefined) continue;
    const process = await start(environment, settings ?? (isProvider ? args : example));
    phases.set(name, (await carriedOut(process, noun, args)).phase);
    process.close();
  }
  return phases;
}

describe.each(nouns.map((noun) => [noun.construct, noun] as const))("%s", (_construct, noun) => {
  test("no two rows have one name", () => {
    const names = [...noun.rows, ...noun.builds].map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test("what is wrong is refused before anything is applied, and no later than it was", async () => {
    const phases = await phasesOf(noun);
    const late = [...phases].filter(([, phase]) => phase !== "validate" && phase !== "plan");
    expect(late).toEqual([]);
    expect(Object.fromEntries(phases)).toMatchSnapshot();
  });
});
