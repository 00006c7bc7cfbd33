import { signImage } from "../../../src/signing/backend/sign/sign-image";
import { inTime, openBench } from "./signing-bench";

it("signs an image so that the verification core knows who did it", async () => {
  const bench = await openBench();
  const image = await bench.pushImage("one");
  const ada = bench.person("ada@example.com");
  const t = performance.now();
  const written = await signImage(
    { image, conflict: "SKIPSAME", format: "both", ...bench.urls },
    ada.services,
    inTime(),
  );
  console.log(performance.now() - t, written, ada.progress);
  expect(written.layers).toHaveLength(1);
});
