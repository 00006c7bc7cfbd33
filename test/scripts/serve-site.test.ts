import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../cli/temporary-folder";

const served = join(__dirname, "..", "..", "scripts", "docs", "serve-site.mjs");

/** Asks for paths as they are, and prints the status of each answer. */
const script = (folder: string, paths: readonly string[]): string => `
  import { connect } from "node:net";
  import { serveSite } from ${JSON.stringify(served)};
  const { port } = new URL(await serveSite(${JSON.stringify(folder)}, "/docs/"));
  for (const path of ${JSON.stringify(paths)}) {
    await new Promise((resolve) => {
      const socket = connect(Number(port), "127.0.0.1", () => {
        socket.write("GET " + path + " HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n");
      });
      let text = "";
      socket.on("data", (piece) => { text += piece; }).on("error", () => {}).on("close", () => {
        console.log(text.split(" ")[1]);
        resolve();
      });
    });
  }
  process.exit();`;

it("serves pages, and answers what is no URL", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "a.html"), "A.");
  const paths = ["/docs/a", "//[", "//[/docs/a", "/docs/%", "/docs/%00", "/docs/../../etc/passwd"];
  const printed = execFileSync(
    process.execPath,
    ["--input-type=module", "-e", script(folder, paths)],
    { encoding: "utf8" },
  );
  expect(printed.trim().split("\n")).toEqual(["200", "404", "404", "404", "404", "404"]);
});
