// Prints the CPU time, in microseconds, of checking a parameter against all rules: form control,
// options, validation, and its default, which is different each time.
import { check } from "../../src/core/schema";
import { parameter } from "../../src/core/workspace/parameter/declare";
import { cpuTimeMs } from "../cpu-time";

const words = Array.from({ length: 20 }, (_, index) => `choice-${index}`);
const options = words.map((word) => ({ name: word, value: word }));
const ofEachType: readonly ((round: number) => Readonly<Record<string, unknown>>)[] = [
  (round) => ({
    type: "string",
    default: `https://code.example.com/team/api-${round}`,
    validation: [{ regex: "^https://[a-z.]+/", error: "{value} is not an https URL" }],
  }),
  (round) => ({
    type: "number",
    formType: "slider",
    mutable: true,
    default: String(round),
    validation: [{ min: 0, max: 100_000, monotonic: "increasing", error: "{min} to {max}" }],
  }),
  (round) => ({ type: "string", formType: "dropdown", default: words[round % 20], options }),
  (round) => ({
    type: "list(string)",
    formType: "multi-select",
    default: JSON.stringify([words[round % 20], words[(round + 1) % 20]]),
    options,
  }),
];
const rounds = 5_000;
const run = (): void => {
  for (let round = 0; round < rounds; round++) {
    for (const valuesOf of ofEachType) {
      const values = { name: `parameter-${round}`, ...valuesOf(round) };
      const [finding] = check(parameter, values, () => false);
      if (finding !== undefined) throw new Error(finding.message);
    }
  }
};
run();
console.log(JSON.stringify({ cpuUs: (cpuTimeMs(run) * 1000) / rounds / ofEachType.length }));
