// @ts-check
// node scripts/docs/recording.mjs [--check]: makes docs/recording.svg by running what it shows, after a build.
// --check fails if the picture is not what the commands print now. Only long lists and stack traces are left out.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "../providers.mjs";

const picture = join(root, "docs/recording.svg");
const trivet = join(root, "dist/src/cli/main.js");
const columns = 96;
const lineHeight = 19;
const secondsOfScene = 8;

/** @param {{ id: string, severity: string }} endpoint */
const program = ({ id, severity }) => `import { App, TerraformStack } from "cdktf";
import { ids } from "@trivet/constructs";

const app = new App();
const watch = new TerraformStack(app, "watch");
new ids.IdsProvider(watch, "ids", {
  project: "my-project",
  zone: "us-central1-f",
  cloudIdsCustomEndpoint: process.env.IDS_URL,
});

new ids.Endpoint(watch, "${id}", {
  endpointId: "edge",
  network: "projects/my-project/global/networks/edge",
  severity: "${severity}",
});

app.synth();
`;

const svg = drawn(await record());
if (!process.argv.includes("--check")) {
  writeFileSync(picture, svg);
} else if (readFileSync(picture, "utf8") !== svg) {
  console.error("docs/recording.svg is stale. Run `node scripts/docs/recording.mjs`.");
  process.exitCode = 1;
}

/** @returns {Promise<string[][]>} the lines of each scene */
async function record() {
  const folder = mkdtempSync(join(tmpdir(), "trivet-recording-"));
  const service = spawn(
    process.execPath,
    [trivet, "local", "ids", "--polls", "1", "--json", "--quiet"],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  try {
    let ready = "";
    for await (const line of createInterface(service.stdout)) {
      ready += line;
      if (line === "}") break;
    }
    prepare(folder);
    const env = { ...process.env, IDS_URL: JSON.parse(ready).url, CI: "1", NO_COLOR: "1" };
    /**
     * @param {{ id: string, severity: string }} endpoint
     * @param {string} command
     * @param {RegExp} leftOut
     */
    const scene = (endpoint, command, leftOut) => {
      writeFileSync(join(folder, "main.ts"), program(endpoint));
      const args = [trivet, ...command.split(" ")];
      const { stdout, stderr } = spawnSync(process.execPath, args, {
        cwd: folder,
        env,
        encoding: "utf8",
      });
      const lines = `${stderr}\n${stdout}`
        .replaceAll(`${folder}/`, "")
        .replaceAll(/ \(\d+ s\)$/gm, "")
        .split("\n")
        .filter((line) => line.trim() !== "" && !leftOut.test(line));
      const [shown = ""] = program(endpoint).split("\n").slice(11, 12);
      return [
        `main.ts │ ${shown}`,
        `        │   severity: "${endpoint.severity}",`,
        "",
        `$ npx trivet ${command}`,
        ...lines.flatMap(wrapped),
      ];
    };
    const attributes = /^ {6}\+ (?!endpoint_id|severity)/;
    return [
      scene(
        { id: "edge", severity: "HIHG" },
        "check",
        /^ +at (?!<anonymous>)|^Node\.js|^Its output/,
      ),
      scene({ id: "edge", severity: "HIGH" }, "check", attributes),
      scene(
        { id: "edge", severity: "HIGH" },
        "deploy --auto-approve",
        /^ {6}\+ |: planning|still creating|installed the provider/,
      ),
      scene({ id: "border", severity: "HIGH" }, "check --refuse destroy", attributes),
    ];
  } finally {
    service.kill();
    await once(service, "close");
    rmSync(folder, { recursive: true });
  }
}

/** @param {string} folder */
function prepare(folder) {
  mkdirSync(join(folder, "node_modules/@trivet"), { recursive: true });
  symlinkSync(root, join(folder, "node_modules/@trivet/constructs"));
  for (const name of ["cdktf", "constructs", "tsx"]) {
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  }
  const app = "node node_modules/tsx/dist/cli.mjs main.ts";
  const settings = { language: "typescript", app, projectId: "watch" };
  writeFileSync(join(folder, "cdktf.json"), JSON.stringify(settings));
}

/**
 * @param {string} line
 * @returns {string[]}
 */
function wrapped(line) {
  if (line.length <= columns) return [line];
  const at = line.lastIndexOf(" ", columns);
  return [line.slice(0, at), ...wrapped(`    ${line.slice(at + 1)}`)];
}

/** @param {readonly (readonly string[])[]} scenes */
function drawn(scenes) {
  const width = 24 + columns * 8.43;
  const height = 56 + Math.max(...scenes.map(({ length }) => length)) * lineHeight;
  const total = scenes.length * secondsOfScene;
  const share = 100 / scenes.length;
  const groups = scenes.map((lines, scene) => {
    const texts = lines.map((line, at) =>
      line === ""
        ? ""
        : `<text x="14" y="${52 + at * lineHeight}"${styleOf(line)}>${escaped(line)}</text>`,
    );
    const delay = scene * secondsOfScene;
    return `<g class="scene" style="animation-delay:${delay}s">\n${texts.filter((text) => text !== "").join("\n")}\n</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="t d">
<!-- Made by scripts/docs/recording.mjs: do not edit. -->
<title id="t">trivet check, deploy, and check again after a rename</title>
<desc id="d">A typo is reported with its line, the corrected plan is shown without Terraform, the stack is deployed, and a renamed construct is recognised before it destroys an endpoint.</desc>
<style>
.back{fill:#f6f8fa;stroke:#d0d7de}text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#1f2328;white-space:pre}
.code{fill:#57606a}.command{font-weight:700}.bad{fill:#b3261e}.good{fill:#116329}.hint{fill:#7a4b00}
@media (prefers-color-scheme:dark){.back{fill:#0d1117;stroke:#30363d}text{fill:#e6edf3}.code{fill:#8b949e}.bad{fill:#ff8379}.good{fill:#56d364}.hint{fill:#e3b341}}
.scene{opacity:0;animation:show ${total}s infinite}
@keyframes show{0%{opacity:1}${(share - 0.5).toFixed(1)}%{opacity:1}${share.toFixed(1)}%{opacity:0}99.5%{opacity:0}100%{opacity:1}}
@media (prefers-reduced-motion:reduce){.scene{animation:none}.scene:last-of-type{opacity:1}}
</style>
<rect class="back" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10"/>
<circle cx="18" cy="18" r="5" fill="#ff5f57"/><circle cx="36" cy="18" r="5" fill="#febc2e"/><circle cx="54" cy="18" r="5" fill="#28c840"/>
${groups.join("\n")}
</svg>
`;
}

/** @param {string} line */
function styleOf(line) {
  if (/│/.test(line)) return ' class="code"';
  if (line.startsWith("$")) return ' class="command"';
  if (/must be|^ValidationError|^ +- |refused|did you mean|^ {4}"|\[INVALID/.test(line))
    return ' class="bad"';
  if (/^ *\+ |: created|: deployed/.test(line)) return ' class="good"';
  if (/moveFromId|are the same/.test(line)) return ' class="hint"';
  return "";
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
