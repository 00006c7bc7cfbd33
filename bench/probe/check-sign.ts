// Prints the CPU time, in microseconds, of checking a planned signature against all rules. Its
// image is different each time.
import { check } from "../../src/core/schema";
import { sign } from "../../src/core/signing/sign/declare";
import { cpuTimeMs } from "../cpu-time";

const rounds = 5_000;
const run = (): void => {
  for (let round = 0; round < rounds; round++) {
    const digest = round.toString(16).padStart(64, "0");
    const values = {
      image: `registry.example.com/team/app@sha256:${digest}`,
      conflict: "REPLACE",
      signatureFormat: "both",
    };
    const [finding] = check(sign, values, () => false);
    if (finding !== undefined) throw new Error(finding.message);
  }
};
run();
console.log(JSON.stringify({ cpuUs: (cpuTimeMs(run) * 1000) / rounds }));
